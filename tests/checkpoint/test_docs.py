"""Run the code blocks of the pages on checkpoints."""

from pathlib import Path

from tests.docs.follow import follow

CHECKOUT = Path(__file__).parents[2]


def test_checkpoint_pages_run_as_documented(tmp_path: Path) -> None:
    for name in ("checkpoints", "serving"):
        page = (CHECKOUT / f"docs/{name}.md").read_text(encoding="utf-8")
        follow(f"docs/{name}.md", page, tmp_path / name, path=CHECKOUT)
