"""Compare two versions of a class, except its fields, and compare how its objects are created.

class Plate(Base)    ->    class Plate: BASE_CHANGED
w: donated[f32[n], field(init="zeros")]    ->    w: donated[f32[n, m]]    # nothing for `init`; needs `m`

If a change comes from a contained class or a base, it is reported there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from codegen.check.abstract_signature import AbstractSignatures, FreeParameter
from codegen.check.contents import ObjectContents
from codegen.check.facts import tags_of
from codegen.diagnostics import Code
from codegen.diff.comparison import (
    CHECKPOINT,
    CONSTRUCTOR,
    SOURCE,
    TREEDEF,
    Change,
    Comparison,
    with_class_renames,
    with_outcome,
    without_shapes,
)
from codegen.diff.declarations import signature_changes
from codegen.diff.fields import compare_fields
from codegen.diff.values import is_same_constant
from codegen.emit.class_traits import classes_on_meshes, classes_with_drafts
from codegen.program import types
from codegen.program.nodes import Class
from codegen.program.substitution import bases_of
from codegen.program.text import type_text, value_text
from codegen.program.types import ClassType, Ref
from codegen.schema.scope import counted

# Members that a class has because of its own declarations or those of contained classes.
_FEATURES = (
    ("draft", "declare it, or a class that contains it, with `draft=True`", classes_with_drafts),
    ("labels", "`labels` and `mask` exist only if a field has a `tag`", tags_of),
    (
        "specs",
        "`specs` exists only if a dimension or a `spec` names a mesh axis",
        classes_on_meshes,
    ),
)


def compare_class(comparison: Comparison, old: Class, new: Class) -> None:
    """Compare everything that a class declares."""
    comparison = with_class_renames(comparison, old, new)
    now, before = new.span, old.span
    for change in _head_changes(comparison, old, new):
        comparison.add(with_outcome(comparison, old, change), now, before)
    compare_fields(comparison, old, new)
    _compare_members(comparison, old, new)
    shares = [" ".join(".".join(path.parts) for path in share.paths) for share in new.shares]
    if comparison.evolution.shares(str(old.ref)) != shares:
        change = Change(
            Code.SHARING_CHANGED,
            f"the class `{new.ref.name}` shares other paths than before",
            (TREEDEF,),
            "a shared object has only one set of leaves",
            saved="migrate",
        )
        comparison.add(with_outcome(comparison, old, change), now, before)


def _head_changes(comparison: Comparison, old: Class, new: Class) -> Iterator[Change]:
    called = f"the class `{new.ref.name}`"
    if _loses_base(comparison, old, new):
        yield Change(
            Code.BASE_CHANGED,
            f"{called} now has {_bases(new)} instead of {_bases(old)}",
            (SOURCE,),
            f"`isinstance`, and fields whose type is the old base, no longer accept `{new.ref.name}`",
        )
    now = None if old.base is None else _base_now(comparison, old.base, new)
    if old.base is not None and now is not None and not comparison.is_same(old.base, now):
        # Type arguments for the base's parameters, which affect the inherited fields.
        bases = comparison.texts(old.base, now)
        is_shape = comparison.is_same(without_shapes(old.base), without_shapes(now))
        yield Change(
            Code.BASE_CHANGED,
            f"{called} has the base {bases}",
            (TREEDEF,) if is_shape else (SOURCE, TREEDEF),
            "keep the base, and declare a new class",
            saved="migrate",
        )
    if new.abstract and not old.abstract:
        yield Change(
            Code.ABSTRACT_ADDED,
            f"{called} is now abstract",
            (CONSTRUCTOR, TREEDEF, CHECKPOINT),
            f"keep `{new.ref.name}` as before, and declare a new abstract class as its base: an "
            "abstract class has no instances",
        )
    if old.init != new.init:
        kinds = ("`__init__` of a mixin", "generated")
        yield Change(
            Code.MEMBER_CHANGED,
            f"the constructor of `{new.ref.name}` is now {kinds[new.init]}",
            (CONSTRUCTOR,),
            "the parameters may differ: change the calls",
        )
    if len(old.type_parameters) != len(new.type_parameters):
        yield Change(
            Code.TYPE_PARAMETERS_CHANGED,
            f"{called} has {counted(len(new.type_parameters), 'type parameter')} instead of "
            f"{len(old.type_parameters)}",
            (SOURCE,),
            f"change annotations such as `{new.ref.name}[int]`",
        )


def _loses_base(comparison: Comparison, old: Class, new: Class) -> bool:
    """Return whether the class lost a base."""
    above = list(bases_of(new, comparison.new.classes))
    mixins = {*new.mixins, *(mixin for parent, _ in above for mixin in parent.mixins)}
    is_kept = old.base is None or _base_now(comparison, old.base, new) is not None
    return not is_kept or bool({*old.mixins} - mixins)


def _base_now(comparison: Comparison, base: ClassType, new: Class) -> ClassType | None:
    """Return the old base as the new class has it; None if it no longer derives from it."""
    ref = comparison.new_ref(base.ref)
    above = bases_of(new, comparison.new.classes)
    return next((one for parent, one in above if parent.ref == ref), None)


def _bases(node: Class) -> str:
    names = [base.ref.name for base in (node.base,) if base] + [m.name for m in node.mixins]
    return f"the base {' and '.join(f'`{name}`' for name in names)}" if names else "no base"


def _compare_members(comparison: Comparison, old: Class, new: Class) -> None:
    """Compare methods, properties and constants; a member that moved to a base is not removed."""
    methods = {one.name: one for one in new.methods}
    constants = {one.name: one for one in new.constants}
    inherited = _inherited(comparison, new)
    for method in old.methods:
        before = method.span
        other = methods.get(method.name)
        if other is not None:
            for difference in signature_changes(comparison, method, other):
                change = Change(
                    Code.MEMBER_CHANGED,
                    f"`{new.ref.name}.{other.name}` {difference}",
                    (SOURCE,),
                    f"keep `{other.name}`, and declare a new method under another name",
                )
                comparison.add(change, other.span, before)
        elif method.name not in inherited:
            change = _removed(new, f"the {method.kind} `{method.name}`")
            comparison.add(change, new.span, before)
    for constant in old.constants:
        before = constant.span
        known = constants.get(constant.name)
        if known is None and constant.name not in inherited:
            change = _removed(new, f"the class constant `{constant.name}`")
            comparison.add(change, new.span, before)
        elif known is not None and not is_same_constant(comparison, constant, known):
            change = Change(
                Code.MEMBER_CHANGED,
                f"the class constant `{new.ref.name}.{known.name}` is now "
                f"`{type_text(known.type)} = {value_text(known.value)}` instead of "
                f"`{type_text(constant.type)} = {value_text(constant.value)}`",
                (SOURCE,),
                f"keep `{known.name}`, and declare a new constant under another name",
            )
            comparison.add(change, known.span, before)


def _inherited(comparison: Comparison, node: Class) -> set[str]:
    bases = [comparison.new.classes[ref] for ref in comparison.new.graph.bases(node.ref)]
    methods = {method.name for base in bases for method in base.methods}
    return methods | {constant.name for base in bases for constant in base.constants}


def _removed(new: Class, what: str) -> Change:
    return Change(
        Code.MEMBER_REMOVED,
        f"{what} of `{new.ref.name}` was removed",
        (SOURCE,),
        "keep the member until nothing uses the member",
    )


# --- how objects are created: the keywords of `abstract`, and the names that `axes` knows


class _KeywordChange(Struct, frozen=True):
    """How the keywords of `abstract` and the names in `axes` changed for a class."""

    gone: dict[str, FreeParameter]  # keywords that are no longer accepted
    fresh: dict[str, FreeParameter]  # keywords that are newly required
    moved: tuple[str, ...]  # keywords that now are the sizes of other axes
    unknown: tuple[str, ...]  # names that `axes` no longer knows
    loses_init: bool
    is_gone: bool  # `abstract` is gone: an array would have to be given


class Makers:
    """Compares the members that create or describe objects, such as `abstract` and `init`."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._old = AbstractSignatures(ObjectContents(comparison.old))
        self._new = AbstractSignatures(ObjectContents(comparison.new))
        self._tags = tags_of(comparison.new)
        self._changes: dict[Ref, _KeywordChange | None] = {}
        self._features = [
            (member, advice, find(comparison.old), find(comparison.new))
            for member, advice, find in _FEATURES
        ]

    def compare(self, old: Class, new: Class) -> None:
        """Report the calls that callers must change."""
        for member, advice, before, after in self._features:
            if old.ref in before and new.ref not in after:
                self._removed(f"method `{member}`", old, new, advice)
        self._compare_tags(old, new)
        change = self._change(old)
        if change is None:
            return
        around = [one for ref in _around(old) if (one := self._change_of(ref)) is not None]
        if change.is_gone and not any(one.is_gone for one in around):
            advice = "`abstract` exists only if the schema declares the shape of every array"
            self._removed("class method `abstract`", old, new, advice)
        if change.loses_init and (
            _leaves_out(old, new) or not any(one.loses_init for one in around)
        ):
            advice = "`init` exists only if every array has an `init=` or a default"
            self._removed("method `init`", old, new, advice)
        changes = "; ".join(_describe(change, around, old, new))
        if changes:
            advice = "keep the names of the dimensions, or change the calls"
            self._add(Code.MEMBER_CHANGED, changes, old, new, advice)

    def _compare_tags(self, old: Class, new: Class) -> None:
        """Report the tags of its own fields that a class no longer has."""
        known = self._tags.get(new.ref, ())
        gone = {tag for field in old.own_fields for tag in field.tags} - {*known}
        if known and gone:
            message = f"`mask` of `{new.ref.name}` no longer knows {_listed(sorted(gone))}"
            advice = "an optimizer that uses this tag fails: keep the tag, or change both"
            self._add(Code.MEMBER_CHANGED, message, old, new, advice)

    def _removed(self, what: str, old: Class, new: Class, advice: str) -> None:
        message = f"the {what} of `{new.ref.name}` was removed"
        self._add(Code.MEMBER_REMOVED, message, old, new, advice)

    def _add(self, code: Code, message: str, old: Class, new: Class, advice: str) -> None:
        change = Change(code, message, (SOURCE,), advice)
        self._comparison.add(change, new.span, old.span)

    def _change_of(self, ref: Ref) -> _KeywordChange | None:
        """Return the change of a related class; `ref` is in the old version."""
        if ref not in self._changes:
            self._changes[ref] = self._change(self._comparison.old.classes[ref])
        return self._changes[ref]

    def _change(self, old: Class) -> _KeywordChange | None:
        """Return the change of a class; None if one version of it cannot be created."""
        comparison = self._comparison
        new = comparison.new.classes.get(comparison.new_ref(old.ref))
        if new is None or not (old.has_creatable_arrays and new.has_creatable_arrays):
            return None
        before, after = self._old.of(old.ref), self._new.of(new.ref)
        if before is None:
            return None
        names = self._dims(old.ref.module)
        taken = {
            names.get(one.keyword, one.keyword) if _is_size(one) else one.keyword: one
            for one in before.free
        }
        now = {one.keyword: one for one in after.free} if after is not None else taken
        known = {names.get(name, name) for name in self._old.contents.dims(old.ref)}
        places = {names.get(name, name): i for i, name in enumerate(old.dims)}
        # If the shapes differ, the fields report it.
        is_same = _has_the_same_fields(with_class_renames(comparison, old, new), old, new)
        return _KeywordChange(
            {name: one for name, one in taken.items() if name not in now},
            {name: one for name, one in now.items() if name not in taken and one.default is None},
            tuple(n for i, n in enumerate(new.dims) if is_same and places.get(n, i) != i),
            tuple(sorted(known - {*self._new.contents.dims(new.ref)})),
            before.is_initializable and after is not None and not after.is_initializable,
            after is None,
        )

    def _dims(self, module: str) -> dict[str, str]:
        """Return the new names of dimensions; a class may use those of other modules."""
        dims: dict[str, str] = {}
        for names in self._comparison.dims.values():
            dims |= names
        return dims | self._comparison.dims.get(module, {})


