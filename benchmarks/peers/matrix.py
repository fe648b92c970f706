"""Draw a table of marks as an SVG that is readable on a phone: 380 units wide, font size 11.

matrix("Which libraries give the right answer", {"codegen": {"NaN, a new object": ("right", "traced once")}})
# '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 380 ...'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

# Each mark has a symbol besides its colour, for print and for colour-blind readers.
MARKS = {"right": "✓", "slow": "~", "error": "!", "wrong": "✗", "none": "-"}
_COLOURS = {
    "right": "#cfe8d5",
    "slow": "#fdebc8",
    "error": "#fdebc8",
    "wrong": "#f6c9c4",
    "none": "#eeeeee",
}
_LEGEND = (
    "✓ right      ~ right, traced needlessly      - has no such thing",
    "! an error, late or without a name      ✗ wrong, or the process ends",
)
_WIDTH, _CELL, _ROW, _HEAD = 380, 25, 22, 168
_LEFT = 122


def matrix(title: str, verdicts: Mapping[str, Mapping[str, tuple[str, str]]]) -> str:
    """Draw one row per library and one column per case; a tooltip explains each mark."""
    height = _HEAD + _ROW * len(verdicts) + 48
    # It has its own background, because pages may be light or dark.
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" font-family="sans-serif" font-size="11" fill="#1b1b1b">',
        f'<rect width="{_WIDTH}" height="{height}" rx="4" fill="#ffffff"/>',
        f'<text x="12" y="22" font-size="13" font-weight="bold">{escape(title)}</text>',
        *_heads(next(iter(verdicts.values()))),
    ]
    for number, (library, cases) in enumerate(verdicts.items()):
        lines += _row(_HEAD + _ROW * number, library, cases)
    below = height - 28
    lines += [
        f'<text x="12" y="{below + 16 * line}" font-size="10" xml:space="preserve">{text}</text>'
        for line, text in enumerate(_LEGEND)
    ]
    return "\n".join([*lines, "</svg>", ""])


def _heads(cases: Mapping[str, object]) -> Iterator[str]:
    for number, case in enumerate(cases):
        x, y = _LEFT + _CELL * number + 16, _HEAD - 8
        name = escape(case.replace("`", ""))
        yield f'<text x="{x}" y="{y}" transform="rotate(-90 {x} {y})">{name}</text>'


def _row(top: int, library: str, cases: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    weight = "bold" if library == "codegen" else "normal"
    middle = top + 15
    yield f'<text x="12" y="{middle}" font-weight="{weight}">{escape(library)}</text>'
    for number, (kind, text) in enumerate(cases.values()):
        x = _LEFT + _CELL * number
        yield (
            f'<g><title>{escape(text)}</title><rect x="{x}" y="{top}" width="{_CELL - 2}" '
            f'height="{_ROW - 2}" rx="3" fill="{_COLOURS[kind]}"/>'
            f'<text x="{x + 11}" y="{middle}" text-anchor="middle">{MARKS[kind]}</text></g>'
        )
