"""Every setting that a page names exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from codegen.cli.settings import ProjectSettings

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"```toml[^\n]*\n(.*?)```", re.DOTALL)
# Example: "with `out = "src/heat/generated"` among the settings"
_INLINE = re.compile(r"`(\w+) = [^`]*`[^.`]{0,30}\bsetting")


def test_settings_in_text_are_found() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert any("codegen" in tomllib.loads(one).get("tool", {}) for one in _BLOCK.findall(text))
    assert "out" in _INLINE.findall(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settings_named_on_pages_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.findall(text):
        assert tomllib.loads(block).get("tool", {}).get("codegen", {}).keys() <= {
            *ProjectSettings.__struct_fields__
        }
    assert {*_INLINE.findall(text)} <= {*ProjectSettings.__struct_fields__}