def _is_size(one: FreeParameter) -> bool:
    return one.kind in ("size", "shape")


def _around(node: Class) -> list[Ref]:
    """Return the classes that a class contains, and its base."""
    base = [node.base.ref] if node.base is not None else []
    held = [ref for field in node.fields for ref in types.class_refs(field.type)]
    return [ref for ref in (*base, *held) if ref != node.ref]


def _has_the_same_fields(comparison: Comparison, old: Class, new: Class) -> bool:
    known = {field.name: field.type for field in old.fields}
    return all(comparison.is_same(known.get(f.name, f.type), f.type) for f in new.fields)


def _leaves_out(old: Class, new: Class) -> bool:
    """Return whether an array that the class itself declares is no longer initialized."""
    known = {f.name for f in old.own_fields if f.init is not None or f.default is not None}
    return any(f.name in known and f.init is None and f.default is None for f in new.own_fields)


def _describe(
    change: _KeywordChange, around: list[_KeywordChange], old: Class, new: Class
) -> Iterator[str]:
    """Describe what callers must change, unless a related class or a field already reports it."""
    before = {(f.name, f.role == "static") for f in old.fields}
    common = {f.name for f in new.fields if (f.name, f.role == "static") in before}

    def own(parameters: dict[str, FreeParameter], reported: list[str]) -> list[str]:
        return [
            name
            for name, one in parameters.items()
            if not _is_of(name, reported) and (_is_size(one) or one.path[0] in common)
        ]

    gone = own(change.gone, [name for one in around for name in one.gone])
    fresh = own(change.fresh, [name for one in around for name in one.fresh])
    known = {*gone, *(name for one in around for name in one.unknown)}
    unknown = [name for name in change.unknown if name not in known]
    maker = f"`abstract` of `{new.ref.name}`"
    if gone:
        yield f"{maker} no longer takes {_listed(gone)}"
    if fresh:
        yield f"{'it' if gone else maker} now requires {_listed(fresh)}"
    if change.moved:
        yield f"{maker} uses {_listed(change.moved)} for other axes than before"
    if unknown:
        yield f"`axes` of `{new.ref.name}` no longer knows {_listed(unknown)}"


def _is_of(keyword: str, names: list[str]) -> bool:
    """Return whether a keyword is one of these, perhaps prefixed by the path of an object."""
    return any(keyword == name or keyword.endswith(f"_{name}") for name in names)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
