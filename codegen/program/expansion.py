"""How large types get where classes with parameters hold each other, counted before any is made.

class A0(Generic[T]): x: dynamic[T]
class A1(Generic[T]): a: dynamic[A0[tuple[T, T]]]
class A2(Generic[T]): a: dynamic[A1[tuple[T, T]]]      A20 would have a field of a million nodes

What a class makes of its parameters is bounded by two numbers a count, so each class is looked at
once: of parameters of `n` nodes, `constant + factor * n`. What leads from a class back to itself is
left out, since whoever goes down into classes goes down into each of them once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.program import types
from codegen.program.extents import DEPTH_MAX, NODES_MAX
from codegen.program.graph import components
from codegen.program.names import Names
from codegen.program.nodes import Class, Program
from codegen.program.types import ClassType, Dim, Ref, Type, inside


class Growth(Struct, frozen=True):
    """How large something is, in terms of the parameters of the class that it stands in."""

    constant: int = 0
    factor: int = 0  # how often the parameters are in it
    depth: int = 0  # without them
    depth_below: int = -1  # how deep in it they are; -1: they are not

    @property
    def fault(self) -> str:
        """What there is too much of even if a parameter is one name; empty where there is not."""
        if max(self.depth, self.depth_below) > DEPTH_MAX:
            return f"is nested more than {DEPTH_MAX} deep"
        is_large = self.constant + self.factor > NODES_MAX
        return f"has more than {NODES_MAX:,} nodes" if is_large else ""

    def of(self, given: Growth) -> Growth:
        """What it becomes where its parameters are what is given; the limits are enough."""
        below = self.depth_below
        return Growth(
            min(self.constant + self.factor * given.constant, NODES_MAX + 1),
            min(self.factor * given.factor, NODES_MAX + 1),
            min(max(self.depth, below + given.depth if below >= 0 else 0), DEPTH_MAX + 1),
            min(below + given.depth_below, DEPTH_MAX + 1)
            if min(below, given.depth_below) >= 0
            else -1,
        )


_ONE = Growth(constant=1)
_PARAMETER = Growth(factor=1, depth_below=0)


def check_expansion(program: Program, all_names: Mapping[str, Names]) -> None:
    """Report every type that gets too large by what the classes in it make of their parameters."""
    if not any(_parameters(node) for node in program.classes.values()):
        return
    uses = {ref: [*_uses(_types(node))] for ref, node in program.classes.items()}
    growths: dict[Ref, Growth] = {}
    for group in components({ref: [use.ref for use in found] for ref, found in uses.items()}):
        bounds: list[Growth] = []
        for ref in group:
            names, parameters = all_names[ref.module], _parameters(program.classes[ref])
            bounds += [growth(type, parameters) for type in _types(program.classes[ref])]
            for use in uses[ref]:
                given = _given(use, parameters)
                made = _made(names, use, given, growths)
                # What is given no parameter is the same wherever the class is held.
                bounds += [made] if given.factor else []
        growths |= dict.fromkeys(group, largest(bounds))
    for module in program.modules:
        for function in module.functions:
            held = (function.returns, *(parameter.type for parameter in function.parameters))
            for use in _uses(held):
                _made(all_names[module.name], use, _given(use, ()), growths)


def _made(names: Names, use: ClassType, given: Growth, growths: Mapping[Ref, Growth]) -> Growth:
    """What a class makes of what it is given; nothing is known within a circle of classes."""
    known = growths.get(use.ref, Growth())
    made = known.of(given)
    if made.fault and not known.fault:
        report_growth(names, use, made.fault)
    return made


def base_fault(base: ClassType, parent: Class, parameters: Collection[str]) -> str:
    """What there is too much of in the fields of a base, once they are written out."""
    given = _given(base, parameters)
    own = _parameters(parent)
    return largest([growth(field.type, own) for field in parent.fields]).of(given).fault


def _parameters(node: Class) -> frozenset[str]:
    """The parameters of a class, of both kinds: none has the name of another."""
    return frozenset((*node.dims, *node.type_parameters))


def growth(part: Type | Dim, parameters: Collection[str]) -> Growth:
    """Count the nodes of a type, as it would be written out."""
    match part:
        case types.TypeParameter() | types.DimName():
            return _PARAMETER if part.name in parameters else _ONE
        case types.DimSum():
            parts: tuple[Type | Dim, ...] = (part.left, part.right)
        case types.Array():
            parts = part.shape
        case types.ClassType():
            parts = (*part.dims, *part.stacked, *part.arguments)
        case types.Literals():
            return Growth(constant=1 + len(part.values), depth=1)
        case types.Size() | types.Batch() | types.AnyDim() | types.AnyDims():
            return _ONE
        case _:
            parts = inside(part)
    inner = [growth(one, parameters) for one in parts]
    deepest = largest(inner)
    return Growth(
        min(1 + sum(one.constant for one in inner), NODES_MAX + 1),
        min(sum(one.factor for one in inner), NODES_MAX + 1),
        deepest.depth + 1 if inner else 0,
        deepest.depth_below + 1 if deepest.depth_below >= 0 else -1,
    )


def largest(growths: Collection[Growth]) -> Growth:
    """A bound of several."""
    return Growth(
        max((one.constant for one in growths), default=0),
        max((one.factor for one in growths), default=0),
        max((one.depth for one in growths), default=0),
        max((one.depth_below for one in growths), default=-1),
    )


def _given(use: ClassType, parameters: Collection[str]) -> Growth:
    """A bound of what a class is given for its parameters."""
    return largest([growth(one, parameters) for one in (*use.dims, *use.arguments)])


def _types(node: Class) -> tuple[Type, ...]:
    """The types that a class itself writes."""
    signatures = [(one.returns, *(p.type for p in one.parameters)) for one in node.methods]
    return (
        *([node.base] if node.base else []),
        *(field.type for field in node.own_fields),
        *(type for signature in signatures for type in signature),
    )


def _uses(held: Iterable[Type]) -> Iterator[ClassType]:
    """The classes of types with something in brackets, outermost first."""
    for type in held:
        if isinstance(type, ClassType) and (type.dims or type.arguments):
            yield type
        yield from _uses(inside(type))


def report_growth(names: Names, use: ClassType, fault: str) -> None:
    """Report a type that gets too large by what its class makes of what is in its brackets."""
    names.scope.add(
        Code.NESTED_TOO_DEEPLY,
        use.span,
        f"`{use.ref.name}` holds a type that {fault} where its parameters are written out",
        label="too large",
        advice="put a class into the brackets: a class is named, and not written out"
        if use.arguments
        else "put a dimension of its own into the brackets: `m = Dim()`",
    )
