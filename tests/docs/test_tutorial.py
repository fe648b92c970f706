"""Follow the tutorial from an empty folder to its end."""

from __future__ import annotations

from pathlib import Path

from tests.docs.follow import follow

TUTORIAL = Path(__file__).parents[2] / "docs/tutorial.md"


def test_tutorial_can_be_followed(tmp_path: Path) -> None:
    follow("docs/tutorial.md", TUTORIAL.read_text(encoding="utf-8"), tmp_path / "reader")
