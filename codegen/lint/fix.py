"""Apply the fixes of lints, in memory, until no more fix applies.

fix(files, judge)    ->    Fixed(files, done=(("heat.pyi", "write ..."),), report=Report())
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Report
from codegen.schema.stub import Assignment, Stub, target


def removal(stub: Stub, name: str) -> Fix | None:
    """Remove the assignment that declares a dimension; None if it shares a line with other code.

    removal(<nz = Dim()>, "nz")    ->    Fix("remove the dimension `nz`", ...)
    """
    source = stub.source
    for statement in stub.tree.body:
        if not isinstance(statement, Assignment) or target(statement).id != name:
            continue
        span, doc = source.span(statement), stub.docs.get(statement)
        start = source.line_span(span.region[0]).start
        end = span.end if doc is None else doc.span.end
        stop = source.line_span(source.position(end)[0]).end
        after = source.text[end:stop].strip()
        if source.text[start : span.start].strip() or (after and after[0] != "#"):
            return None
        stop = min(stop + 1, len(source.text))
        # If the removal would join two blank lines, remove one of them.
        is_blank_above = start == 0 or source.text[:start].endswith("\n\n")
        if is_blank_above and source.text[stop : stop + 1] == "\n":
            stop += 1
        return Fix(f"remove the dimension `{name}`", (Edit(source.at(start, stop), ""),))
    return None


class Fixed(Struct, frozen=True):
    """The fixed schemas, the fixes applied to each file, and the report of what is left."""

    files: tuple[File, ...]
    done: tuple[tuple[str, str], ...]  # path, message. Example: ("heat.pyi", "write `dynamic`")
    report: Report

    @property
    def not_applied(self) -> tuple[tuple[str, str], ...]:
        """The fixes that were not applied, because they would cause errors in the schemas."""
        return tuple(
            (one.source.path, one.fix.message) for one in self.report if one.fix is not None
        )


# A schema file: the displayed path, the dotted module, the bytes.
File: TypeAlias = tuple[str, str, bytes]
Judge: TypeAlias = Callable[[Sequence[File]], Report]
_Key: TypeAlias = tuple[str, Code, str]  # path, code, message


def fix(files: Sequence[File], judge: Judge) -> Fixed:
    """Apply every fix that leaves the schemas without errors.

    `judge` lints the files. A fix may cause another finding, so the schemas are linted again after
    each round. A round applies all fixes that can be applied at once. After one that caused an
    error, each round applies one fix, and those that cause errors stay in the report.
    """
    fixed = Fixed(tuple(files), (), judge(files))
    refused: set[_Key] = set()
    count: int | None = None  # how many fixes a round applies; None: all
    while chosen := _select(fixed.report, refused)[:count]:
        after = _apply(fixed, chosen, judge)
        if not after.report.has_errors:
            fixed = after
            continue
        if len(chosen) == 1:
            refused.add(_key(chosen[0]))
        count = 1
    return fixed


def _select(report: Report, refused: Collection[_Key]) -> list[Diagnostic]:
    """Return the findings whose fixes can be applied at once. Earlier fixes have priority."""
    edits: dict[str, set[Edit]] = {}
    chosen: list[Diagnostic] = []
    for one in report:
        if one.fix is None or _key(one) in refused:
            continue
        others = edits.setdefault(one.source.path, set())
        if not any(_clash(own, other) for own in one.fix.edits for other in others):
            others.update(one.fix.edits)
            chosen.append(one)
    return chosen


def _clash(one: Edit, other: Edit) -> bool:
    """Return whether two different edits touch the same characters."""
    return one != other and one.span.start < other.span.end and other.span.start < one.span.end


def _key(one: Diagnostic) -> _Key:
    """Return a key that identifies a fix in later rounds, where its position differs."""
    return (one.source.path, one.code, one.message)


def _apply(fixed: Fixed, diagnostics: Iterable[Diagnostic], judge: Judge) -> Fixed:
    """Apply the fixes of these diagnostics, which must not overlap."""
    by_path: dict[str, list[Fix]] = {}
    for one in diagnostics:
        if one.fix is not None:
            by_path.setdefault(one.source.path, []).append(one.fix)
    files: list[File] = []
    done = list(fixed.done)
    for path, module, data in fixed.files:
        fixes = by_path.get(path, [])
        files.append((path, module, rewritten(data, {edit for one in fixes for edit in one.edits})))
        done += [(path, one.message) for one in fixes]
    return Fixed(tuple(files), tuple(done), judge(files))


def rewritten(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Return the bytes of a file after edits. Line endings and a byte order mark stay."""
    # Edits refer to text without a byte order mark, and with LF instead of CR LF.
    text = data.decode()
    characters = re.findall(r"\r\n|[\s\S]", text.removeprefix("\ufeff"))
    for edit in sorted(edits, reverse=True):
        characters[edit.span.start : edit.span.end] = [edit.text]
    return ("\ufeff" * text.startswith("\ufeff") + "".join(characters)).encode()
