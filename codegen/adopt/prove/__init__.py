"""Prove findings: run a program with the user's own class for each of them.

prove(found, findings, {}, "src")
->    (Proof(finding, "confirmed", "wrong number: [-1.0] should be [-2.0]", program="import jax ..."), ...)

Each program runs in its own process, with a time limit, on the CPU and without network.
"""

from __future__ import annotations

import itertools
import os
import queue
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, Self

from msgspec import Struct, structs

from codegen.adopt.find.nodes import FoundClasses, SourceClass
from codegen.adopt.observe.run import ClassRecord, observe
from codegen.adopt.prove.objects import NotConstructible, ObjectBuilder
from codegen.adopt.prove.programs import (
    CALL,
    CONSTRUCT,
    OUTCOMES,
    RAISING,
    ProofProgram,
    iter_programs,
)
from codegen.adopt.soundness import UnsoundFinding

_RUN_S_MAX = 180
_TIMED_OUT = 124
_PROCESSES_MAX = 2
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_ERROR = re.compile(r"^[\w.]+(?:Error|Exception|Exit|Interrupt)\b.*", re.MULTILINE)
_SECONDS = re.compile(r"compiles again: ([\d.]+) s")


class Proof(Struct, frozen=True):
    """A finding, and the result of its program."""

    finding: UnsoundFinding
    status: Literal["confirmed", "not reproduced", "not tried"]
    result: str
    """The lines of the output that confirm it, or why it is not confirmed."""
    program: str = ""
    output: str = ""

    @property
    def cost(self) -> tuple[bool, int, float]:
        """A key that sorts the most costly proof first."""
        seconds = _SECONDS.match(self.result)
        # Only negative zeros give other numbers, so these are last.
        is_zero = self.finding.rule == "static number"
        return is_zero, _rank(self.result), -float(seconds[1]) if seconds else 0.0


def observe_arguments(
    found: FoundClasses, findings: Sequence[UnsoundFinding], command: Sequence[str]
) -> Mapping[str, ClassRecord]:
    """Run a command, and record how it constructs objects and calls jitted methods."""
    builder = ObjectBuilder(found, {})
    classes = dict(found.classes)
    named = {one.name.rpartition(".")[0] for one in findings if one.field == "self"}
    named |= {one.name for one in findings if one.rule == "coarse equality"}
    for name in {heir for one in named for heir in builder.subclasses(one)} - {*classes}:
        module, node = builder.definitions[name]
        classes[name] = SourceClass(
            name=node.name,
            module=module.name,
            path=module.path,
            line=node.lineno,
            node=node,
            library="static argument",
            fields=(),
            bases=(),
            options={"frozen": True},
        )
    return observe(structs.replace(found, classes=classes), command, has_arguments=True).classes


def prove(
    found: FoundClasses,
    findings: Sequence[UnsoundFinding],
    observed: Mapping[str, ClassRecord],
    root: str,
) -> tuple[Proof, ...]:
    """Return the proofs, the most costly first. Findings with the same program have one proof."""
    builder = ObjectBuilder(found, observed)
    unique = {
        tuple(sorted((one.name, one.other))) if one.other else one: one
        for one in reversed(findings)
    }
    with _Runners(root) as runners, ThreadPoolExecutor(_PROCESSES_MAX) as pool:
        proofs = pool.map(lambda one: _prove(one, builder, runners), reversed(unique.values()))
        return tuple(sorted(proofs, key=lambda one: one.cost))


