"""Apply the fixes of lints, in memory, until no more fix applies.

fix(files, judge)    ->    Fixed(files, done=(("heat.pyi", "write ..."),), report=Report())
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Report
from codegen.lint.linting import LintedModule
from codegen.schema.stub import Assignment, target
from codegen.source import Source, Span


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Return the text after these edits, applied from the bottom up. They must not overlap.

    apply("a, b, c", (Edit(Span(1, 4, ...), ""),))    ->    "a, c"
    """
    for edit in sorted(set(edits), reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def select(fixes: Iterable[Fix]) -> set[Fix]:
    """Return as many fixes as can be applied at once. Earlier fixes have priority."""
    taken: set[Fix] = set()
    edits: set[Edit] = set()
    for fix in fixes:
        if not any(_clash(own, other) for own in fix.edits for other in edits):
            taken.add(fix)
            edits.update(fix.edits)
    return taken


def _clash(one: Edit, other: Edit) -> bool:
    """Return whether two different edits touch the same characters."""
    return one != other and one.span.start < other.span.end and other.span.start < one.span.end


def without_statement(
    source: Source, statement: ast.stmt, below: Span | None = None
) -> Edit | None:
    """Remove the lines of a statement and its docstring `below`; None if other code shares them."""
    span = source.span(statement)
    start = source.line_span(source.position(span.start)[0]).start
    end = max(span.end, below.end if below else 0)
    line = source.line_span(source.position(end)[0])
    behind = source.text[end : line.end].strip()
    if source.text[start : span.start].strip() or (behind and behind[0] != "#"):
        return None
    stop = min(line.end + 1, len(source.text))
    # If the removal would join two blank lines, remove one of them.
    is_blank_above = start == 0 or source.text[:start].endswith("\n\n")
    if is_blank_above and source.text[stop : stop + 1] == "\n":
        stop += 1
    return Edit(source.at(start, stop), "")


def removal(module: LintedModule, name: str, what: str) -> Fix | None:
    """Remove the assignment that declares a name; None if it shares its line.

    removal(module, "nz", "dimension")    ->    Fix("remove the dimension `nz`", ...)
    """
    for statement in module.stub.tree.body:
        if isinstance(statement, Assignment) and target(statement).id == name:
            doc = module.stub.docs.get(statement)
            edit = without_statement(module.source, statement, doc.span if doc else None)
            return None if edit is None else Fix(f"remove the {what} `{name}`", (edit,))
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
    each round. If the fixes of a round together cause an error, only those that cause none are
    applied. The others stay in the report, `Fixed.not_applied`.
    """
    fixed = Fixed(tuple(files), (), judge(files))
    refused: set[_Key] = set()
    while selected := _selected(fixed):
        before = len(fixed.done) + len(refused)
        after = _apply(fixed, selected, judge)
        if after.report.has_errors:
            after = _apply_without_errors(fixed, judge, refused)
        fixed = after
        if len(fixed.done) + len(refused) == before:
            break
    return fixed


def _selected(fixed: Fixed, refused: Collection[_Key] = ()) -> list[Diagnostic]:
    """Return the diagnostics whose fixes can be applied at once: none touch the same characters."""
    by_path: dict[str, list[Diagnostic]] = {}
    for one in fixed.report:
        if one.fix is not None and _key(one) not in refused:
            by_path.setdefault(one.source.path, []).append(one)
    diagnostics: list[Diagnostic] = []
    for several in by_path.values():
        taken = select(one.fix for one in several if one.fix is not None)
        diagnostics += [one for one in several if one.fix in taken]
    return diagnostics


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


def _apply_without_errors(fixed: Fixed, judge: Judge, refused: set[_Key]) -> Fixed:
    """Apply the fixes that cause no errors, and add the others to `refused`.

    A fix that an earlier round refused is not tried again.
    """
    best = fixed
    applied: list[Diagnostic] = []
    for one in _selected(fixed, refused):
        after = _apply(fixed, [*applied, one], judge)
        if after.report.has_errors:
            refused.add(_key(one))
        else:
            best = after
            applied.append(one)
    return best


def _key(one: Diagnostic) -> _Key:
    """Return a key that identifies a fix in later rounds, where its position differs."""
    return (one.source.path, one.code, one.message)


def rewritten(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Return the bytes of a file after edits. Line endings and a byte order mark stay."""
    text = data.decode()
    mark = len(text) - len(text.removeprefix("\ufeff"))
    # Edits refer to text without a byte order mark, and with LF instead of CR LF.
    breaks: list[int] = []
    at = text.find("\r\n")
    while at >= 0:
        breaks.append(at - mark - len(breaks))
        at = text.find("\r\n", at + 2)

    def place(offset: int) -> int:
        return mark + offset + bisect_left(breaks, offset)

    moved = [
        replace(
            edit, span=replace(edit.span, start=place(edit.span.start), end=place(edit.span.end))
        )
        for edit in edits
    ]
    return apply(text, moved).encode()
