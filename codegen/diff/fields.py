"""Compare the fields of two versions of a class, including inherited ones.

u: donated[f32[n]]    ->    gone: FIELD_REMOVED, `u: dynamic[bf16[n]]`: FIELD_TYPE_CHANGED

A change of an inherited field is reported where the field is declared, not again in subclasses.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.diff.comparison import (
    CONSTRUCTOR,
    SOURCE,
    TREEDEF,
    Change,
    Comparison,
)
from codegen.diff.values import is_same_default
from codegen.program.nodes import Class, Field
from codegen.program.text import value_text
from codegen.program.types import Anything, Array


class _Pair(Struct, frozen=True):
    """A class in both versions, and the fields that both have, keyed by their old names."""

    old: Class
    new: Class
    fields: dict[str, tuple[Field, Field]]


def compare_fields(comparison: Comparison, old: Class, new: Class) -> None:
    """Compare the stored fields, and the parameters of the constructor."""
    before = {one.name for one in old.fields}
    now = comparison.fields_now(old, new)
    both = {one.name: (one, now[one.name]) for one in old.fields if one.name in now}
    pair = _Pair(old, new, both)
    # Changes of inherited fields are reported at the base, if the class still has that base.
    is_below = comparison.keeps_base(old, new)
    for field in old.fields:
        if field.name not in both and not (is_below and field.owner != old.ref):
            _report(comparison, pair, _removed(pair, field), field, None)
    for name, field in now.items():
        if name not in before and not (is_below and field.owner != new.ref):
            _report(comparison, pair, _added(comparison, pair, field), None, field)
    for one, other in both.values():
        if other.owner == new.ref or comparison.new_ref(one.owner) != other.owner:
            for change in _changes(comparison, pair, one, other):
                _report(comparison, pair, change, one, other)
    _compare_order(comparison, pair)


def _report(
    comparison: Comparison, pair: _Pair, change: Change, old: Field | None, new: Field | None
) -> None:
    """Record a change of a field, at the field if the class declares it."""
    now = pair.new.span
    if new is not None and (change.span is not None or new.owner == pair.new.ref):
        now = new.span
    before, name = (old.span, old.name) if old is not None else (None, "")
    is_abstract = pair.old.abstract and pair.new.abstract
    comparison.add(change, now, before, of=pair.old, field=name, is_abstract=is_abstract)


def _removed(pair: _Pair, field: Field) -> Change:
    is_reserved = any(one.name == field.name for one in pair.new.reserved)
    return Change(
        Code.FIELD_REMOVED,
        f"the field `{field.name}` of `{pair.new.ref.name}` was removed",
        f"remove every use of `{field.name}`"
        if is_reserved
        else f"if you renamed `{field.name}`, write `# codegen: was[{field.name}]` on its new line",
        saved="reserved" if is_reserved else "removed",
    )


def _added(comparison: Comparison, pair: _Pair, field: Field) -> Change:
    is_required = field.default is None
    return Change(
        Code.FIELD_ADDED,
        f"the {'required ' if is_required else ''}field `{field.name}` was added to "
        f"`{pair.new.ref.name}`",
        f"give `{field.name}` a default"
        if is_required
        else "compute saved treedefs again, from objects",
        (CONSTRUCTOR, TREEDEF) if is_required else None,
        saved=comparison.origin(pair.old, field.name),
    )


def _changes(comparison: Comparison, pair: _Pair, old: Field, new: Field) -> Iterator[Change]:
    """Yield the changes of a field that both versions have."""
    called = f"the field `{new.name}` of `{pair.new.ref.name}`"
    if old.name != new.name:
        yield Change(
            Code.FIELD_RENAMED,
            f"the field `{old.name}` of `{pair.new.ref.name}` was renamed to `{new.name}`",
            "keep the name",
            span=new.span,
            saved="renamed",
        )
    if (old.role == "static") != (new.role == "static"):
        yield Change(
            Code.FIELD_ROLE_CHANGED,
            f"{called} is now {new.role} instead of {old.role}",
            f"keep the role `{old.role}`, or update programs that read leaves or compare treedefs",
            # A JAX array is not a static value.
            (SOURCE, CONSTRUCTOR, TREEDEF) if new.role == "static" else None,
            new.role_span,
            comparison.origin(pair.old, new.name),
        )
    elif (old.role, new.role) == ("dynamic", "donated"):
        yield Change(
            Code.DONATION_ADDED,
            f"{called} may now be consumed",
            f"callers that use `{new.name}` after a call that donates the object must call "
            "`.keep(...)`",
            span=new.role_span,
        )
    elif old.role != new.role and "ref" in (old.role, new.role):
        is_ref = new.role == "ref"
        yield Change(
            Code.REF_CHANGED,
            f"{called} is now {'a `jax.Ref`' if is_ref else 'an array'}",
            f"write `obj.{new.name}[...]` to read the content, and `obj.{new.name}[...] = value` "
            "instead of `replace`"
            if is_ref
            else f"read `obj.{new.name}` without `[...]`, and write it with `replace`",
            span=new.role_span,
        )
    is_retyped = not comparison.is_same(old.type, new.type)
    if is_retyped:
        yield _retyped(comparison, pair, old, new)
    elif old.convert is not None and new.convert is None and not isinstance(new.type, Anything):
        # A constructor that converts accepts more than the type of the field.
        yield Change(
            Code.FIELD_TYPE_CHANGED,
            f"the constructor of `{pair.new.ref.name}` no longer converts `{new.name}`: "
            f"it takes only `{new.type}`",
            "keep its `convert=`, or convert the value before each call",
            (CONSTRUCTOR,),
            new.span,
        )
    yield from _default_changes(comparison, called, old, new, is_retyped=is_retyped)


def _default_changes(
    comparison: Comparison, called: str, old: Field, new: Field, *, is_retyped: bool
) -> Iterator[Change]:
    if old.default is None:
        return
    if new.default is None:
        yield Change(
            Code.DEFAULT_REMOVED,
            f"{called} no longer has a default",
            f"keep the default `{value_text(old.default)}`",
            span=new.span,
        )
    elif not is_same_default(comparison, old, new, retyped=is_retyped):
        yield Change(
            Code.DEFAULT_CHANGED,
            f"the default of `{new.name}` is now `{value_text(new.default)}` "
            f"instead of `{value_text(old.default)}`",
            f"pass `{new.name}={value_text(old.default)}` in calls that omit `{new.name}`: they now "
            "compute something else",
            span=new.span,
        )


def _retyped(comparison: Comparison, pair: _Pair, old: Field, new: Field) -> Change:
    crosses = (old.role == "static") != (new.role == "static")
    calls = () if _constructor_still_accepts(comparison, old, new) else (CONSTRUCTOR,)
    breaks: tuple[str, ...] = (SOURCE, *calls, TREEDEF)
    if new.role == "static":
        pass
    elif (isinstance(old.type, Array) and isinstance(new.type, Array)) or comparison.is_same(
        old.type, new.type, shapes=False
    ):
        breaks = (TREEDEF,)
    changed = comparison.texts(old.type, new.type)
    return Change(
        Code.FIELD_TYPE_CHANGED,
        f"the field `{new.name}` of `{pair.new.ref.name}` has the type {changed}",
        f"keep `{new.name}`, and add a field of the new type under another name",
        breaks,
        new.type.span,
        # If the role changed too, that change reports what becomes of saved data.
        "" if crosses else comparison.origin(pair.old, new.name),
    )


def _constructor_still_accepts(comparison: Comparison, old: Field, new: Field) -> bool:
    """Return whether the constructor still accepts what it accepted for the old field type."""
    if new.convert is not None:
        return True  # only the function knows what it accepts, and it is not imported
    # The constructor accepts any array; `check()` verifies it.
    is_traced = new.role != "static"
    return isinstance(new.type, Anything) or comparison.takes(
        new.type, old.type, any_array=is_traced
    )


def _compare_order(comparison: Comparison, pair: _Pair) -> None:
    """Compare the order of shared fields, in the constructor and in the leaves."""
    old_names = {other.name: name for name, (_, other) in pair.fields.items()}
    by_position = [old_names[f.name] for f in pair.new.positional if f.name in old_names]
    is_below = comparison.keeps_base(pair.old, pair.new) and pair.old.kw_only == pair.new.kw_only
    for field in pair.old.positional:
        if field.name not in pair.fields or field.name in by_position:
            continue
        other = pair.fields[field.name][1]
        if not (is_below and other.owner != pair.new.ref):
            _report(comparison, pair, _keyword_only(pair, other), field, other)
    orders = [(CONSTRUCTOR, [f.name for f in pair.old.positional], by_position)]
    common = [pair.fields[f.name][0] for f in pair.old.leaf_order if f.name in pair.fields]
    after = [old_names[f.name] for f in pair.new.leaf_order if f.name in old_names]
    for is_static in (False, True):
        before = [f.name for f in common if (f.role == "static") == is_static]
        orders.append((TREEDEF, before, after))
    moved: dict[str, str] = {}
    for part, before, now in orders:
        pairs = zip(
            [name for name in before if name in now],
            [name for name in now if name in before],
            strict=True,
        )
        if first := next((new for old, new in pairs if old != new), ""):
            moved.setdefault(part, first)
    if moved:
        _moved(comparison, pair, next(iter(moved.values())), tuple(moved))


def _keyword_only(pair: _Pair, new: Field) -> Change:
    return Change(
        Code.FIELD_KEYWORD_ONLY,
        f"the constructor of `{pair.new.ref.name}` now takes `{new.name}` only by keyword",
        "parameters after the first default are keyword-only"
        if new.default is None
        else "without its default it could be given by position",
    )


def _moved(comparison: Comparison, pair: _Pair, first: str, breaks: tuple[str, ...]) -> None:
    """Report one finding for a class, at the first field whose position changed."""
    old, new = pair.fields[first]
    is_inherited = new.owner != pair.new.ref and comparison.new_ref(old.owner) == new.owner
    if is_inherited and pair.old.sort_leaves == pair.new.sort_leaves:
        return  # reported at the base
    change = Change(
        Code.FIELD_MOVED,
        f"the fields of `{pair.new.ref.name}` are in another order",
        "keep the order, and add new fields at the end",
        breaks,
        saved="moved",
    )
    _report(comparison, pair, change, old, new)
