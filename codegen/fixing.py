"""Mend what lints found, in memory, until nothing is left that can be mended.

fix(files, options, chosen)    ->    Fixed(files, done=(("heat.pyi", "remove ..."),), report=Report())

What one round takes away may be the last use of something else, so the schemas are read and judged
anew after each. Where a round would leave them wrong, those of its fixes are made that do not, and the
others stay in the report:

fix(files, options, chosen).left    ->    (("heat.pyi", "write `static`"),)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from codegen import pipeline
from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Report
from codegen.linted.edits import apply, select
from codegen.linted.linting import Python
from codegen.options import Options
from codegen.pipeline import File
from codegen.source import Span


class Fixed(Struct, frozen=True):
    """The schemas as they are to be, what was done to which, and what is left to say."""

    files: tuple[File, ...]
    done: tuple[tuple[str, str], ...]  # path, message. Example: ("heat.pyi", "remove `f32`")
    report: Report

    @property
    def left(self) -> tuple[tuple[str, str], ...]:
        """The fixes that were not made, since the schemas would be wrong with them."""
        return tuple(
            (one.source.path, one.fix.message) for one in self.report if one.fix is not None
        )


_Judge: TypeAlias = Callable[[Sequence[File]], Report]
_Key: TypeAlias = tuple[str, Code, str]  # path, code, message


def fix(
    files: Sequence[File],
    options: Options,
    chosen: Collection[Code],
    python: Python = lambda _: None,
) -> Fixed:
    """Make every fix that there is, but those with which the schemas would be wrong."""

    def judged(files: Sequence[File]) -> Report:
        return pipeline.lint(files, options, chosen, python)

    fixed = Fixed(tuple(files), (), judged(files))
    refused: set[_Key] = set()
    while found := _selected(fixed):
        before = len(fixed.done) + len(refused)
        after = _made(fixed, found, judged)
        if after.report.has_errors:
            after = _made_in_part(fixed, judged, refused)
        fixed = after
        if len(fixed.done) + len(refused) == before:
            break
    return fixed


def _selected(fixed: Fixed, refused: Collection[_Key] = ()) -> list[Diagnostic]:
    """What can be mended at once: no two fixes of it touch the same characters."""
    by_path: dict[str, list[Diagnostic]] = {}
    for one in fixed.report:
        if one.fix is not None and _key(one) not in refused:
            by_path.setdefault(one.source.path, []).append(one)
    found: list[Diagnostic] = []
    for several in by_path.values():
        taken = select(one.fix for one in several if one.fix is not None)
        found += [one for one in several if one.fix in taken]
    return found


def _made(fixed: Fixed, found: Iterable[Diagnostic], judged: _Judge) -> Fixed:
    """Make the fixes of these, which can be made at once."""
    by_path: dict[str, list[Fix]] = {}
    for one in found:
        if one.fix is not None:
            by_path.setdefault(one.source.path, []).append(one.fix)
    files: list[File] = []
    done = list(fixed.done)
    for path, module, data in fixed.files:
        fixes = by_path.get(path, [])
        files.append((path, module, rewritten(data, {edit for one in fixes for edit in one.edits})))
        done += [(path, one.message) for one in fixes]
    return Fixed(tuple(files), tuple(done), judged(files))


def _made_in_part(fixed: Fixed, judged: _Judge, refused: set[_Key]) -> Fixed:
    """Make the fixes that leave the schemas right, and note the others as `refused`.

    Halves are tried, and halves of those that are wrong: one bad fix among many is soon found. What
    was refused in a round before is not tried alone again, so that each fix costs two trials at most.
    """
    found = _selected(fixed, refused)
    waiting = [sorted(found, key=_takes_away)] if found else []
    best = fixed
    made: list[Diagnostic] = []
    while waiting:
        group = waiting.pop()
        after = _made(fixed, [*made, *group], judged)
        if not after.report.has_errors:
            best = after
            made += group
        elif len(group) == 1:
            refused.add(_key(group[0]))
        else:
            half = len(group) // 2
            waiting += [group[half:], group[:half]]
    return best


def _key(one: Diagnostic) -> _Key:
    """What tells a fix in a later round, where its place is another."""
    return (one.source.path, one.code, one.message)


def _takes_away(one: Diagnostic) -> bool:
    """Whether a fix writes nothing: such come last, for what they remove another may need."""
    return one.fix is not None and not any(edit.text for edit in one.fix.edits)


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
