"""Build the documentation site: a hook for mkdocs (see mkdocs.yml).

Pages stay at their paths in the repository. This hook rewrites Markdown for GitHub and for the tests into the form
that mkdocs expects. It also creates pages from the notebooks and from the reference.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

# mkdocs loads a hook by its path.
sys.path.insert(0, str(Path(__file__).parent))
import playground

ROOT = Path(__file__).parents[1]
PAGES = (
    *(
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
        "CHANGELOG.md",
        "LICENSE",
    ),
    *(
        "docs/**/*.md",
        "docs/**/*.ipynb",
        "docs/**/*.svg",
        "docs/**/*.png",
        "docs/*.json",
        "docs/*.css",
    ),
    *(
        "codegen/diagnostics/pages/*.md",
        "codegen/diagnostics/run_time/*.md",
        "examples/*.py",
        "examples/*.toml",
        *("schemas/*.pyi", "generated/running.py"),
    ),
    *("templates/README.md", "tests/fuzz/README.md"),
)
# The front page is not the README, which mkdocs would take.
ADDRESSES = {"docs/index.md": "index.html", "README.md": "overview/index.html"}
# The public API by module. docs/generated.md explains where to import each name from.
REFERENCE = {
    "Every class": (
        *("classes.registration.Static", "classes.registration.Pytree", "classes.values.diff"),
        "switches.Settings",
    ),
    "Classes with arrays": ("classes.bases.ShapedPytree", "classes.bases.InitPytree"),
    "Classes that name a mesh axis": (
        *("classes.bases.ShardedPytree", "mesh.fingerprints.assert_same_everywhere"),
    ),
    "Stacked classes": ("stacks.stack", "stacks.unstack"),
    "Classes with tags": ("classes.bases.TaggedPytree",),
    "Functions": (
        "call.Function",
        *("call.errors.ConsumedError", "call.errors.DonationWarning"),
    ),
    "Traces": (
        *("traces.messages.Trace", "traces.messages.Change", "traces.max_traces"),
        *("traces.traces_as_json", "traces.RetraceError", "traces.RetraceWarning"),
    ),
    "State": ("drafts.state.DraftError", "lift"),
    "Functions outside any schema": ("jitted.jit", "identities.preserve_identities"),
    "Checkpoints": (
        *("checkpoint.packing.pack", "checkpoint.unpacking.unpack"),
        *("checkpoint.stores.save", "checkpoint.stores.restore"),
        *("checkpoint.configurations.to_dict", "checkpoint.configurations.from_dict"),
        *("checkpoint.configurations.to_json", "checkpoint.configurations.from_json"),
        *("checkpoint.stores.save_async", "checkpoint.documents.CheckpointError"),
    ),
    "Memory": ("memory.table", "memory.CallMemory", "tables.Table", "tables.Row"),
    "Programs without their source": ("export.export", "export.register_for_export"),
}


def on_files(files: Files, config: Any) -> Files:
    """Return all pages with their paths in the repository, and the files of the theme and plugins."""
    added = [file for file in files if file.abs_src_path is None or not _lies_in_docs(file)]
    for path in sorted({path for pattern in PAGES for path in ROOT.glob(pattern)}):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".ipynb":
            added.append(File.generated(config, f"{name}.md", content=_notebook(path)))
        else:
            file = File.generated(config, name, abs_src_path=str(path))
            file.dest_uri = ADDRESSES.get(name, file.dest_uri)
            added.append(file)
    added.append(File.generated(config, "docs/reference.md", content=_reference()))
    for name, content in playground.files().items():
        added.append(File.generated(config, f"docs/playground/{name}", content=content))
    return Files(added)


def _lies_in_docs(file: File) -> bool:
    return Path(str(file.abs_src_path)).is_relative_to(ROOT / "docs")


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Convert the Markdown of a page for mkdocs."""
    if page.file.url == "./":
        # The front page needs the whole width for three columns.
        page.meta["hide"] = ["navigation", "toc"]
    if '<div class="pair"' in markdown:
        # Two columns of code need the width of the table of contents.
        page.meta["hide"] = ["toc"]
    if page.file.src_uri == "CHANGELOG.md":
        # It mentions everything. Guides come first.
        page.meta["search"] = {"boost": 0.1}
    if page.file.src_uri == "docs/playground.md":
        page.meta["hide"] = ["navigation", "toc"]
        # What a browser without scripts shows.
        markdown = re.sub(r"^\[`(.*)`\]\(.*\)$", _with_file, markdown, flags=re.MULTILINE)
    # Words after the language of a code block are instructions for the tests.
    text = re.sub(r"^(```\w+) .*$", r"\1", markdown, flags=re.MULTILINE)
    # Inside code in a table, mkdocs needs no backslash before `|`.
    text = re.sub(r"^\|.*$", lambda row: row[0].replace(r"\|", "|"), text, flags=re.MULTILINE)
    # On a phone, long codes such as AMBIGUOUS_RENAME leave space for the second column.
    text = re.sub(
        r"^\| \[[A-Z_]+\]", lambda code: code[0].replace("_", "_<wbr>"), text, flags=re.MULTILINE
    )
    return re.sub(r"(\]\([^)\s]+\.ipynb)\)", r"\1.md)", text)


def _with_file(link: re.Match[str]) -> str:
    return f"{link[0]}\n\n```python\n{(ROOT / link[1]).read_text(encoding='utf-8')}```"


def on_post_build(**_: Any) -> None:
    """Build the example for Sphinx in docs/api-pages.md, with warnings as errors."""
    page = (ROOT / "docs/api-pages.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"^# conf.py\n.*?(?=^```)", page, re.DOTALL | re.MULTILINE)
    (directive,) = re.findall(r"^\.\. automodule.*?(?=^```)", page, re.DOTALL | re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        settings = settings.replace('os.path.abspath("..")', repr(str(ROOT)))
        Path(folder, "conf.py").write_text(settings, encoding="utf-8")
        Path(folder, "index.rst").write_text(f"Heat\n====\n\n{directive}", encoding="utf-8")
        command = [sys.executable, "-m", "sphinx", "-W", "-q", folder, f"{folder}/html"]
        subprocess.run(command, check=True)
        shown = Path(folder, "html/index.html").read_text(encoding="utf-8")
        assert "cell averages" in shown, "Sphinx shows no field"


def _notebook(path: Path) -> str:
    """Convert the cells of a notebook and their outputs to Markdown."""
    parts: list[str] = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(f"```python\n{text}\n```")
        shown = "".join(_shown(output) for output in cell["outputs"]).rstrip()
        if shown:
            plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
            parts.append(f"```text\n{plain}\n```")
    return "\n\n".join(parts)


def _shown(output: dict[str, Any]) -> str:
    if output["output_type"] == "error":
        return "\n".join(output["traceback"])
    return "".join(output.get("text") or output["data"]["text/plain"]) + "\n"


def _reference() -> str:
    parts = [
        "# Reference",
        "The run time, `codegen.runtime`: what generated modules import, and what programs may import. "
        "[This table](generated.md#where-things-are-imported-from) has the place of each name.",
    ]
    for declaration, modules in REFERENCE.items():
        parts.append(f"## {declaration}")
        parts += [f"::: codegen.runtime.{module}" for module in modules]
    return "\n\n".join(parts)
