"""Run the selected lints, and drop the findings that comments ignore.

lint(checked, trees, decls, LINTS, python)    ->    Report(UNUSED_DIMENSION ..., NEVER_DONATED ...)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from codegen.check.check import Checked
from codegen.diagnostics import Code, Diagnostic, Edit, Fix, Report
from codegen.diagnostics.codes import REMOVED
from codegen.diagnostics.suggest import did_you_mean
from codegen.lint import donation, implementations, names, roles
from codegen.lint.linting import LintedModule, Linting, Python
from codegen.schema.comments import Ignore
from codegen.schema.nodes import ModuleDecl
from codegen.schema.stub import Stub

# A lint is one function, in the module of its topic, and one entry here.
RULES: Final[dict[Code, Callable[[Linting], Iterable[Diagnostic]]]] = {
    Code.ABSOLUTE_IMPORT: names.absolute_import,
    Code.DONATES_NOTHING: donation.donates_nothing,
    Code.DYNAMIC_PYTHON_SCALAR: roles.dynamic_python_scalar,
    Code.FORGOTTEN_DONATION: donation.forgotten_donation,
    Code.LARGE_STATIC_ARRAY: roles.large_static_array,
    Code.NEVER_DONATED: donation.never_donated,
    Code.SIZE_NOT_STATIC: names.size_not_static,
    Code.STATIC_CLASS_AS_DYNAMIC: roles.static_class_as_dynamic,
    Code.SWEPT_STATIC: roles.swept_static,
    Code.UNKNOWN_IMPLEMENTATION: implementations.unknown_implementation,
    Code.UNUSABLE_DONATION: donation.unusable_donation,
    Code.UNUSED_DIMENSION: names.unused_dimension,
}
LINTS: Final = frozenset({*RULES, Code.UNUSED_IGNORE})


def lint(
    checked: Checked,
    stubs: Sequence[Stub],
    decls: Sequence[ModuleDecl],
    chosen: Collection[Code],
    python: Python,
) -> Report:
    """Return the findings of the selected rules, except those that a comment ignores."""
    modules = {decl.name: LintedModule(stub, decl) for stub, decl in zip(stubs, decls, strict=True)}
    linting = Linting(checked, modules, python)
    diagnostics = [one for code, rule in RULES.items() if code in chosen for one in rule(linting)]
    return _silence(linting, diagnostics, chosen)


def _silence(
    linting: Linting, diagnostics: Iterable[Diagnostic], chosen: Collection[Code]
) -> Report:
    """Drop ignored findings. If selected, report the comments that ignore nothing."""
    at_line: dict[tuple[str, int, str], list[Diagnostic]] = {}
    for one in diagnostics:
        line = one.span.region[0]
        at_line.setdefault((one.source.path, line, one.code.value), []).append(one)
    unused: list[Diagnostic] = []
    for module in linting.modules.values():
        for ignore in module.stub.ignores:
            without_effect = [
                code
                for code in ignore.codes
                if not at_line.pop((module.stub.source.path, ignore.line, code), None)
                # A lint that did not run, or that was removed, cannot be reported as missing.
                and code not in REMOVED
                and (code not in LINTS or code in chosen)
            ]
            unused += _unused(linting, ignore, without_effect)
    left = [one for several in at_line.values() for one in several]
    return Report(left + (unused if Code.UNUSED_IGNORE in chosen else []))


def _unused(linting: Linting, ignore: Ignore, codes: list[str]) -> Iterator[Diagnostic]:
    if not codes and ignore.codes:
        return
    if not ignore.codes:
        message = "`ignore` without a code silences nothing"
        advice = "write the code in brackets: `# codegen: ignore[UNUSED_DIMENSION]`"
    else:
        verb = "is" if len(codes) == 1 else "are"
        message = (
            f"{' and '.join(f'`{code}`' for code in codes)} {verb} ignored here, but not reported"
        )
        advice = _advice(codes)
    yield linting.warn(
        Code.UNUSED_IGNORE,
        ignore.span,
        message,
        label="silences nothing",
        advice=advice,
        fix=_unused_ignore_fix(ignore, codes),
    )


def _advice(codes: list[str]) -> str:
    unknown = next((code for code in codes if code not in LINTS), None)
    if unknown is None:
        return f"remove {' and '.join(f'`{code}`' for code in codes)}"
    if unknown in Code.__members__:
        return f"remove `{unknown}`: it is an error, and only lints can be silenced"
    return did_you_mean(unknown, LINTS, f"remove `{unknown}`: there is no such lint")


def _unused_ignore_fix(ignore: Ignore, codes: list[str]) -> Fix | None:
    """Remove the codes from the comment, or the whole marker if no code is left.

    Return None if it names no code but continues with text that may be meant as one: `ignore[A`,
    `ignore A`.
    """
    left = [code for code in ignore.codes if code not in codes]
    if left:
        text = f"# codegen: ignore[{', '.join(left)}]"
        removed = " and ".join(f"`{code}`" for code in codes)
        return Fix(f"remove {removed} from the comment", (Edit(ignore.span, text),))
    source = ignore.span.source
    line = source.line_span(ignore.line)
    before = source.text[line.start : ignore.span.start]
    rest = source.text[ignore.span.end : line.end]
    reason = rest.strip().removeprefix(":").lstrip()
    if reason and not reason.startswith("#"):
        # Text written by the user. Without a `#` before it, it would no longer be a comment.
        edit = Edit(source.at(ignore.span.start, line.end), f"# {reason}")
        return Fix("remove the marker from the comment", (edit,)) if ignore.codes else None
    if reason:
        span = source.at(ignore.span.start, line.end - len(rest) + rest.index("#"))
    elif before.strip():
        span = source.at(line.start + len(before.rstrip(" \t")), line.end)
    else:  # the comment is alone on its line
        span = source.at(line.start, min(line.end + 1, len(source.text)))
    return Fix("remove the comment", (Edit(span, ""),))
