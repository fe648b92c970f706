"""Run the stages of `codegen adopt` in order, and write the result.

    adopt(AdoptOptions("src/heat", "schemas", "src/heat/_generated", is_rewritten=True))
    ->  AdoptResult(0, ("heat: 12 pytree classes, ...",))

All results are computed in memory first. Then all files are written. If a write fails, all files
are restored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct, json, structs, to_builtins

from codegen import pipeline
from codegen.adopt import report
from codegen.adopt.decide.refusals import (
    Refusals,
    add_dicts,
    exclude_mixins,
    find_mixins,
    find_refusals,
    unseen_lines,
)
from codegen.adopt.decide.schemas import AdoptSettings, Evidence
from codegen.adopt.find.classes import find_classes
from codegen.adopt.find.nodes import FoundClasses, SourceClass
from codegen.adopt.find.package import import_root
from codegen.adopt.find.reasons import refusal
from codegen.adopt.observe.run import (
    Observation,
    RunComparison,
    compare_runs,
    observe,
    read_imported_values,
)
from codegen.adopt.prove import confirmed_findings, observe_arguments, proof_lines, prove
from codegen.adopt.solve import Solution, refuse_first, solve
from codegen.adopt.soundness import UnsoundFinding, find_unsound
from codegen.options import Options, containing_package
from codegen.output.findings import file_diff
from codegen.output.plan import plan
from codegen.output.schemas import schemas
from codegen.output.snapshot import snapshot
from codegen.output.transaction import (
    FileChange,
    FilesToWrite,
    Output,
    journal,
    restore_files,
    sigterm_as_exception,
    undo_interrupted,
    write_files,
)
from codegen.output.write import overwrite

_RUNS_DIFFER = (
    "nothing was adopted, because the two runs differ. `--leave NAME` skips a class and its family:"
)
_ROUNDS_MAX = 5
_JOURNAL = ".codegen-adopt"
"""The file in the schema folder that exists while files are written."""


class AdoptOptions(Struct, frozen=True):
    """The options of the command."""

    src: str
    schemas: str = ""
    out: str = ""
    report: str = ""
    command: tuple[str, ...] = ()
    """The command to observe; empty if there is none."""
    observed_file: str = ""
    """A file that `codegen observe` wrote, instead of a command."""
    is_rewritten: bool = False
    is_dry_run: bool = False
    is_observed: bool = False
    has_shapes: bool = False
    """Whether to declare dimensions that agreed."""
    accepts_unseen: bool = False
    """Whether lines that did not run, and whose object can be anything, leave the exit status at 0."""
    excluded: tuple[str, ...] = ()
    """The classes not to adopt."""
    reads_imported: bool = True
    is_proved: bool = False
    """Whether to run a program for each finding, and nothing else."""


class AdoptResult(Struct, frozen=True):
    """The exit status, and the lines to print."""

    status: int
    lines: tuple[str, ...]
    diff: str = ""
    adopted: Mapping[str, SourceClass] = {}
    compared: RunComparison | None = None
    """The comparison of the second run; None if there was none."""


def adopt(options: AdoptOptions, progress: Callable[[str], None] = lambda _: None) -> AdoptResult:
    """Find, check, decide, write and verify; `progress` gets lines about what was done.

    Raises:
        ValueError: the classes cannot be adopted; its text explains it to the user.
        OSError: a file cannot be read or written.
    """
    if not os.path.exists(options.src):
        raise ValueError(f"`{options.src}` does not exist: give the folder of a package")
    if options.is_rewritten and find_spec("libcst") is None:
        raise ValueError("`--rewrite` needs libcst: run `pip install 'pytree-codegen[adopt]'`")
    if options.schemas:
        _undo_interrupted(options, progress)
    found = find_classes(options.src)
    if not found.modules and not found.unread:
        raise ValueError(f"no Python module in `{options.src}`: give the folder of a package")
    findings = find_unsound(found)
    if not options.schemas:
        return _report_findings(options, found, findings, progress)
    if options.observed_file:
        seen: Observation | None = Observation.load(options.observed_file)
    else:
        seen = observe(found, options.command) if options.is_observed else None
    root = import_root(_folder_of(options.src))
    values = read_imported_values(found, root) if options.reads_imported else {}
    created = {name for name, one in seen.classes.items() if one.objects} if seen else set[str]()
    mixins = find_mixins(found, {*created, *options.excluded}) if options.is_rewritten else {}
    evidence = Evidence(seen=seen, values=values)
    candidates = add_dicts(exclude_mixins(found, mixins), seen)
    return _adopt_in_rounds(
        _Package(options, found, findings, evidence, _settings(options), candidates, progress)
    )


class _Package(Struct, frozen=True):
    """The facts about a package that are the same in all rounds."""

    options: AdoptOptions
    found: FoundClasses
    findings: tuple[UnsoundFinding, ...]
    evidence: Evidence
    settings: AdoptSettings
    candidates: FoundClasses
    """The classes without those that stay plain bases."""
    progress: Callable[[str], None]
    """Gets lines about what was done."""


def _adopt_in_rounds(package: _Package) -> AdoptResult:
    """Adopt all classes, without those that a difference of the second run is about.

    If a difference names no class, each round leaves half of the suspects, as in a binary search.
    """
    failed: Refusals = {}
    tried: Refusals = {}
    suspects: tuple[str, ...] = ()
    compared: RunComparison | None = None
    difference = ""
    passed: tuple[Refusals, RunComparison] | None = None
    for _ in range(_ROUNDS_MAX):
        done = _adopt_once(package, failed | tried, is_trial=bool(tried))
        compared = done.compared
        if compared is None or not (tried or compared.differences):
            return done
        if new := _refuse_differing(done.adopted, compared):
            failed, tried, suspects = failed | new, {}, ()
            continue
        if compared.differences:
            suspects = tuple(one for one in suspects or compared.suspects if one not in tried)
            difference = compared.differences[-1][1]
        else:
            passed, suspects = (failed | tried, compared), (*tried,)
        if not suspects or (not compared.differences and len(suspects) == 1):
            break
        half = suspects[: (len(suspects) + 1) // 2]
        tried = {
            name: (refusal("second run", package.found.classes[name].line, difference=difference),)
            for name in half
        }
    if passed:
        return _adopt_once(package, passed[0], compared=passed[1])
    return AdoptResult(1, (_RUNS_DIFFER, *(compared.lines() if compared else ())))


def _adopt_once(
    package: _Package,
    failed: Refusals,
    *,
    is_trial: bool = False,
    compared: RunComparison | None = None,
) -> AdoptResult:
    """Adopt the classes that are not refused; restore all files after a trial or a difference.

    `compared` is the comparison of an earlier trial with the same classes.
    """
    options, found, seen = package.options, package.candidates, package.evidence.seen
    refused = refuse_first(found, package.evidence, package.settings, options.excluded)
    solution = solve(found, failed | refused, package.evidence, package.settings)
    unseen = [*unseen_lines(found, seen, solution.adopted, is_rewritten=options.is_rewritten)]
    notes = (*solution.decision.notes, *unseen)
    result = _report(
        options, report.report_document(package.found, solution.refused, package.findings, notes)
    )
    result = structs.replace(result, status=int(bool(unseen) and not options.accepts_unseen))
    if not solution.files:
        return result
    work = _collect_work(options, found, solution, package.settings)
    if options.is_dry_run or not work.changes:
        diffs = (file_diff(one.path, one.before or b"", one.after) for one in work.changes)
        return structs.replace(result, diff="".join(diffs))
    with journal(os.path.join(options.schemas, _JOURNAL), (*work.schemas, *work.sources)):
        write_files(work, package.progress)
        if compared is None and options.is_rewritten and options.is_observed and seen is not None:
            compared = _compare(options, found, work, seen.of(solution.adopted))
            if is_trial or compared.differences:
                restore_files(work.changes)
    lines = _describe_next_steps(options, len(work.changes), compared)
    return AdoptResult(result.status, (*result.lines, *lines), "", solution.adopted, compared)


def _report_findings(
    options: AdoptOptions,
    found: FoundClasses,
    findings: tuple[UnsoundFinding, ...],
    progress: Callable[[str], None],
) -> AdoptResult:
    refused = find_refusals(add_dicts(found, None), None, is_rewritten=options.is_rewritten)
    if not options.is_proved:
        return _report(options, report.report_document(found, refused, findings))
    observed = observe_arguments(found, findings, options.command) if options.command else {}
    root = import_root(_folder_of(options.src))
    proofs = prove(found, findings, observed, root, progress)
    confirmed = confirmed_findings(proofs)
    document = report.report_document(found, refused, confirmed)
    _write_report(options, {**document, "proofs": to_builtins(proofs)})
    return AdoptResult(int(bool(confirmed)), tuple(proof_lines(proofs)))


def _refuse_differing(adopted: Mapping[str, SourceClass], compared: RunComparison) -> Refusals:
    """Refuse the classes that a difference between the runs is about, each with the first."""
    return {
        name: (refusal("second run", adopted[name].line, difference=text),)
        for name, text in reversed(compared.differences)
        if name in adopted
    }


def _folder_of(src: str) -> str:
    return os.path.dirname(os.path.abspath(src)) if os.path.isfile(src) else src


def _settings(options: AdoptOptions) -> AdoptSettings:
    holder = containing_package(options.out)
    last = os.path.basename(os.path.normpath(options.out))
    if not last.isidentifier():
        raise ValueError(
            f"`{options.out}` is not a valid name for a package: choose another `--out`"
        )
    return AdoptSettings(
        Options(options.schemas, options.out, holder=holder),
        f"{holder}.{last}" if holder else last,
        options.is_rewritten,
        options.has_shapes,
    )


def _collect_work(
    options: AdoptOptions, found: FoundClasses, solution: Solution, settings: AdoptSettings
) -> FilesToWrite:
    """Return every file to write: schemas, generated output, sources."""
    changes = [
        FileChange(path, Path(path).read_bytes() if os.path.exists(path) else None, data)
        for path, _, data in solution.files
    ]
    existing = [one.path for one in changes if one.before not in (None, one.after)]
    if existing:
        raise ValueError(
            f"`{existing[0]}` already exists with other content: delete it, or choose another `--schemas`"
        )
    # The existing schemas in the folder are part of the output too.
    other_schemas = schemas(options.schemas) if os.path.isdir(options.schemas) else []
    adopted_names = {name for _, name, _ in solution.files}
    files = (*solution.files, *(one for one in other_schemas if one[1] not in adopted_names))
    compiled = pipeline.compile(files, settings.options)
    if compiled.report:
        raise ValueError(
            f"the schemas in `{options.schemas}` have errors: run `codegen build` to see them"
        )
    paths = [one.path for one in compiled.rendered]
    output = Output(
        options.out, compiled.rendered, plan(compiled.rendered, snapshot(options.out, paths))
    )
    if output.plan.refusals:
        raise ValueError(
            f"`{options.out}` contains files that were edited or that no build wrote: choose another "
            "`--out`"
        )
    sources = _changed(_rewrite_sources(found, solution))
    folders = (options.schemas, _folder_of(options.src))
    return FilesToWrite(_changed(changes), output, sources, folders)


def _rewrite_sources(found: FoundClasses, solution: Solution) -> Iterator[FileChange]:
    if solution.rewrites:
        from codegen.adopt.rewrite import rewrite_source  # noqa: PLC0415 -- libcst is an extra

        for name, rewrite in solution.rewrites.items():
            module = found.modules[name]
            yield FileChange(module.path, module.data, rewrite_source(module.data, rewrite))


def _changed(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    return tuple(one for one in changes if one.before != one.after)


def _compare(
    options: AdoptOptions, found: FoundClasses, work: FilesToWrite, seen: Observation
) -> RunComparison:
    """Compare a second run with the first; restore the files if it cannot run."""
    try:
        with sigterm_as_exception():
            return compare_runs(seen, observe(found, options.command, options.out))
    except BaseException:
        restore_files(work.changes)
        raise


def _undo_interrupted(options: AdoptOptions, progress: Callable[[str], None]) -> None:
    """Restore the files of an earlier run that was killed. The build repairs its output itself."""
    path = os.path.join(options.schemas, _JOURNAL)
    if options.is_dry_run and os.path.lexists(path):
        raise ValueError(
            f"`codegen adopt` was interrupted (`{path}`): run it again first, without `--dry-run`"
        )
    folders = [os.path.abspath(one) for one in (_folder_of(options.src), options.schemas)]
    if os.path.lexists(path) and undo_interrupted(path, os.path.commonpath(folders)):
        progress("restored the files of an interrupted `codegen adopt`")


def _describe_next_steps(
    options: AdoptOptions, files: int, compared: RunComparison | None
) -> list[str]:
    lines = [f"wrote {files} files"]
    if options.is_rewritten:
        settings = f'root = "{options.schemas}", out = "{options.out}"'
        lines.append(f"for `codegen build`, write in [tool.codegen] of pyproject.toml: {settings}")
    if compared is not None:
        lines.append(f"compared {compared.objects} objects of both runs: no difference")
        if compared.unmatched:
            lines.append(
                f"{compared.unmatched} objects of the first run have no counterpart in the second run"
            )
    return lines


def _report(options: AdoptOptions, document: Mapping[str, object]) -> AdoptResult:
    _write_report(options, document)
    return AdoptResult(0, tuple(report.report_lines(document)))


def _write_report(options: AdoptOptions, document: Mapping[str, object]) -> None:
    if options.report:
        overwrite(options.report, json.format(json.encode(document)) + b"\n")
