"""`# codegen: ignore[CODE]`: what a comment silences on its line, and those that silence nothing.

nx = Dim()  # codegen: ignore[UNUSED_DIMENSION]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Report
from codegen.diagnostics.codes import REMOVED
from codegen.diagnostics.suggest import did_you_mean
from codegen.linted.linting import Linting, Written
from codegen.source import Source, Span
from codegen.syntax.nodes import Ignore


def silence(
    linting: Linting, found: Iterable[Diagnostic], chosen: Collection[Code], lints: Collection[Code]
) -> Report:
    """What is left of a report; with it, unless it is not chosen, each ignore without effect."""
    at_line: dict[tuple[str, int, str], list[Diagnostic]] = {}
    for one in found:
        line, _ = one.source.position(one.span.start)
        at_line.setdefault((one.source.path, line, one.code.value), []).append(one)
    unused: list[Diagnostic] = []
    for module in linting.modules.values():
        for ignore in module.tree.ignores:
            without_effect = [
                code
                for code in ignore.codes
                if not at_line.pop((module.source.path, ignore.line, code), None)
                # A lint that did not run, or that was removed, cannot be missing.
                and code not in REMOVED
                and (code not in lints or code in chosen)
            ]
            unused += _unused(linting, module, ignore, without_effect, lints)
    left = [one for several in at_line.values() for one in several]
    return Report(left + (unused if Code.UNUSED_IGNORE in chosen else []))


def _unused(
    linting: Linting, module: Written, ignore: Ignore, codes: list[str], lints: Collection[Code]
) -> Iterator[Diagnostic]:
    if not codes and ignore.codes:
        return
    if not ignore.codes:
        said = "`ignore` names no code, and silences nothing"
        advice = "name what is to be silenced, in brackets: `# codegen: ignore[UNUSED_DIMENSION]`"
    else:
        verb = "is" if len(codes) == 1 else "are"
        said = f"{' and '.join(f'`{code}`' for code in codes)} {verb} ignored here, but not found"
        advice = _advice(codes, lints)
    yield linting.warn(
        Code.UNUSED_IGNORE,
        module.source,
        ignore.span,
        said,
        label="silences nothing",
        advice=advice,
        fix=_fix(module.source, ignore, codes),
    )


def _advice(codes: list[str], lints: Collection[Code]) -> str:
    unknown = next((code for code in codes if code not in lints), None)
    if unknown is None:
        return "leave it out"
    if unknown in Code.__members__:
        return f"leave it out: `{unknown}` stops a build, and cannot be silenced"
    return did_you_mean(unknown, lints, f"leave it out: there is no lint `{unknown}`")


def _fix(source: Source, ignore: Ignore, codes: list[str]) -> Fix | None:
    """Take the codes away, or all that the comment says to us where none is left.

    None where it names no code and goes on with what may be meant for one: `ignore[A`, `ignore A`.
    """
    left = [code for code in ignore.codes if code not in codes]
    if left:
        text = f"# codegen: ignore[{', '.join(left)}]"
        removed = " and ".join(f"`{code}`" for code in codes)
        return Fix(f"remove {removed} from the comment", (Edit(ignore.span, text),))
    line = source.line_span(ignore.line)
    before = source.text[line.start : ignore.span.start]
    rest = source.text[ignore.span.end : line.end]
    reason = rest.strip().removeprefix(":").lstrip()
    if reason and not reason.startswith("#"):
        # Somebody's words, which without a sign before them would be no comment any more.
        edit = Edit(Span(ignore.span.start, line.end), f"# {reason}")
        return Fix("remove the marker from the comment", (edit,)) if ignore.codes else None
    if reason:
        span = Span(ignore.span.start, line.end - len(rest) + rest.index("#"))
    elif before.strip():
        span = Span(line.start + len(before.rstrip(" \t")), line.end)
    else:  # it has the line for itself
        span = Span(line.start, min(line.end + 1, len(source.text)))
    return Fix("remove the comment", (Edit(span, ""),))
