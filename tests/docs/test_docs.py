"""Follow the pages for users: every block is run, and every output is compared.

The tutorial has its own file, because it takes as long as all other pages. `python -m tests.docs.reference` writes the
pages that are generated from other files.
"""

from __future__ import annotations

import pydoc
import re
from argparse import _SubParsersAction
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.cli.arguments import parser
from tests.docs.blocks import NOT_RUN, Block, blocks
from tests.docs.follow import Reader, follow
from tests.docs.reference import errors, language_cases

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs/tutorial.md"
FOLLOWED = [
    ROOT / "README.md",
    TUTORIAL,
    ROOT / "docs/index.md",
    ROOT / "docs/why.md",
    ROOT / "docs/configuration.md",
    ROOT / "docs/donation.md",
    ROOT / "docs/memory.md",
    ROOT / "docs/objects.md",
    ROOT / "docs/scale.md",
    ROOT / "docs/shapes.md",
    ROOT / "docs/sharing.md",
    ROOT / "docs/side-by-side.md",
    ROOT / "docs/state.md",
    ROOT / "docs/traces.md",
    *sorted(ROOT.glob("docs/coming-from/*.md")),
]


PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted(ROOT.glob("docs/**/*.md")),
]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in FOLLOWED if page != TUTORIAL], ids=_name)
def test_page_can_be_followed(page: Path, tmp_path: Path) -> None:
    follow(_name(page), page.read_text(encoding="utf-8"), tmp_path / "reader")


def test_complete_generated_class_in_docs_is_current(tmp_path: Path) -> None:
    page = (ROOT / "docs/generated.md").read_text(encoding="utf-8")
    section = page[page.index("## A whole class") : page.index("## Abstract classes")]
    follow("docs/generated.md", section, tmp_path / "reader")


def test_language_page_shows_current_output(tmp_path: Path) -> None:
    """All its schemas form one project. Then its excerpts of generated files and its Python blocks are checked."""
    page = (ROOT / "docs/language.md").read_text(encoding="utf-8")
    found = [block for block in blocks(page) if block.is_run]
    files = [block for block in found if block.file]
    assert len(files) > 20
    build = Block(1, "sh", "", "codegen build\n")
    passages = [block for block in found if block.excerpt_of]
    python = [block for block in found if block not in files and block not in passages]
    reader = Reader("docs/language.md", tmp_path, None)
    reader.do([*files, build, *passages, *python])


@pytest.mark.parametrize("page", FOLLOWED, ids=_name)
def test_block_that_is_not_run_gives_a_reason(page: Path) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        assert block.is_run or len(block.remark) > len(NOT_RUN) + 10, block


@pytest.mark.parametrize(("name", "make"), [("language-cases", language_cases), ("errors", errors)])
def test_generated_pages_are_current(name: str, make: Callable[[], str]) -> None:
    """`python -m tests.docs.reference` updates them."""
    assert (ROOT / f"docs/{name}.md").read_text(encoding="utf-8") == make()


def test_every_command_and_option_is_documented() -> None:
    page = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    verbs = next(a for a in parser()._actions if isinstance(a, _SubParsersAction))
    assert {name for name in verbs.choices if f"| `codegen {name}" not in page} == set()
    options = {o for verb in verbs.choices.values() for o in verb._option_string_actions}
    assert {name for name in options if not re.search(rf"{name}[\s`\]]", page)} == set()


def test_reference_names_existing_modules() -> None:
    """Parse the file as text, because mkdocs, which imports it, is not required for the tests."""
    site = (ROOT / ".ci/site.py").read_text(encoding="utf-8")
    table = site.partition("REFERENCE = {")[2].partition("\n}\n")[0]
    names = re.findall(r'"([a-z_]+(?:\.\w+)*)"', table)
    assert len(names) > 25
    for name in names:
        assert pydoc.locate(f"codegen.runtime.{name}") is not None, name


def test_line_counts_of_programs_are_current() -> None:
    """`python -m benchmarks.programs --write` updates them."""
    page = (ROOT / "docs/side-by-side.md").read_text(encoding="utf-8")
    own = {block.file: block.text.count("\n") - 1 for block in blocks(page)}
    for title, name in (("particles", "gas"), ("transformer", "words")):
        schema, model = own[f"schemas/{name}.pyi"], own[f"{name}_model.py"]
        assert f"| {title}, `codegen` | {schema} of schema, {model} of Python |" in page
        for library, rival in (("flax.struct", "flax"), ("equinox", "equinox")):
            program = ROOT / f"benchmarks/programs/{name}_{rival}.py"
            count = program.read_text(encoding="utf-8").count("\n")
            assert f"| {title}, `{library}` | {count} |" in page


def _prose(path: Path) -> str:
    return re.sub(
        r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_have_existing_targets(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", _prose(page)):
        path, _, heading = link.partition("#")
        if "://" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        headings = re.findall(r"^#+ (.+)$", _prose(target), re.MULTILINE) if heading else []
        anchors = {
            re.sub(r"[^\w -]", "", one).strip().lower().replace(" ", "-") for one in headings
        }
        assert not heading or heading in anchors, link


def test_every_page_is_in_the_site_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [_name(path) for path in [*PAGES, *ROOT.glob("docs/notebooks/*.ipynb")]]
    assert [page for page in pages if page not in menu] == []


def test_files_named_in_contributing_exist() -> None:
    words = re.findall(r"`([\w.]+/[\w./-]+)`", _prose(ROOT / "CONTRIBUTING.md"))
    named = [word for word in words if not re.search(r"CODE|CASE|TOPIC|STAGE", word)]
    assert len(named) > 40
    assert [word for word in named if not (ROOT / word).exists()] == []


def test_names_in_contributing_exist_in_their_files() -> None:
    said = re.findall(r"`(\w+)`,?\s+in\s+`([\w./-]+\.\w+)`", _prose(ROOT / "CONTRIBUTING.md"))
    assert len(said) > 3
    for name, file in said:
        assert name in (ROOT / file).read_text(encoding="utf-8"), (name, file)


def test_every_template_is_listed() -> None:
    folder = ROOT / "templates"
    listed = re.findall(r"`([\w*]+\.[\w.]+)`", (folder / "README.md").read_text(encoding="utf-8"))
    files = {*folder.glob("*.jinja"), *folder.glob("docs/*")}
    assert files - {file for name in listed for file in folder.rglob(name)} == set()
