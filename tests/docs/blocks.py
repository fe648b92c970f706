"""Parse the code blocks of a Markdown page.

blocks("```sh\\ncodegen build\\n```\\n")   # [Block(line=2, language="sh", remark="", text="codegen build\\n")]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(
    r"^```(?P<language>\w*)[ ]?(?P<remark>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_NAME = re.compile(r"# (?P<path>[\w./-]+\.(?:pyi?|toml|ya?ml))(?P<more>, continued)?\n")
NOT_RUN = "not run: "
EXCERPT = "excerpt of "


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. Words after the language are instructions for the tests, and are not displayed."""

    line: int  # line of its first line of text, from 1
    language: str  # Example: "sh"
    remark: str  # Example: "not run: it needs flax"
    text: str

    @property
    def is_run(self) -> bool:
        return not self.remark.startswith(NOT_RUN)

    @property
    def excerpt_of(self) -> str | None:
        """The file that contains these lines."""
        return self.remark.removeprefix(EXCERPT) if self.remark.startswith(EXCERPT) else None

    @property
    def file(self) -> str | None:
        """The file that the block defines: the comment in its first line names it."""
        found = _NAME.match(self.text)
        return found["path"] if found and self.language in {"python", "toml", "yaml"} else None

    @property
    def continues(self) -> bool:
        """Whether it is appended to the file, as in `# curve.py, continued`."""
        found = _NAME.match(self.text)
        return bool(found and found["more"])


def blocks(page: str) -> list[Block]:
    """Return all fenced blocks that begin at the margin."""
    return [
        Block(page.count("\n", 0, found.start("text")) + 1, *found.group(*_GROUPS))
        for found in _FENCE.finditer(page)
    ]


_GROUPS = ("language", "remark", "text")
