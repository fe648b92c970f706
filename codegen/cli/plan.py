"""`codegen plan`: the memory of the objects of a class, from its schema, without a device.

$ codegen plan Plate --size nx=4096,ny=4096 --mesh rows=4,cols=2
heat.Plate on 8 devices
  u      donated  f32[4096,4096]  64.0 MiB  8.0 MiB/device  P("rows", "cols")
...
$ codegen plan Plate --size nx=4096,ny=4096 --against main
heat.Plate: 128 MiB -> 192 MiB
  + beta  dynamic  f32[4096,4096]  64.0 MiB
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from codegen import pipeline
from codegen.cli.arguments import words_of
from codegen.cli.breaking import earlier_stages
from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project, sources
from codegen.diagnostics.suggest import nearest
from codegen.memory import Plan, Sizes, mesh_axes, outermost_classes, plan
from codegen.program.nodes import Program
from codegen.program.types import Ref
from codegen.runtime.tables import Row, Table, aligned

HELP = "print the memory of a class's objects, from its schema"
EXAMPLE = "codegen plan Plate --size nx=4096,ny=4096 --mesh rows=4,cols=2"
# The words of each option, such as "batch=8x16" and "batch=", and an example for messages.
_PAIRS: Final = {
    "size": (re.compile(r"([^=\s]+)=((?:\d{1,18}(?:x\d{1,18})*)?)"), "nx=64"),
    "mesh": (re.compile(r"([^=\s]+)=([1-9]\d{0,8})"), "rows=4"),
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `plan`."""
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="a class, such as Plate or heat.Plate (default: every class that no other one holds)",
    )
    parser.add_argument("--root", metavar="DIR", help="the schema folder (default: schemas)")
    parser.add_argument(
        "--size",
        metavar="NAME=N,...",
        action="append",
        default=[],
        help="the size of each dimension, and the length of each tuple by its path; `batch=8x16` is "
        "for `*batch`, and `batch=` if it has no axes",
    )
    parser.add_argument(
        "--mesh",
        metavar="AXIS=N,...",
        action="append",
        default=[],
        help="the number of devices along each axis of a mesh",
    )
    parser.add_argument("--depth", metavar="N", type=int, help="print only so many levels")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--against",
        metavar="DIR|GIT_REF",
        help="print what changed since an earlier version: a folder of schemas, or a commit",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Print the tables, or what changed in them."""
    project = Project.of(arguments, has_output=False)
    stages = pipeline.run(sources(project), project.options, "checked")
    if stages.program is None or stages.report:
        raise Mistakes(stages.report)
    programs = [stages.program]
    if arguments.against is not None:
        old = earlier_stages(project, arguments.against, console)
        programs.append(old.program if old and old.program else Program(()))
    tables = _tables(programs, arguments)
    if arguments.against is None:
        (planned,) = tables
        found = [table.to_dict() for table in planned.values()]
        text = "\n\n".join(map(str, planned.values()))
    else:
        after, before = tables
        changed = [ref for ref in {**before, **after} if before.get(ref) != after.get(ref)]
        pairs = [(before.get(ref), after.get(ref)) for ref in changed]
        found = [{"before": a and a.to_dict(), "after": b and b.to_dict()} for a, b in pairs]
        text = "\n\n".join("\n".join(_difference(a, b)) for a, b in pairs)
        if not text:
            console.status(f"no class needs other memory than in `{arguments.against}`")
    if arguments.json:
        key = "classes" if arguments.against is None else "changes"
        text = json.dumps({key: found}, indent=2)
    console.text(f"{text}\n" if text else "")
    return 0


def _tables(programs: Sequence[Program], arguments: Namespace) -> list[dict[Ref, Table]]:
    """Return the tables of the chosen classes in each version of the schemas.

    Raises:
        Failure: a class, a size or an axis is unknown or missing, or does not fit.
    """
    known = sorted({ref for program in programs for ref in program.classes})
    chosen = [_class(name, known) for name in arguments.names]
    sizes = _pairs(arguments.size, "size")
    mesh = {name: math.prod(values) for name, values in _pairs(arguments.mesh, "mesh").items()}
    axes = {axis for program in programs for axis in mesh_axes(program)}
    _require_known(mesh, sorted(axes), "mesh axis")
    plans: list[dict[Ref, Plan]] = []
    for program in programs:
        refs = [ref for ref in chosen or outermost_classes(program) if ref in program.classes]
        plans.append({ref: plan(program, ref, sizes, mesh) for ref in refs})
    _require_sizes([one for each in plans for one in each.values()], sizes)
    depth = arguments.depth
    return [
        {ref: dataclasses.replace(one.table, depth=depth) for ref, one in each.items()}
        for each in plans
    ]


def _require_sizes(plans: Sequence[Plan], sizes: Sizes) -> None:
    needed = dict.fromkeys(name for one in plans for name in one.needed)
    _require_known(sizes, needed, "size")
    missing = {name: None for one in plans for name in one.needed if name not in sizes}
    if missing:
        names = {f"`{one.table.title}`": None for one in plans if {*one.needed} - {*sizes}}
        wanted = ",".join(f"{name}=N" for name in missing)
        raise Failure(f"sizes of {', '.join(names)} are missing: add `--size {wanted}`")
    for one in plans:
        for fault in one.faults:
            raise Failure(f"`{one.table.title}`: {fault}")


def _pairs(words: Sequence[str], option: str) -> dict[str, tuple[int, ...]]:
    pattern, example = _PAIRS[option]
    pairs: dict[str, tuple[int, ...]] = {}
    for word in words_of(",".join(words)):
        found = pattern.fullmatch(word)
        if found is None:
            what = "is not a name and a whole number"
            raise Failure(f"`{word}` in `--{option}` {what}, as in `{example}`")
        if found[1] in pairs:
            raise Failure(f"`--{option}` has `{found[1]}` twice; remove one of the two")
        pairs[found[1]] = tuple(map(int, filter(None, found[2].split("x"))))
    return pairs


def _class(name: str, known: Sequence[Ref]) -> Ref:
    """Return the class with a name, with or without its module."""
    found = [ref for ref in known if name in (ref.name, str(ref))]
    if not found:
        raise Failure(f"no class is called `{name}`; {nearest(name, [ref.name for ref in known])}")
    if len(found) > 1:
        raise Failure(f"several classes are called `{name}`: {', '.join(map(str, found))}")
    return found[0]


def _require_known(names: Collection[str], known: Collection[str], what: str) -> None:
    for name in names:
        if name not in known:
            advice = nearest(name, known) if known else "they have none"
            raise Failure(f"`{name}` is not a {what} of these classes; {advice}")


# --- differences


def _difference(before: Table | None, after: Table | None) -> Iterator[str]:
    """Yield the lines that show how the arrays of a class have changed."""
    old, new = ({row.path: row for row in table.rows} if table else {} for table in (before, after))
    table = after or before
    assert table is not None, "one version has the class"
    yield f"{table.title}: {_total(before)} -> {_total(after)}"
    cells: list[tuple[str, ...]] = []
    for path in {**old, **new}:
        first, second = old.get(path), new.get(path)
        if first != second:
            sign = "-" if second is None else "+" if first is None else "~"
            pairs = zip(_cells(table, first or second), _cells(table, second or first), strict=True)
            texts = (a if a == b else f"{a} -> {b}" for a, b in pairs)
            cells.append((f"  {sign} {path}", *texts))
    yield from aligned(cells)


def _cells(table: Table, row: Row | None) -> tuple[str, ...]:
    assert row is not None, "one version has the array"
    return (row.role, str(row), *table.amounts([row]))


def _total(table: Table | None) -> str:
    return ", ".join(table.amounts(table.rows)) if table else "nothing"
