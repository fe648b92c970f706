"""Prove findings: run a program with the user's own class for each of them.

prove(found, findings, {}, "src", print)
->    (Proof(finding, "confirmed", "wrong number: [-1.0] should be [-2.0]", program="import jax ..."), ...)

Each program runs in its own process, with a time limit, on the CPU and without network.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from codegen.adopt.find.nodes import FoundClasses
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
_RUN_WITHOUT_NETWORK = """\
import runpy, sys

def refuse(event, _):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise OSError("programs of `codegen adopt --prove` have no network")

sys.addaudithook(refuse)
runpy.run_path(sys.argv[1], run_name="__main__")
"""
_ERROR = re.compile(r"^[\w.]+(?:Error|Exception|Exit|Interrupt)\b.*", re.MULTILINE)
_SECONDS = re.compile(r"compiles again: ([\d.]+) s")
_TITLES = {
    "wrong number": "gives a wrong number",
    "change ignored": "is changed, and the change is ignored",
    "wrong class": "becomes the wrong class",
    "shared": "has a default that all objects share",
    "raises": "raises an error",
    "compiles again": "compiles again for an equal copy",
    "starts JAX": "starts JAX when it is imported",
}
"""The title of an issue, by outcome."""


class Proof(Struct, frozen=True):
    """The findings of one rule about one class, and the result of their programs."""

    finding: UnsoundFinding
    """The finding that is confirmed, or else the first."""
    status: Literal["confirmed", "not reproduced", "not tried"]
    result: str
    """The lines of the output that confirm it, or why it is not confirmed."""
    program: str = ""
    output: str = ""
    others: tuple[str, ...] = ()
    """The other fields or methods of the class with such a finding."""

    @property
    def cost(self) -> tuple[bool, int, float]:
        """A key that sorts the most costly proof first."""
        seconds = _SECONDS.match(self.result)
        # Only negative zeros give other numbers, so these are last.
        is_zero = self.finding.rule == "static number"
        return is_zero, _rank(self.result), -float(seconds[1]) if seconds else 0.0

    @property
    def line(self) -> str:
        """The line for a terminal."""
        one = self.finding
        what = f"`{one.name}.{one.field}`" if one.field not in ("", "self") else f"`{one.name}`"
        also = f" (also {', '.join(f'`{other}`' for other in self.others)})" if self.others else ""
        return f"{one.path}:{one.line}: {self.status}: {one.rule}, {what}{also}: {self.result}"


def observe_arguments(
    found: FoundClasses, findings: Sequence[UnsoundFinding], command: Sequence[str]
) -> Mapping[str, ClassRecord]:
    """Run a command, and record how it constructs objects and calls jitted methods."""
    builder = ObjectBuilder(found, {})
    named = {one.name.rpartition(".")[0] for one in findings if one.field == "self"}
    named |= {one.name for one in findings if one.rule == "coarse equality"}
    others = {heir for one in named for heir in builder.subclasses(one)}
    return observe(found, command, others=others, has_arguments=True).classes


def prove(
    found: FoundClasses,
    findings: Sequence[UnsoundFinding],
    observed: Mapping[str, ClassRecord],
    root: str,
    progress: Callable[[str], None],
) -> tuple[Proof, ...]:
    """Return the proofs, the most costly first, and one for each class and rule.

    `progress` gets a line when a proof ends.
    """
    builder = ObjectBuilder(found, observed)
    groups: dict[tuple[str, ...], list[UnsoundFinding]] = {}
    for one in findings:
        groups.setdefault(_group(one), []).append(one)
    with (
        tempfile.TemporaryDirectory(prefix="codegen-prove-") as folder,
        ThreadPoolExecutor(_PROCESSES_MAX) as pool,
    ):
        programs = _Programs(folder, root)
        proofs = [pool.submit(_prove_group, one, builder, programs) for one in groups.values()]
        for count, done in enumerate(as_completed(proofs), start=1):
            progress(f"{count}/{len(proofs)} {done.result().line}")
        return tuple(sorted((one.result() for one in proofs), key=lambda one: one.cost))


def _group(finding: UnsoundFinding) -> tuple[str, ...]:
    """Return what all findings with the same reason share: the rule and the class or classes."""
    owner = finding.name.rpartition(".")[0] if finding.field == "self" else finding.name
    return (finding.rule, *sorted(filter(None, (owner, finding.other))))


class ProgramRun(Struct, frozen=True):
    """The result of a program."""

    path: str
    status: int
    output: str
    errors: str


class _Programs:
    """Runs programs in the user's interpreter; `root` is the folder that contains the package."""

    def __init__(self, folder: str, root: str) -> None:
        self._folder = folder
        self._count = itertools.count()
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH", "")])]
        self._environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(paths),
            "JAX_PLATFORMS": "cpu",
            "JAX_TRACEBACK_FILTERING": "off",
        }

    def run(self, text: str) -> ProgramRun:
        """Run a program."""
        path = os.path.join(self._folder, f"program{next(self._count)}.py")
        Path(path).write_text(text, encoding="utf-8")
        words = [sys.executable, "-W", "ignore", "-P", "-c", _RUN_WITHOUT_NETWORK, path]
        try:
            done = subprocess.run(  # noqa: S603 -- it runs the user's classes
                words,
                env=self._environment,
                cwd=self._folder,
                capture_output=True,
                timeout=_RUN_S_MAX,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            return ProgramRun(path, _TIMED_OUT, (error.stdout or b"").decode(errors="replace"), "")
        output, errors = (one.decode(errors="replace") for one in (done.stdout, done.stderr))
        return ProgramRun(path, done.returncode, output, errors)


def _prove_group(
    findings: Sequence[UnsoundFinding], builder: ObjectBuilder, programs: _Programs
) -> Proof:
    """Run programs until one confirms one of the findings."""
    tried: list[Proof] = []
    is_self = findings[0].field == "self"
    for finding in findings:
        proof = Proof(finding, "not tried", "there is no program for it")
        try:
            for program in iter_programs(finding, builder):
                last = _judge(finding, program, programs.run(program.text))
                is_first = proof.status == "not tried"
                proof = last if is_first or last.status == "confirmed" else proof
                if proof.status == "confirmed":
                    break
        except NotConstructible as error:
            proof = proof if proof.program else Proof(finding, error.status, str(error))
        tried.append(proof)
        if proof.status == "confirmed" and not is_self:
            break
    statuses = ("confirmed", "not reproduced", "not tried")
    # Of several methods, the most costly result counts, and another number more than another size.
    best = min(
        tried,
        key=lambda one: (
            statuses.index(one.status),
            _rank(one.result),
            "numbers should" in one.result,
        ),
    )
    names = [one.name.rpartition(".")[2] if is_self else one.field for one in findings]
    own = best.finding.name.rpartition(".")[2] if is_self else best.finding.field
    others = dict.fromkeys(one for one in names if one not in ("", own))
    return structs.replace(best, others=tuple(others))


def _judge(finding: UnsoundFinding, program: ProofProgram, done: ProgramRun) -> Proof:
    output, step, error = done.output, "", ""
    if done.status == _TIMED_OUT:
        error = f"the program needs more than {_RUN_S_MAX} s"
    elif done.status:
        errors = _ERROR.findall(done.errors) or done.errors.strip().splitlines()
        error = errors[-1] if errors else f"exit status {done.status}"
        step = _failed_step(program.text, done)
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


def _failed_step(text: str, done: ProgramRun) -> str:
    """Return the comment above the line of a program that raised; empty if it is in the head."""
    lines = re.findall(rf'File "{re.escape(done.path)}", line (\d+), in <module>', done.errors)
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
    yield from (one.line for one in (*confirmed, *others))
    yield from map(format_issue, confirmed)


def format_issue(proof: Proof) -> str:
    """Return a confirmed finding as Markdown for an issue: title, program, output, reason, change."""
    finding = proof.finding
    full_names = [one for one in (finding.name, finding.other) if one]
    short = [one.rpartition(".")[2] for one in full_names]
    names = short if len({*short}) == len(short) else full_names
    if finding.field == "self":
        names = [".".join(finding.name.split(".")[-2:])]
    elif finding.field:
        names = [f"{names[0]}.{finding.field}"]
    outcome = _TITLES[OUTCOMES[_rank(proof.result)]]
    if finding.other:
        outcome = "are taken for each other"
    elif finding.field == "self" and proof.result.startswith("change ignored"):
        outcome = "ignores a changed attribute"
    also = f" The same is true for {', '.join(f'`{one}`' for one in proof.others)}." * bool(
        proof.others
    )
    return (
        f"\n## {' and '.join(f'`{one}`' for one in names)} {outcome}\n\n"
        f"```python\n{proof.program}```\n\n"
        f"Output:\n\n```text\n{proof.output}```\n\n"
        f"Reason ({finding.path}:{finding.line}): {finding.why}.\n\n"
        f"What to change: write {finding.instead}.{also}"
    )
