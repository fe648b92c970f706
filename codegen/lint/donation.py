"""Lints about donation, and the arrays that a type contains."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from codegen.check.facts import may_hold_array
from codegen.check.uses import type_uses
from codegen.diagnostics import Code, Diagnostic, Related
from codegen.lint.linting import Linting
from codegen.program import types
from codegen.program.graph import reachable
from codegen.program.nodes import Function, Parameter, Program
from codegen.program.types import Ref, Type
from codegen.schema.vocabulary import RANK_MAX, TRACED, Role


class ArrayLeaf(Struct, frozen=True):
    """The dtype and rank of one array.

    leaves(program, <Plate>, "donated")    ->    {ArrayLeaf("float32", 2)}
    """

    dtype: str  # NumPy's name, "key", or a kind. Example: "float32", "Float"
    rank: int | None  # number of axes; None: any

    def may_replace(self, other: ArrayLeaf) -> bool:
        """Return whether one array may take the other's buffer, judging by dtype and rank only."""
        is_kind = self.dtype[0].isupper() or other.dtype[0].isupper()
        same_rank = self.rank is None or other.rank is None or self.rank == other.rank
        return same_rank and (is_kind or self.dtype == other.dtype)


def leaves(program: Program, type: Type, *roles: Role) -> set[ArrayLeaf] | None:
    """Return the arrays that a type contains in fields with these roles; None if any array may be
    among them.
    """

    def inside(place: tuple[Type, int]) -> Iterator[tuple[Type, int]]:
        """Yield the types inside a type, each with the number of axes that stacks add."""
        part, axes = place
        yield from ((inner, axes) for inner in part.held)
        if isinstance(part, types.ClassType):
            # Recursive classes never end, so the rank is capped.
            axes = min(axes + len(part.stacked), RANK_MAX)
            for ref in (part.ref, *program.graph.subclasses(part.ref)):
                fields = program.classes[ref].fields
                yield from ((field.type, axes) for field in fields if field.role in roles)

    arrays: set[ArrayLeaf] = set()
    for part, axes in reachable([(type, 0)], inside):
        if isinstance(part, types.Anything | types.External | types.TypeParameter):
            return None
        if isinstance(part, types.Array):
            is_any = any(isinstance(dim, types.AnyDims | types.Batch) for dim in part.shape)
            arrays.add(ArrayLeaf(part.dtype, None if is_any else axes + len(part.shape)))
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
        refs = sorted({*place.type.class_refs})
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
        returned = {*function.returns.class_refs} & linting.facts.donating
        for parameter in function.parameters:
            if parameter.role == "donated":
                returned -= {*parameter.type.class_refs}
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
                advice=f"write `donated[{type}]`, unless callers use the old object after the call",
            )


def never_donated(linting: Linting) -> Iterator[Diagnostic]:
    """Report each donated field that functions reach, but never through a fully donated path.

    u: donated[f32[nx]]    with only    def energy(plate: dynamic[Plate])    ->    NEVER_DONATED
    """
    program = linting.program
    parameters = [p for function in program.functions for p in function.parameters]
    donated = [p.type for p in parameters if p.role == "donated"]
    traced = [p.type for p in parameters if p.role != "static"]
    consumed = _fields_below(program, donated, "donated")
    everything = (*donated, *consumed.values())
    if any(isinstance(part, types.Anything) for of in everything for part in of.iter_held()):
        return  # A donated `Any` may contain anything.
    kept = _fields_below(program, traced, *TRACED).keys() - consumed.keys()
    for node in program.classes.values():
        for field in node.own_fields:
            if field.role != "donated" or (field.owner, field.name) not in kept:
                continue
            if may_hold_array(field.type, linting.facts.donating.__contains__):
                yield linting.warn(
                    Code.NEVER_DONATED,
                    field.role_span,
                    f"the field `{field.name}` is donated, but no function consumes it",
                    label="every function keeps the old value",
                    advice="if a function should reuse the memory, declare its parameter and every "
                    f"field on the path to `{field.name}` as `donated`. If no function should, write "
                    f"`dynamic[{field.type}]`",
                )


def _fields_below(program: Program, held: list[Type], *roles: Role) -> dict[tuple[Ref, str], Type]:
    """Return the fields with these roles that values of some types have, at any depth.

    The key of a field is the class that declares it, and its name.
    """
    refs = (ref for type in held for ref in type.class_refs)
    fields = (
        field
        for ref in program.graph.held_classes(refs, *roles)
        for field in program.classes[ref].fields
    )
    return {(field.owner, field.name): field.type for field in fields if field.role in roles}


def unusable_donation(linting: Linting) -> Iterator[Diagnostic]:
    """Report each donated argument that has no buffer that fits an array of the result.

    def energy(plate: donated[Plate]) -> f32    ->    UNUSABLE_DONATION
    """
    for function in linting.program.functions:
        for parameter in function.parameters:
            if parameter.role != "donated" or not _is_unusable(linting, function, parameter):
                continue
            type, result = str(parameter.type), function.returns.span
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
    donated = leaves(linting.program, parameter.type, "donated")
    result = leaves(linting.program, function.returns, *TRACED)
    if result is None or not donated:
        return False
    return not any(one.may_replace(other) for one in result for other in donated)
