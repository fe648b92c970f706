"""Compare the fields of two versions of a class, including inherited ones.

u: donated[f32[n]]    ->    gone: FIELD_REMOVED, `u: dynamic[bf16[n]]`: FIELD_TYPE_CHANGED

A change of an inherited field is reported where the field is declared, not again in subclasses.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from codegen.diagnostics import Code
from codegen.diff.comparison import CONSTRUCTOR, SOURCE, TREEDEF, Change, Comparison
from codegen.diff.values import is_same_default
from codegen.program.nodes import Class, Field
from codegen.program.types import Anything, Array


def compare_fields(comparison: Comparison, old: Class, new: Class) -> None:
    """Compare the stored fields, and the parameters of the constructor."""
    now = comparison.fields_now(old, new)
    both = {one.name: (one, now[one.name]) for one in old.fields if one.name in now}
    fields = _Fields(comparison, old, new, both)
    # Changes of inherited fields are reported at the base, if the class still has that base.
    is_below = comparison.keeps_base(old, new)
    for field in old.fields:
        if field.name not in both and not (is_below and field.owner != old.ref):
            fields.report(fields.removed(field), field, None)
    for name, field in now.items():
        if name not in both and not (is_below and field.owner != new.ref):
            fields.report(fields.added(field), None, field)
    for one, other in both.values():
        if other.owner == new.ref or comparison.new_ref(one.owner) != other.owner:
            for change in fields.changes(one, other):
                fields.report(change, one, other)
    fields.compare_order()


class _Fields(Struct, frozen=True):
    """A class in both versions, and the fields that both have, keyed by their old names."""

    comparison: Comparison
    old: Class
    new: Class
    both: dict[str, tuple[Field, Field]]

    def report(self, change: Change, old: Field | None, new: Field | None) -> None:
        """Record a change of a field, at the field if the class declares it."""
        now = self.new.span
        if new is not None and (change.span is not None or new.owner == self.new.ref):
            now = new.span
        before, name = (old.span, old.name) if old is not None else (None, "")
        is_abstract = self.old.abstract and self.new.abstract
        self.comparison.add(change, now, before, of=self.old, field=name, is_abstract=is_abstract)

    def removed(self, field: Field) -> Change:
        """Return the change of a field that is gone."""
        is_reserved = any(one.name == field.name for one in self.new.reserved)
        advice = (
            f"if you renamed `{field.name}`, write `# codegen: was[{field.name}]` on its new line"
        )
        return Change(
            Code.FIELD_REMOVED,
            f"the field `{field.name}` of `{self.new.ref.name}` was removed",
            f"remove every use of `{field.name}`" if is_reserved else advice,
            saved="reserved" if is_reserved else "removed",
        )

    def added(self, field: Field) -> Change:
        """Return the change of a field that is new."""
        is_required = field.default is None
        advice = f"give `{field.name}` a default"
        return Change(
            Code.FIELD_ADDED,
            f"the {'required ' * is_required}field `{field.name}` was added to `{self.new.ref.name}`",
            advice if is_required else "compute saved treedefs again, from objects",
            (CONSTRUCTOR, TREEDEF) if is_required else None,
            saved=self.comparison.origin(self.old, field.name),
        )

    def changes(self, old: Field, new: Field) -> Iterator[Change]:
        """Yield the changes of a field that both versions have."""
        if old.name != new.name:
            yield Change(
                Code.FIELD_RENAMED,
                f"the field `{old.name}` of `{self.new.ref.name}` was renamed to `{new.name}`",
                "keep the name",
                span=new.span,
                saved="renamed",
            )
        yield from self._role_changes(old, new)
        is_retyped = not self.comparison.is_same(old.type, new.type)
        if is_retyped:
            yield self._retyped(old, new)
        elif old.convert is not None and new.convert is None and not isinstance(new.type, Anything):
            # A constructor that converts accepts more than the type of the field.
            yield Change(
                Code.FIELD_TYPE_CHANGED,
                f"the constructor of `{self.new.ref.name}` no longer converts `{new.name}`: "
                f"it takes only `{new.type}`",
                "keep its `convert=`, or convert the value before each call",
                (CONSTRUCTOR,),
                new.span,
            )
        if old.default is not None:
            yield from self._default_changes(old, new, is_retyped=is_retyped)

    def _role_changes(self, old: Field, new: Field) -> Iterator[Change]:
        called = f"the field `{new.name}` of `{self.new.ref.name}`"
        if (old.role == "static") != (new.role == "static"):
            yield Change(
                Code.FIELD_ROLE_CHANGED,
                f"{called} is now {new.role} instead of {old.role}",
                f"keep the role `{old.role}`, or update programs that read leaves or compare treedefs",
                # A JAX array is not a static value.
                (SOURCE, CONSTRUCTOR, TREEDEF) if new.role == "static" else None,
                new.role_span,
                self.comparison.origin(self.old, new.name),
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
            to_ref = (
                f"write `obj.{new.name}[...]` to read the content, and `obj.{new.name}[...] = value` "
                "instead of `replace`"
            )
            to_array = f"read `obj.{new.name}` without `[...]`, and write it with `replace`"
            yield Change(
                Code.REF_CHANGED,
                f"{called} is now {'a `jax.Ref`' if new.role == 'ref' else 'an array'}",
                to_ref if new.role == "ref" else to_array,
                span=new.role_span,
            )

    def _default_changes(self, old: Field, new: Field, *, is_retyped: bool) -> Iterator[Change]:
        assert old.default is not None
        before = str(old.default)
        if new.default is None:
            yield Change(
                Code.DEFAULT_REMOVED,
                f"the field `{new.name}` of `{self.new.ref.name}` no longer has a default",
                f"keep the default `{before}`",
                span=new.span,
            )
        elif not is_same_default(self.comparison, old, new, retyped=is_retyped):
            yield Change(
                Code.DEFAULT_CHANGED,
                f"the default of `{new.name}` is now `{new.default}` instead of `{before}`",
                f"pass `{new.name}={before}` in calls that omit `{new.name}`: they now compute "
                "something else",
                span=new.span,
            )

    def _retyped(self, old: Field, new: Field) -> Change:
        crosses = (old.role == "static") != (new.role == "static")
        # Only the function of a `convert=` knows what it accepts. For a traced field, the
        # constructor accepts any array; `check()` verifies it.
        is_accepted = new.convert is not None or isinstance(new.type, Anything)
        is_accepted |= self.comparison.takes(new.type, old.type, any_array=new.role != "static")
        breaks: tuple[str, ...] = (SOURCE, *[CONSTRUCTOR] * (not is_accepted), TREEDEF)
        are_arrays = isinstance(old.type, Array) and isinstance(new.type, Array)
        if new.role != "static" and (
            are_arrays or self.comparison.is_same(old.type, new.type, shapes=False)
        ):
            breaks = (TREEDEF,)
        changed = self.comparison.texts(old.type, new.type)
        return Change(
            Code.FIELD_TYPE_CHANGED,
            f"the field `{new.name}` of `{self.new.ref.name}` has the type {changed}",
            f"keep `{new.name}`, and add a field of the new type under another name",
            breaks,
            new.type.span,
            # If the role changed too, that change reports what becomes of saved data.
            "" if crosses else self.comparison.origin(self.old, new.name),
        )

    def compare_order(self) -> None:
        """Compare the order of shared fields, in the constructor and in the leaves."""
        old_names = {other.name: name for name, (_, other) in self.both.items()}
        by_position = [old_names[f.name] for f in self.new.positional if f.name in old_names]
        is_below = self.comparison.keeps_base(self.old, self.new)
        is_below &= self.old.kw_only == self.new.kw_only
        for field in self.old.positional:
            if field.name not in self.both or field.name in by_position:
                continue
            other = self.both[field.name][1]
            if not (is_below and other.owner != self.new.ref):
                self.report(self._keyword_only(other), field, other)
        orders = [(CONSTRUCTOR, [f.name for f in self.old.positional], by_position)]
        common = [self.both[f.name][0] for f in self.old.leaf_order if f.name in self.both]
        after = [old_names[f.name] for f in self.new.leaf_order if f.name in old_names]
        for is_static in (False, True):
            before = [f.name for f in common if (f.role == "static") == is_static]
            orders.append((TREEDEF, before, after))
        moved: dict[str, str] = {}
        for part, before, now in orders:
            was, becomes = [n for n in before if n in now], [n for n in now if n in before]
            if was != becomes:
                first = next(b for a, b in zip(was, becomes, strict=True) if a != b)
                moved.setdefault(part, first)
        if moved:
            self._report_moved(next(iter(moved.values())), tuple(moved))

    def _keyword_only(self, new: Field) -> Change:
        return Change(
            Code.FIELD_KEYWORD_ONLY,
            f"the constructor of `{self.new.ref.name}` now takes `{new.name}` only by keyword",
            "parameters after the first default are keyword-only"
            if new.default is None
            else "without its default it could be given by position",
        )

    def _report_moved(self, first: str, breaks: tuple[str, ...]) -> None:
        """Report one finding for a class, at the first field whose position changed."""
        old, new = self.both[first]
        is_inherited = new.owner != self.new.ref and self.comparison.new_ref(old.owner) == new.owner
        if is_inherited and self.old.sort_leaves == self.new.sort_leaves:
            return  # reported at the base
        change = Change(
            Code.FIELD_MOVED,
            f"the fields of `{self.new.ref.name}` are in another order",
            "keep the order, and add new fields at the end",
            breaks,
            saved="moved",
        )
        self.report(change, old, new)
