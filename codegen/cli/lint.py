"""`codegen lint`: report legal code in the schemas that is likely a mistake.

    $ codegen lint
    warning[UNUSED_DIMENSION]: the dimension `nz` is declared but never used
    ...
    $ codegen lint --fix
    schemas/heat.pyi: remove the dimension `nz`
    checked 3 modules: no warnings, 1 fixed in 0.06 s

The exit status is 1 if a diagnostic is left. The options `--select` and `--ignore` choose the
lints. An option that is not given takes its value from the setting with the same name:

    [tool.codegen]
    select = ["ALL"]
    ignore = ["UNUSED_DIMENSION"]

`ALL` means every lint. It is the default.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import perf_counter

from codegen import pipeline
from codegen.cli import settings
from codegen.cli.arguments import words_of
from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.cli.project import Project, add_root, counted, since, sources
from codegen.diagnostics import Code, Report
from codegen.diagnostics.codes import REMOVED
from codegen.diagnostics.suggest import did_you_mean
from codegen.lint.fix import fix
from codegen.lint.lint import LINTS
from codegen.lint.linting import Python
from codegen.output import system
from codegen.output.schemas import Schema
from codegen.output.write import rewrite

HELP = "report likely mistakes in valid schemas"
EXAMPLE = "codegen lint --ignore SWEPT_STATIC --fix"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `lint`."""
    add_root(parser)
    parser.add_argument("--fix", action="store_true", help="apply all safe fixes to the schemas")
    parser.add_argument(
        "--select",
        metavar="CODES",
        help="lints to run, separated by commas: codes of lints, or ALL (default: ALL)",
    )
    parser.add_argument("--ignore", metavar="CODES", help="lints to skip, separated by commas")


def run(arguments: Namespace, console: Console) -> int:
    """Lint; return 1 if a diagnostic is left."""
    started = perf_counter()
    project = Project.of(arguments, has_output=False)
    words = {name: _words(name, arguments, project) for name in ("select", "ignore")}
    chosen = _chosen("select", arguments, words) - _chosen("ignore", arguments, words)
    if arguments.fix:
        project.keep_inside("schema", project.root)
    schemas = sources(project)
    for notice in _removed_lints(words, schemas):
        console.status(notice)
    fixed = 0
    if arguments.fix:
        report, fixed = _fix(schemas, project, chosen, console)
    else:
        report = pipeline.lint(schemas, project.options, chosen, _python(project))
    console.report(report)
    if report.has_errors:
        return 1
    summary = counted(len(report), "warning") if report else "no warnings"
    done = f", {fixed} fixed" if arguments.fix else ""
    console.status(
        f"checked {counted(len(schemas), 'module')}: {summary}{done} in {since(started)}"
    )
    return 1 if report else 0


def _python(project: Project) -> Python:
    return lambda module: system.python_source(module, project.base)


def _fix(
    schemas: list[Schema], project: Project, chosen: frozenset[Code], console: Console
) -> tuple[Report, int]:
    """Apply the fixes and write the files; return the remaining report and the number of fixes."""
    python = _python(project)
    fixed = fix(schemas, lambda files: pipeline.lint(files, project.options, chosen, python))
    for (path, _, before), (_, _, after) in zip(schemas, fixed.files, strict=True):
        if before != after:
            rewrite(path, before, after)
    for path, message in fixed.done:
        console.status(f"{path}: {message}")
    for path, message in fixed.not_applied:
        console.status(f"{path}: not fixed, because the fix would cause an error: {message}")
    return fixed.report, len(fixed.done)


# --- which lints

_IGNORE = re.compile(rb"#\s*codegen:\s*ignore\[([^\]\n]*)")
_WORD = re.compile(rb"\w+")
# Version 1.0.0rc1 had lints that did not run by default.
_GROUPS = {"ALL": LINTS, "DEFAULT": LINTS}


def _words(option: str, arguments: Namespace, project: Project) -> Sequence[str]:
    """Return the words of an option or, if it is not given, of the setting with its name."""
    words = getattr(arguments, option)
    if words is not None:
        return words_of(words)
    default = ("ALL",) if option == "select" else ()
    configured: tuple[str, ...] | None = getattr(project.settings, option)
    return default if configured is None else configured


def _chosen(
    option: str, arguments: Namespace, words: Mapping[str, Sequence[str]]
) -> frozenset[Code]:
    """Return the lints that an option or a setting names.

    Raises:
        Failure: if an argument names an unknown code.
        BadSettings: if a setting does.
    """
    codes: frozenset[Code] = frozenset()
    for word in words[option]:
        if word in _GROUPS:
            codes |= _GROUPS[word]
        elif word in LINTS:
            codes |= {Code[word]}
        elif word in REMOVED:
            continue
        elif getattr(arguments, option) is None:
            raise settings.refusal(
                option, word, f"`{word}` in `{option}` is not a lint", _word_help(word)
            )
        else:
            raise Failure(f"`{word}` in `--{option}` is not a lint; {_word_help(word)}")
    return codes


def _removed_lints(words: Mapping[str, Sequence[str]], files: Iterable[Schema]) -> Iterator[str]:
    """Yield a notice for each removed lint that an option, a setting or a comment names."""
    for option, named in words.items():
        yield from (_notice(f"`{option}`", word) for word in named if word in REMOVED)
    for path, _, data in files:
        ignored = {
            word.decode() for codes in _IGNORE.findall(data) for word in _WORD.findall(codes)
        }
        yield from (_notice(path, word) for word in sorted(ignored & REMOVED.keys()))


def _notice(place: str, word: str) -> str:
    return f"{place} names `{word}`, which was removed: delete the name"


def _word_help(word: str) -> str:
    """Return what to write instead of a word that is not a lint."""
    if word in Code.__members__:
        return f"`{word}` is an error, and is always reported"
    return did_you_mean(word, [*LINTS, *_GROUPS], "`codegen explain` lists all codes")
