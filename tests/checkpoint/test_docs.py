"""The pages of this folder's subject, whose blocks are run."""

from pathlib import Path

from tests.docs.follow import follow

DOCS = Path(__file__).parents[2] / "docs"


def test_what_the_pages_say_is_so(tmp_path: Path) -> None:
    for name in ("checkpoints", "serving"):
        page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        follow(f"docs/{name}.md", page, tmp_path / name)
