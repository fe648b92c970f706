"""The pages of this folder's subject, whose blocks are run."""

from pathlib import Path

from tests.docs.follow import follow

DOCS = Path(__file__).parents[2] / "docs"


def test_what_the_pages_say_is_so(tmp_path: Path) -> None:
    page = (DOCS / "checkpoints.md").read_text(encoding="utf-8")
    follow("docs/checkpoints.md", page, tmp_path / "reader")
