"""Check the members of enums, and values that are equal in Python."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.check.equality import Equality, enum_values
from codegen.check.rule import Inspection
from codegen.check.uses import default_uses
from codegen.diagnostics import Code, Related
from codegen.program import nodes
from codegen.program.nodes import Enum, Member, Value
from codegen.source import Span


def check_equal(inspection: Inspection) -> None:
    """Check the frozensets and frozendicts of every default and of every member of an enum."""
    equality = Equality(inspection.program)
    values = [place.value for place in default_uses(inspection.program)]
    members = (one for node in inspection.program.enums.values() for one in node.members)
    values += [member.value for member in members if member.value is not None]
    reported = {one.span for one in inspection.found}
    for value in values:
        for what, first, second in _iter_duplicates(equality, value):
            if second.span not in reported:
                _report(inspection, what, first.span, second.span)


def _iter_duplicates(equality: Equality, default: Value) -> Iterator[tuple[str, Value, Value]]:
    """Yield the duplicates in each part of a value, with the earlier and the later one."""
    for one in nodes.iter_values(default):
        match one:
            case nodes.Collection(container="frozenset", items=values):
                what = "frozenset has the same member"
            case nodes.Entries(items=pairs):
                what, values = "frozendict has the same key", tuple(key for key, _ in pairs)
            case _:
                continue
        first_by_key: dict[object, Value] = {}
        for value in values:
            first = first_by_key.setdefault(equality.python_key(value), value)
            if first is not value:
                yield what, first, value


def _report(inspection: Inspection, what: str, first: Span, second: Span) -> None:
    inspection.add(
        Code.WRONG_DEFAULT,
        second,
        f"a {what} twice",
        label="equal in Python to an earlier value",
        advice="remove one of the two. In Python `1`, `1.0` and `True` are equal, and so are `0.0` "
        "and `-0.0`",
        related=(Related(first, "first given here"),),
    )


_VALUES: dict[str, type[object]] = {
    "Flag": int,
    "IntEnum": int,
    "IntFlag": int,
    "StrEnum": str,
}


def check_enums(inspection: Inspection) -> None:
    """Check the members of every enum.

    class Level(IntEnum): LOW = "low"    ->    WRONG_DEFAULT
    """
    for node in inspection.program.enums.values():
        for member in node.members:
            _check_name(inspection, node, member)
            _check_value(inspection, node, member)
        _check_auto(inspection, node)
        _check_aliases(inspection, node)


# The attributes that numbers and strings already have, on any Python.
_ATTRIBUTES: dict[type[object], frozenset[str]] = {
    int: frozenset(dir(int)) | {"is_integer"},
    str: frozenset(dir(str)),
}


def _check_name(inspection: Inspection, node: Enum, member: Member) -> None:
    name = member.name
    kind = _VALUES.get(node.kind) if node.kind != "Flag" else None
    if kind is not None and name in _ATTRIBUTES[kind]:
        inspection.add(
            Code.RESERVED_NAME,
            member.span,
            f"the member `{name}` of the {node.kind} `{node.ref.name}` has the name of an "
            f"attribute of every `{kind.__name__}`",
            label=f"every `{kind.__name__}` has an attribute `{name}`",
            advice=f"rename it to `{name.strip('_').upper()}`",
        )
    elif name in ("mro", "name", "value") or (name.startswith("_") and name.endswith("_")):
        inspection.add(
            Code.RESERVED_NAME,
            member.span,
            f"the member `{name}` has a name that every Python enum uses itself",
            label="a name of Python's enums",
            advice=f"rename it to `{name.strip('_').upper() or 'X'}`",
        )


def _check_value(inspection: Inspection, node: Enum, member: Member) -> None:
    wanted = _VALUES.get(node.kind)
    if wanted is None or member.value is None:
        return
    value = member.value.value if isinstance(member.value, nodes.Constant) else None
    if value.__class__ is not wanted:
        inspection.add(
            Code.WRONG_DEFAULT,
            member.value.span,
            f"the member `{member.name}` of the {node.kind} `{node.ref.name}` has a value "
            "of the wrong type",
            label=f"expected `{wanted.__name__}`",
            advice=f"write a value of type `{wanted.__name__}`, or `auto()`. An `Enum` accepts any "
            "value",
        )


def _check_auto(inspection: Inspection, node: Enum) -> None:
    """Refuse `auto()` after a value that is not a number: since Python 3.13 such a module cannot be
    imported.
    """
    if node.kind != "Enum":
        return
    blocking: Member | None = None
    for member in node.members:
        if member.value is None and blocking is not None:
            inspection.add(
                Code.WRONG_DEFAULT,
                member.span,
                f"`auto()` cannot choose a value for `{member.name}` of the Enum "
                f"`{node.ref.name}`, because the value of `{blocking.name}` is not a number",
                label="`auto()` adds one to the largest earlier value",
                advice=f"write a value for `{member.name}`",
            )
        elif member.value is not None and not _is_real(member.value):
            blocking = blocking or member


def _check_aliases(inspection: Inspection, node: Enum) -> None:
    """Refuse equal values: in Python the later member is an alias of the earlier one."""
    first_by_key: dict[object, Member] = {}
    equality = Equality(inspection.program)
    values = enum_values(node)
    for member in node.members:
        first = first_by_key.setdefault(equality.python_key(values[member.name]), member)
        if first is not member:
            inspection.add(
                Code.WRONG_DEFAULT,
                member.span,
                f"the member `{member.name}` of the {node.kind} `{node.ref.name}` has the "
                f"same value as `{first.name}`",
                label=f"in Python the same member as `{first.name}`",
                advice=f"give `{member.name}` another value. In Python `1`, `1.0` and `True` are "
                "equal",
                related=(Related(first.span, "the member with this value"),),
            )


def _is_real(value: Value) -> bool:
    return isinstance(value, nodes.Constant) and isinstance(value.value, int | float)
