"""The pages of this folder's subject, whose blocks are run."""

from pathlib import Path

from tests.docs.follow import follow

CHECKOUT = Path(__file__).parents[2]


def test_what_the_pages_say_is_so(tmp_path: Path) -> None:
    for name in ("checkpoints", "serving"):
        page = (CHECKOUT / f"docs/{name}.md").read_text(encoding="utf-8")
        follow(f"docs/{name}.md", page, tmp_path / name, path=CHECKOUT)
