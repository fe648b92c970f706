"""Mend what lints found, in memory, until nothing is left that can be mended.

fix(files, options, chosen)    ->    Fixed(files, done=(("heat.pyi", "remove ..."),), report=Report())

What one round takes away may be the last use of something else, so the schemas are read and judged
anew after each; a round that would leave them wrong is not made.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from codegen import pipeline
from codegen.diagnostics import Code, Diagnostic, Edit, Report
from codegen.linted.edits import apply, select
from codegen.options import Options
from codegen.pipeline import File
from codegen.source import Span


class Fixed(Struct, frozen=True):
    """The schemas as they are to be, what was done to which, and what is left to say."""

    files: tuple[File, ...]
    done: tuple[tuple[str, str], ...]  # path, message. Example: ("heat.pyi", "remove `f32`")
    report: Report


def fix(files: Sequence[File], options: Options, chosen: Collection[Code]) -> Fixed:
    """Make every fix that there is."""
    fixed = Fixed(tuple(files), (), pipeline.lint(files, options, chosen))
    while any(one.fix for one in fixed.report):
        after = _round(fixed, options, chosen)
        if after.report.has_errors:
            break
        fixed = after
    return fixed


def _round(fixed: Fixed, options: Options, chosen: Collection[Code]) -> Fixed:
    """Make as many fixes as can be made at once."""
    by_path: dict[str, list[Diagnostic]] = {}
    for one in fixed.report:
        if one.fix is not None:
            by_path.setdefault(one.source.path, []).append(one)
    files: list[File] = []
    done = list(fixed.done)
    for path, module, data in fixed.files:
        taken, edits = select(one.fix for one in by_path.get(path, []) if one.fix is not None)
        files.append((path, module, rewritten(data, edits)))
        done += [(path, one.message) for one in taken]
    return Fixed(tuple(files), tuple(done), pipeline.lint(files, options, chosen))


def rewritten(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The bytes of a file with edits of its text; line ends and a byte order mark stay."""
    text = data.decode()
    mark = len(text) - len(text.removeprefix("\ufeff"))
    # The text that the edits are about has no mark, and a line feed where there was CR LF.
    breaks: list[int] = []
    at = text.find("\r\n")
    while at >= 0:
        breaks.append(at - mark - len(breaks))
        at = text.find("\r\n", at + 2)

    def place(offset: int) -> int:
        return mark + offset + bisect_left(breaks, offset)

    moved = [Edit(Span(place(edit.span.start), place(edit.span.end)), edit.text) for edit in edits]
    return apply(text, moved).encode()
