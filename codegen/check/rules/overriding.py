"""Check what an override changes: the types of its parameters and result, and the kind
of member.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Literal, TypeAlias

from msgspec.structs import replace

from codegen.check.narrower import is_narrower
from codegen.check.rule import Inspection
from codegen.diagnostics import Code, Related
from codegen.program import types
from codegen.program.nodes import Class, Function, Parameter
from codegen.program.substitution import (
    arguments_of,
    bases_of,
    dims_of,
)
from codegen.program.types import Type
from codegen.source import Span

# Where a method differs, how, the label there, and the advice.
_Misfit: TypeAlias = tuple[Span, str, str, str]


def check_overriding(inspection: Inspection) -> None:
    """Check every method that a class redeclares.

    class Base: def at(self, x: float) -> float
    class Sub(Base): def at(self, x: str) -> float    ->    WRONG_SIGNATURE
    """
    for node in inspection.program.classes.values():
        own = {method.name: method for method in node.methods}
        for home, bound in bases_of(node, inspection.program.classes) if own else ():
            for old in home.methods:
                # Compare with the nearest base only. Its own method was compared with the next one.
                new = own.pop(old.name, None)
                if new is None or new.kind != old.kind:
                    continue
                # The first difference is enough.
                for fault, related in islice(_faults(inspection, home, bound, new, old), 1):
                    _report(inspection, node, home, new.name, fault, related)


def _faults(
    inspection: Inspection, home: Class, bound: types.ClassType, new: Function, old: Function
) -> Iterator[tuple[_Misfit, Related]]:
    """Yield where a method does not fit that of a base, and the place in the base."""
    dims, arguments = dims_of(bound, home), arguments_of(bound, home)
    expected = old.returns.substitute(dims, arguments)
    if not _fits(inspection, new.returns, expected):
        wrong = (
            new.returns.span,
            "the result has another type",
            f"not `{expected}`, and not a narrower type",
            f"write `-> {expected}`",
        )
        yield wrong, Related(old.returns.span, f"the result type in `{home.ref.name}`")
    for place, theirs in enumerate(old.parameters):
        bound_type = theirs.type.substitute(dims, arguments)
        fault = _fault(inspection, new, replace(theirs, type=bound_type), place)
        if fault is not None:
            yield fault, Related(theirs.span, f"the parameter in `{home.ref.name}`")
    known = {p.name for p in old.parameters}
    for own in new.parameters:
        if own.name not in known and own.default is None:
            wrong = (
                own.span,
                f"`{own.name}` has no default",
                f"`{home.ref.name}.{old.name}` has no parameter `{own.name}`",
                f"give `{own.name}` a default",
            )
            yield wrong, Related(old.span, f"the method in `{home.ref.name}`")


def _fault(inspection: Inspection, new: Function, theirs: Parameter, place: int) -> _Misfit | None:
    """Return why a call of the base's method, with one of its parameters, does not fit
    this method.
    """
    name, declared = theirs.name, f"{theirs.name}: {theirs.type}"
    if theirs.default is not None:
        declared += f" = {theirs.default}"
    own = next((p for p in new.parameters if p.name == name), None)
    if own is None:
        fault = f"the parameter `{name}` is missing"
        return new.span, fault, f"no parameter `{name}`", f"add the parameter `{declared}`"
    # pyright also requires that a keyword stays one.
    if own.keyword_only != theirs.keyword_only:
        kinds = ("positional", "keyword-only")
        kind, other = kinds[own.keyword_only], kinds[theirs.keyword_only]
        return own.span, f"`{name}` is {kind}", f"{kind}, not {other}", f"make `{name}` {other}"
    if not own.keyword_only and new.parameters.index(own) != place:
        return (
            own.span,
            f"`{name}` is in another position",
            f"parameter {new.parameters.index(own) + 1}, not {place + 1}",
            "write the parameters in the order of the base class",
        )
    if theirs.default is not None and own.default is None:
        return own.span, f"`{name}` has no default", "no default", f"write `{declared}`"
    if not _fits(inspection, theirs.type, own.type):
        return (
            own.type.span,
            f"`{name}` has another type",
            f"does not accept every `{theirs.type}`",
            f"write `{declared}`, or a wider type",
        )
    return None


def _report(
    inspection: Inspection, node: Class, home: Class, name: str, fault: _Misfit, related: Related
) -> None:
    span, difference, label, advice = fault
    here, there = types.display_names(node.ref, home.ref)
    inspection.add(
        Code.WRONG_SIGNATURE,
        span,
        f"`{here}.{name}` does not match `{there}.{name}` of its base class: {difference}",
        label=label,
        advice=f"{advice}, or rename the method",
        related=(related,),
    )


# --- types as type checkers compare them in the generated code


def _fits(inspection: Inspection, new: Type, old: Type) -> bool:
    """Return whether every value of `new` is one of `old` to type checkers. Unknown types are left
    to them.
    """
    if new == old or any(isinstance(p, _UNKNOWN) for p in (*new.iter_held(), *old.iter_held())):
        return True
    if isinstance(new, types.Union):
        return all(_fits(inspection, member, old) for member in new.members)
    if isinstance(new, types.EnumType):
        kind = _ENUM_SCALARS.get(inspection.program.enums[new.ref].kind)
        if kind is not None and _fits(inspection, types.Scalar(kind), old):
            return True
    return is_narrower(_as_checked(new), _as_checked(old, _NARROWER), inspection.program)


_UNKNOWN = (types.Anything, types.Callable, types.External, types.Identity, types.TypeParameter)
_ENUM_SCALARS: dict[str, Literal["int", "str"]] = {
    "IntEnum": "int",
    "IntFlag": "int",
    "StrEnum": "str",
}
# The types that are also accepted for each.
_NARROWER: dict[str, tuple[types.Scalar, ...]] = {
    "int": (types.Scalar("bool"),),
    "float": (types.Scalar("int"), types.Scalar("bool")),
    "complex": (types.Scalar("float"), types.Scalar("int"), types.Scalar("bool")),
}


def _as_checked(type: Type, narrower: Mapping[str, tuple[types.Scalar, ...]] = {}) -> Type:
    """Return a type without shapes and dtypes, which type checkers do not see.

    With `narrower` it also has the types that are accepted for a number.
    """
    match type:
        case types.Array():
            return types.Array("Shaped", "Shaped", (types.AnyDims(),))
        case types.ClassType():
            return replace(type, dims=(), arguments=())
        case types.Scalar():
            return types.union((type, *narrower.get(type.name, ())), type.span)
        case types.Literals():
            ones = (types.NoneType() if v is None else types.Literals((v,)) for v in type.values)
            return types.union(tuple(ones), type.span)
        case _:
            return type.map(lambda inner: _as_checked(inner, narrower))
