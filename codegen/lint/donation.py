"""Lints about donation, and the arrays that a type contains."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from codegen.check.facts import may_hold_array
from codegen.check.uses import type_uses
from codegen.diagnostics import Code, Diagnostic, Related
from codegen.lint.linting import Linting
from codegen.program import types
from codegen.program.graph import reachable
from codegen.program.nodes import Function, Parameter, Program
from codegen.program.text import type_text
from codegen.program.types import Ref, Type
from codegen.schema.vocabulary import RANK_MAX


class ArrayLeaf(Struct, frozen=True):
    """The dtype and rank of one array.

    leaves(program, <Plate>, only_donated=True)    ->    KnownArrays({ArrayLeaf("float32", 2)})
    """

    dtype: str  # NumPy's name, "key", or a kind. Example: "float32", "Float"
    rank: int | None  # number of axes; None: any

    def may_replace(self, other: ArrayLeaf) -> bool:
        """Return whether one array may take the other's buffer, judging by dtype and rank only."""
        is_kind = self.dtype[0].isupper() or other.dtype[0].isupper()
        same_rank = self.rank is None or other.rank is None or self.rank == other.rank
        return same_rank and (is_kind or self.dtype == other.dtype)


class KnownArrays(Struct):
    """The known arrays of a type, and whether it may contain other, unknown arrays."""

    known: set[ArrayLeaf] = msgspec.field(default_factory=set[ArrayLeaf])
    is_open: bool = False


def leaves(program: Program, type: Type, *, only_donated: bool) -> KnownArrays:
    """Return the arrays that a type contains. `only_donated` keeps those on fully donated paths."""
    arrays = KnownArrays()
    roles = ("donated",) if only_donated else ("donated", "dynamic")

    def classes(type: Type, axes: int) -> Iterator[tuple[Ref, int]]:
        """Record the arrays of a type; `axes` is the number of axes that enclosing stacks add."""
        for part in types.iter_held(type):
            if isinstance(part, types.Array):
                is_any = any(isinstance(dim, types.AnyDims | types.Batch) for dim in part.shape)
                arrays.known.add(ArrayLeaf(part.dtype, None if is_any else axes + len(part.shape)))
            elif isinstance(part, types.Anything | types.External | types.TypeParameter):
                arrays.is_open = True
            elif isinstance(part, types.ClassType):
                # Recursive classes never end, so the rank is capped.
                inner = min(axes + len(part.stacked), RANK_MAX)
                below = program.graph.subclasses(part.ref)
                yield from ((ref, inner) for ref in (part.ref, *below))

    def inside(place: tuple[Ref, int]) -> Iterator[tuple[Ref, int]]:
        ref, axes = place
        for one in program.classes[ref].fields:
            if one.role in roles:
                yield from classes(one.type, axes)

    reachable(classes(type, 0), inside)
    return arrays


def donates_nothing(linting: Linting) -> Iterator[Diagnostic]:
    """Report each donated field or parameter whose type has no buffer to consume.

    grid: donated[Particles]    ->    DONATES_NOTHING: no field of `Particles` is donated
    """
    donating = {
        ref
        for ref in linting.program.classes
        if {ref, *linting.program.graph.subclasses(ref)} & linting.facts.donating
    }
    for place in type_uses(linting.program):
        if place.role != "donated" or may_hold_array(place.type, donating.__contains__):
            continue
        refs = sorted({*types.class_refs(place.type)})
        names = " or ".join(f"`{ref.name}`" for ref in refs)
        yield linting.warn(
            Code.DONATES_NOTHING,
            place.role_span,
            f"{place.description} is donated, but {names} has no donated field",
            label="no memory can be reused",
            advice=f"write `dynamic[...]`, or declare fields of {names} as `donated`",
            fix=linting.other_role(place, "dynamic"),
        )


def forgotten_donation(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dynamic argument of a class with donated fields that the function also returns.

    def step(plate: dynamic[Plate]) -> Plate    ->    FORGOTTEN_DONATION
    """
    for function in linting.program.functions:
        returned = {*types.class_refs(function.returns)} & linting.facts.donating
        for parameter in function.parameters:
            if parameter.role == "donated":
                returned -= {*types.class_refs(parameter.type)}
        for parameter in function.parameters:
            type = parameter.type
            if (
                parameter.role != "dynamic"
                or not isinstance(type, types.ClassType)
                or type.ref not in returned
            ):
                continue
            yield linting.warn(
                Code.FORGOTTEN_DONATION,
                parameter.role_span,
                f"`{function.name}` takes and returns `{type.ref.name}`, but does not consume the old "
                "object",
                label="the old and the new object are in memory together",
                advice=f"write `donated[{type_text(type)}]`, unless callers use the old object after "
                "the call",
            )


def never_donated(linting: Linting) -> Iterator[Diagnostic]:
    """Report each donated field that functions reach, but never through a fully donated path.

    u: donated[f32[nx]]    with only    def energy(plate: dynamic[Plate])    ->    NEVER_DONATED
    """
    reach = linting.reach
    if reach.anything_is_donated:
        return
    for ref, node in linting.program.classes.items():
        for field in node.own_fields:
            place = (ref, field.name)
            if field.role != "donated" or place not in reach.reached - reach.consumed:
                continue
            if may_hold_array(field.type, linting.facts.donating.__contains__):
                yield linting.warn(
                    Code.NEVER_DONATED,
                    field.role_span,
                    f"the field `{field.name}` is donated, but no function consumes it",
                    label="every function keeps the old value",
                    advice="if a function should reuse the memory, declare its parameter and every "
                    f"field on the path to `{field.name}` as `donated`. If no function should, write "
                    f"`dynamic[{type_text(field.type)}]`",
                )


def unusable_donation(linting: Linting) -> Iterator[Diagnostic]:
    """Report each donated argument that has no buffer that fits an array of the result.

    def energy(plate: donated[Plate]) -> f32    ->    UNUSABLE_DONATION
    """
    for function in linting.program.functions:
        for parameter in function.parameters:
            if parameter.role != "donated" or not _is_unusable(linting, function, parameter):
                continue
            type, result = type_text(parameter.type), function.returns.span
            no_array = Related(result, "no array here has the same dtype and rank")
            yield linting.warn(
                Code.UNUSABLE_DONATION,
                parameter.role_span,
                f"`{function.name}` consumes `{parameter.name}`, but its result has no array "
                "that could reuse a buffer",
                label="no buffer can be reused",
                advice=f"write `dynamic[{type}]`, or return the new `{type}`",
                related=(no_array,),
            )


def _is_unusable(linting: Linting, function: Function, parameter: Parameter) -> bool:
    donated = leaves(linting.program, parameter.type, only_donated=True)
    result = leaves(linting.program, function.returns, only_donated=False)
    if donated.is_open or result.is_open or not donated.known:
        return False
    return not any(one.may_replace(other) for one in result.known for other in donated.known)
