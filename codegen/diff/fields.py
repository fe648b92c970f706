"""Compare the fields of two versions of a class, inherited ones included.

u: donated[f32[n]]    ->    gone: FIELD_REMOVED, `u: dynamic[bf16[n]]`: FIELD_TYPE_CHANGED

A change of an inherited field is reported where the field is declared, and not again below.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.diff.comparison import (
    CONSTRUCTOR,
    SOURCE,
    TREEDEF,
    Comparison,
    layered,
    without_shapes,
)
from codegen.diff.saved import origin, outcome
from codegen.diff.values import is_same_default
from codegen.program.nodes import Class, Field
from codegen.program.show import type_text, value_text
from codegen.program.substitution import rebuilt
from codegen.program.types import Anything, Array, Type
from codegen.source import Source, Span


class _Pair(Struct, frozen=True):
    """A class in both versions, and the fields that both have, by their old names."""

    old: Class
    new: Class
    fields: dict[str, tuple[Field, Field]]


def compare_fields(comparison: Comparison, old: Class, new: Class) -> None:
    """Compare what is stored, and how it is given to the constructor."""
    before = {one.name for one in old.fields}
    now = comparison.fields_now(old, new)
    both = {one.name: (one, now[one.name]) for one in old.fields if one.name in now}
    pair = _Pair(old, new, both)
    # What concerns an inherited field is said at the base, if that is the base still.
    is_below = comparison.keeps_base(old, new)
    for field in old.fields:
        if field.name not in both and not (is_below and field.owner != old.ref):
            _removed(comparison, pair, field)
    for name, field in now.items():
        if name not in before and not (is_below and field.owner != new.ref):
            _added(comparison, pair, field)
    for one, other in both.values():
        if other.owner == new.ref or comparison.new_ref(one.owner) != other.owner:
            _compare_field(comparison, pair, one, other)
    _compare_order(comparison, pair)


def _add(
    comparison: Comparison,
    pair: _Pair,
    code: Code,
    span: Span,
    message: str,
    breaks: Iterable[str],
    advice: str,
    *,
    saved: str = "",
    field: Field | None = None,
    before: Field | None = None,
) -> None:
    """Note a change; abstract classes have no constructor that it could break."""
    is_abstract = pair.old.abstract and pair.new.abstract
    left = [kind for kind in breaks if not (is_abstract and kind == CONSTRUCTOR)]
    if saved:
        name = before.name if before is not None else ""
        also, said = outcome(comparison, pair.old, saved, name)
        left += also
        advice = f"{advice}; {said}"
    if not left:
        return
    source: Source = (comparison.new.classes[field.owner] if field else pair.new).source
    place = None
    if before is not None:
        place = (comparison.old.classes[before.owner].source, before.span)
    comparison.add(code, source, span, message, left, advice=advice, before=place)


def _removed(comparison: Comparison, pair: _Pair, field: Field) -> None:
    is_reserved = any(one.name == field.name for one in pair.new.reserved)
    _add(
        comparison,
        pair,
        Code.FIELD_REMOVED,
        pair.new.span,
        f"the field `{field.name}` of `{pair.new.ref.name}` was removed",
        (SOURCE, CONSTRUCTOR, TREEDEF),
        "have nothing read it or give it"
        if is_reserved
        else f"if it has another name now, write `# codegen: was[{field.name}]` behind it",
        saved="reserved" if is_reserved else "removed",
        before=field,
    )


def _added(comparison: Comparison, pair: _Pair, field: Field) -> None:
    is_required = field.default is None
    _add(
        comparison,
        pair,
        Code.FIELD_ADDED,
        field.span if field.owner == pair.new.ref else pair.new.span,
        f"the {'required ' if is_required else ''}field `{field.name}` was added to "
        f"`{pair.new.ref.name}`",
        (*((CONSTRUCTOR,) if is_required else ()), TREEDEF),
        "give it a default" if is_required else "make treedefs that were saved anew",
        saved=origin(comparison, pair.old, field.name),
        field=field if field.owner == pair.new.ref else None,
    )


def _compare_field(comparison: Comparison, pair: _Pair, old: Field, new: Field) -> None:
    if old.name != new.name:
        _add(
            comparison,
            pair,
            Code.FIELD_RENAMED,
            new.span,
            f"the field `{old.name}` of `{pair.new.ref.name}` is called `{new.name}` now",
            (SOURCE, CONSTRUCTOR),
            "keep the name",
            saved="renamed",
            field=new,
            before=old,
        )
    _compare_roles(comparison, pair, old, new)
    _compare_types(comparison, pair, old, new)
    is_retyped = not comparison.is_same(old.type, new.type)
    if old.default is None:
        return
    if new.default is None:
        _add(
            comparison,
            pair,
            Code.DEFAULT_REMOVED,
            new.span,
            f"the field `{new.name}` of `{pair.new.ref.name}` has no default any more",
            (CONSTRUCTOR,),
            f"keep the default, `{value_text(old.default)}`",
            field=new,
            before=old,
        )
    elif not is_same_default(comparison, old, new, retyped=is_retyped):
        _add(
            comparison,
            pair,
            Code.DEFAULT_CHANGED,
            new.span,
            f"the default of `{new.name}` is `{value_text(new.default)}`, "
            f"and was `{value_text(old.default)}`",
            (SOURCE,),
            "programs that left it out compute something else now: have them say the value",
            field=new,
            before=old,
        )


def _compare_roles(comparison: Comparison, pair: _Pair, old: Field, new: Field) -> None:
    if (old.role == "static") != (new.role == "static"):
        _add(
            comparison,
            pair,
            Code.FIELD_ROLE_CHANGED,
            new.role_span,
            f"the field `{new.name}` of `{pair.new.ref.name}` is {new.role}, and was {old.role}",
            # An array of JAX's is no static value.
            (SOURCE, *((CONSTRUCTOR,) if new.role == "static" else ()), TREEDEF),
            "it moves between the trace key and the leaves",
            saved=origin(comparison, pair.old, new.name),
            field=new,
            before=old,
        )
    elif (old.role, new.role) == ("dynamic", "donated"):
        _add(
            comparison,
            pair,
            Code.DONATION_ADDED,
            new.role_span,
            f"the field `{new.name}` of `{pair.new.ref.name}` may be consumed, and was left alone",
            (SOURCE,),
            "callers that use it after a call that donates the object need `keep(...)`",
            field=new,
            before=old,
        )


def _compare_types(comparison: Comparison, pair: _Pair, old: Field, new: Field) -> None:
    if comparison.is_same(old.type, new.type):
        _compare_conversions(comparison, pair, old, new)
        return
    crosses = (old.role == "static") != (new.role == "static")
    calls = () if _is_given_alike(comparison, old, new) else (CONSTRUCTOR,)
    advice = "add a field of the new type beside it"
    if new.role == "static":
        breaks: tuple[str, ...] = (SOURCE, *calls, TREEDEF)
    elif (isinstance(old.type, Array) and isinstance(new.type, Array)) or comparison.is_same(
        without_shapes(old.type), without_shapes(new.type)
    ):
        breaks = (TREEDEF,)
    elif comparison.is_same(layered(old.type), layered(new.type)):
        breaks = (SOURCE, CONSTRUCTOR, TREEDEF)
        advice = "`stack([...])` makes one object of several, and `unstack(...)` several of one"
    else:
        breaks = (SOURCE, *calls, TREEDEF)
    now, before = comparison.texts(old.type, new.type, "and was")
    _add(
        comparison,
        pair,
        Code.FIELD_TYPE_CHANGED,
        new.type.span,
        f"the field `{new.name}` of `{pair.new.ref.name}` is `{now}`{before}",
        breaks,
        advice,
        # Of a field whose role changed, too, that says what becomes of it.
        saved="" if crosses else origin(comparison, pair.old, new.name),
        field=new,
        before=old,
    )


def _is_given_alike(comparison: Comparison, old: Field, new: Field) -> bool:
    """Whether the constructor takes what it took for a field of another type."""
    if new.convert is not None:
        return True  # what its function takes is known to nobody without importing it
    before, now = old.type, new.type
    if new.role != "static":
        # It takes any array, for `check()` to judge.
        before, now = _without_dtypes(before), _without_dtypes(now)
    return isinstance(now, Anything) or comparison.takes(now, before)


def _without_dtypes(type: Type) -> Type:
    if isinstance(type, Array):
        return Array("Shaped", "", ())
    return rebuilt(type, _without_dtypes)


def _compare_conversions(comparison: Comparison, pair: _Pair, old: Field, new: Field) -> None:
    """A constructor that converts takes more than what the field holds."""
    if old.convert is None or new.convert is not None or isinstance(new.type, Anything):
        return
    _add(
        comparison,
        pair,
        Code.FIELD_TYPE_CHANGED,
        new.span,
        f"the constructor of `{pair.new.ref.name}` takes a `{type_text(new.type)}` for "
        f"`{new.name}`, and converted what it was given",
        (CONSTRUCTOR,),
        "keep its `convert=`, or have callers convert",
        field=new,
        before=old,
    )


def _compare_order(comparison: Comparison, pair: _Pair) -> None:
    """The order of what both versions have, as constructors and as leaves have it."""
    new_to_old = {other.name: name for name, (_, other) in pair.fields.items()}
    by_position = [new_to_old[f.name] for f in pair.new.positional if f.name in new_to_old]
    is_below = comparison.keeps_base(pair.old, pair.new) and pair.old.kw_only == pair.new.kw_only
    for field in pair.old.positional:
        if field.name not in pair.fields or field.name in by_position:
            continue
        other = pair.fields[field.name][1]
        if not (is_below and other.owner != pair.new.ref):
            _keyword_only(comparison, pair, field, other)
    breaks: list[str] = []
    kept = [f.name for f in pair.old.positional if f.name in by_position]
    if [name for name in by_position if name in kept] != kept:
        breaks.append(CONSTRUCTOR)
    for is_static in (False, True):
        before = [name for name, (f, _) in pair.fields.items() if (f.role == "static") == is_static]
        after = [
            new_to_old[f.name]
            for f in pair.new.fields
            if f.name in new_to_old and new_to_old[f.name] in before
        ]
        if before != after and TREEDEF not in breaks:
            breaks.append(TREEDEF)
    if breaks:
        _moved(
            comparison,
            pair,
            [new_to_old[f.name] for f in pair.new.fields if f.name in new_to_old],
            breaks,
        )


def _keyword_only(comparison: Comparison, pair: _Pair, old: Field, new: Field) -> None:
    is_default = new.default is not None
    _add(
        comparison,
        pair,
        Code.FIELD_KEYWORD_ONLY,
        new.span if new.owner == pair.new.ref else pair.new.span,
        f"the constructor of `{pair.new.ref.name}` takes `{new.name}` by keyword alone now",
        (CONSTRUCTOR,),
        "from the first default on, parameters are keyword-only"
        if not is_default
        else "without the default it could be given by position",
        field=new if new.owner == pair.new.ref else None,
        before=old,
    )


def _moved(comparison: Comparison, pair: _Pair, after: list[str], breaks: list[str]) -> None:
    """One finding a class, at the first field that stands where another one was."""
    before = list(pair.fields)
    first = next(new for old, new in zip(before, after, strict=True) if old != new)
    old, new = pair.fields[first]
    is_own = new.owner == pair.new.ref
    if not is_own and comparison.new_ref(old.owner) == new.owner:
        return  # said at the base
    _add(
        comparison,
        pair,
        Code.FIELD_MOVED,
        new.span if is_own else pair.new.span,
        f"the fields of `{pair.new.ref.name}` stand in another order",
        breaks,
        "keep the order, and add new fields at the end",
        saved="moved",
        field=new if is_own else None,
        before=old,
    )