class _Runners:
    """The processes that run programs; see `runner.py`."""

    def __init__(self, root: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="codegen-prove-")
        self._programs = itertools.count()
        self._free = queue.SimpleQueue[subprocess.Popen[str]]()
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH", "")])]
        settings = {
            "PYTHONPATH": os.pathsep.join(paths),
            "JAX_PLATFORMS": "cpu",
            "JAX_TRACEBACK_FILTERING": "off",
        }
        runner = os.path.join(_FOLDER, "runner.py")
        for _ in range(_PROCESSES_MAX):
            process = subprocess.Popen(  # noqa: S603 -- it runs the user's classes
                [sys.executable, "-W", "ignore", "-P", runner, str(_RUN_S_MAX)],
                env=os.environ | settings,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self._free.put(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for _ in range(_PROCESSES_MAX):
            process = self._free.get()
            process.communicate()
        self._folder.cleanup()

    def run(self, text: str) -> ProgramRun:
        """Run a program."""
        path = os.path.join(self._folder.name, f"program{next(self._programs)}.py")
        _write_text(path, text)
        process = self._free.get()
        try:
            assert process.stdin is not None, "it is a pipe"
            assert process.stdout is not None, "it is a pipe"
            process.stdin.write(f"{path}\n")
            process.stdin.flush()
            status = process.stdout.readline().strip()
        finally:
            self._free.put(process)
        return ProgramRun(
            path, int(status or 1), _read_text(f"{path}.out"), _read_text(f"{path}.err")
        )


class ProgramRun(Struct, frozen=True):
    """The result of a program."""

    path: str
    status: int
    output: str
    errors: str


def _write_text(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _read_text(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _prove(finding: UnsoundFinding, builder: ObjectBuilder, runners: _Runners) -> Proof:
    """Run programs until one confirms the finding."""
    proof = Proof(finding, "not tried", "there is no program for it")
    try:
        for program in iter_programs(finding, builder):
            last = _judge(finding, program, runners.run(program.text))
            if last.status == "confirmed":
                return last
            if proof.status == "not tried":
                proof = last
    except NotConstructible as error:
        return proof if proof.program else Proof(finding, error.status, str(error))
    return proof


def _judge(finding: UnsoundFinding, program: ProofProgram, done: ProgramRun) -> Proof:
    output, step, error = done.output, "", ""
    if done.status == _TIMED_OUT:
        error = f"the program needs more than {_RUN_S_MAX} s"
    elif done.status:
        errors = _ERROR.findall(done.errors) or done.errors.strip().splitlines()
        error = errors[-1] if errors else f"exit status {done.status}"
        step = _failed_step(program.text, done.errors, done.path)
        if step in RAISING:
            output += f"raises {error}\n"
    confirming = [one for one in output.splitlines() if one.startswith(OUTCOMES)]
    if confirming:
        result = "; ".join(sorted(confirming, key=_rank))
        return Proof(finding, "confirmed", result, program.text, output)
    is_guess = step == CONSTRUCT or not step or (step == CALL and program.guesses_call)
    if error and is_guess:
        return Proof(finding, "not tried", error, program.text, output)
    result = f"this is refused: {error}" if error else "the results are right"
    return Proof(finding, "not reproduced", result, program.text, output)


def _rank(line: str) -> int:
    return next((i for i, one in enumerate(OUTCOMES) if line.startswith(one)), len(OUTCOMES))


def _failed_step(text: str, trace: str, path: str) -> str:
    """Return the comment above the line of a program that raised; empty if it is in the head."""
    lines = re.findall(rf'File "{re.escape(path)}", line (\d+), in <module>', trace)
    above = text.splitlines()[: int(lines[0])] if lines else []
    return next((one for one in reversed(above) if one.startswith("# ")), "")


def confirmed_findings(proofs: Sequence[Proof]) -> list[UnsoundFinding]:
    """Return the findings that a program confirmed, with the program."""
    return [
        structs.replace(one.finding, example=one.program)
        for one in proofs
        if one.status == "confirmed"
    ]


def proof_lines(proofs: Sequence[Proof]) -> Iterator[str]:
    """Yield the report for a terminal: the counts, confirmed findings, and a line for each other."""
    confirmed = [one for one in proofs if one.status == "confirmed"]
    others = [one for one in proofs if one.status != "confirmed"]
    tried = sum(one.status == "not reproduced" for one in others)
    yield (
        f"{len(proofs)} findings: {len(confirmed)} confirmed, {tried} not reproduced, "
        f"{len(others) - tried} not tried"
    )
    for one in (*confirmed, *others):
        where = one.finding
        yield f"{where.path}:{where.line}: {one.status}: {where.rule}, `{_subject(where)}`: {one.result}"
    for one in confirmed:
        yield format_issue(one)


def _subject(finding: UnsoundFinding) -> str:
    return f"{finding.name}.{finding.field}" if finding.field else finding.name


def format_issue(proof: Proof) -> str:
    """Return a confirmed finding as Markdown for an issue: title, program, output, reason, change."""
    finding = proof.finding
    return (
        f"\n## `{_subject(finding)}`: {proof.result}\n\n"
        f"```python\n{proof.program}```\n\n"
        f"Output:\n\n```text\n{proof.output}```\n\n"
        f"Reason ({finding.path}:{finding.line}): {finding.why}.\n\n"
        f"What to change: write {finding.instead}."
    )
