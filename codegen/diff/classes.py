"""Compare two versions of a class, except its fields, and compare how its objects are created.

class Plate(Base)    ->    class Plate: BASE_CHANGED
w: donated[f32[n], field(init="zeros")]    ->    w: donated[f32[n, m]]    # nothing for `init`; needs `m`

If a change comes from a contained class or a base, it is reported there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from codegen.check.abstract_signature import AbstractSignatures, FreeParameter
from codegen.check.contents import ObjectContents
from codegen.check.facts import tags_of
from codegen.diagnostics import Code
from codegen.diff.comparison import (
    CONSTRUCTOR,
    SOURCE,
    TREEDEF,
    Change,
    Comparison,
    with_class_renames,
)
from codegen.diff.declarations import signature_changes
from codegen.diff.fields import compare_fields
from codegen.diff.values import is_same_constant
from codegen.emit.class_traits import classes_on_meshes, classes_with_drafts
from codegen.program.nodes import Class, ClassConstant, Function
from codegen.program.substitution import bases_of
from codegen.program.types import ClassType, Ref
from codegen.schema import nodes as declarations
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
        comparison.add(change, now, before, of=old)
    compare_fields(comparison, old, new)
    _compare_members(comparison, old, new)
    shares = [" ".join(".".join(path.parts) for path in share.paths) for share in new.shares]
    if comparison.evolution.shares(str(old.ref)) != shares:
        change = Change(
            Code.SHARING_CHANGED,
            f"the class `{new.ref.name}` shares other paths than before",
            "a shared object has only one set of leaves",
            saved="migrate",
        )
        comparison.add(change, now, before, of=old)


def _head_changes(comparison: Comparison, old: Class, new: Class) -> Iterator[Change]:
    called = f"the class `{new.ref.name}`"
    if _loses_base(comparison, old, new):
        yield Change(
            Code.BASE_CHANGED,
            f"{called} now has {_bases(new)} instead of {_bases(old)}",
            f"`isinstance`, and fields whose type is the old base, no longer accept `{new.ref.name}`",
        )
    now = None if old.base is None else _base_now(comparison, old.base, new)
    if old.base is not None and now is not None and not comparison.is_same(old.base, now):
        # Type arguments for the base's parameters, which affect the inherited fields.
        bases = comparison.texts(old.base, now)
        is_shape = comparison.is_same(old.base, now, shapes=False)
        yield Change(
            Code.BASE_CHANGED,
            f"{called} has the base {bases}",
            "keep the base, and declare a new class",
            (TREEDEF,) if is_shape else (SOURCE, TREEDEF),
            saved="migrate",
        )
    if new.abstract and not old.abstract:
        yield Change(
            Code.ABSTRACT_ADDED,
            f"{called} is now abstract",
            f"keep `{new.ref.name}` as before, and declare a new abstract class as its base: an "
            "abstract class has no instances",
        )
    if old.init != new.init:
        kinds = ("`__init__` of a mixin", "generated")
        yield Change(
            Code.MEMBER_CHANGED,
            f"the constructor of `{new.ref.name}` is now {kinds[new.init]}",
            "the parameters may differ: change the calls",
            (CONSTRUCTOR,),
        )
    if len(old.type_parameters) != len(new.type_parameters):
        yield Change(
            Code.TYPE_PARAMETERS_CHANGED,
            f"{called} has {counted(len(new.type_parameters), 'type parameter')} instead of "
            f"{len(old.type_parameters)}",
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
    members = _members(new)
    bases = (comparison.new.classes[ref] for ref in comparison.new.graph.bases(new.ref))
    inherited = {name for base in bases for name in _members(base)}
    for name, one in _members(old).items():
        other = members.get(name)
        is_constant = isinstance(one, declarations.ClassConstant)
        differences = _differences(comparison, one, other)
        if differences is None and name not in inherited:
            kind = "class constant" if isinstance(one, declarations.ClassConstant) else one.kind
            change = _removed(
                f"{kind} `{name}`", new, "keep the member until nothing uses the member"
            )
            comparison.add(change, new.span, one.span)
        for difference in differences or ():
            noun = "constant" if is_constant else "method"
            change = Change(
                Code.MEMBER_CHANGED,
                f"{'the class constant ' * is_constant}`{new.ref.name}.{name}` {difference}",
                f"keep `{name}`, and declare a new {noun} under another name",
            )
            comparison.add(change, new.span if other is None else other.span, one.span)


_Member: TypeAlias = Function | ClassConstant


def _members(node: Class) -> dict[str, _Member]:
    members: dict[str, _Member] = {one.name: one for one in node.methods}
    return members | {one.name: one for one in node.constants}


def _differences(comparison: Comparison, old: _Member, new: _Member | None) -> list[str] | None:
    """Describe the changes of a member; None if it is gone, or if it is of another kind."""
    match old, new:
        case declarations.Function(), declarations.Function():
            return [*signature_changes(comparison, old, new)]
        case declarations.ClassConstant(), declarations.ClassConstant():
            if is_same_constant(comparison, old, new):
                return []
            now, before = (f"{one.type} = {one.value}" for one in (new, old))
            return [f"is now `{now}` instead of `{before}`"]
        case _:
            return None


def _removed(what: str, new: Class, advice: str) -> Change:
    return Change(Code.MEMBER_REMOVED, f"the {what} of `{new.ref.name}` was removed", advice)


# --- how objects are created: the keywords of `abstract`, and the names that `axes` knows


class _KeywordChange(Struct, frozen=True):
    """How the keywords of `abstract` and the names in `axes` changed for a class."""

    gone: dict[str, FreeParameter]  # keywords that are no longer accepted
    fresh: dict[str, FreeParameter]  # keywords that are newly required
    moved: tuple[str, ...]  # keywords that now are the sizes of other axes
    unknown: tuple[str, ...]  # names that `axes` no longer knows
    loses_init: bool
    is_gone: bool  # `abstract` is gone: an array would have to be given


def compare_makers(comparison: Comparison, pairs: Sequence[tuple[Class, Class]]) -> None:
    """Report the calls that create or describe objects, such as `abstract`, and that must change."""
    for member, advice, find in _FEATURES:
        before, after = find(comparison.old), find(comparison.new)
        for old, new in pairs:
            if old.ref in before and new.ref not in after:
                comparison.add(_removed(f"method `{member}`", new, advice), new.span, old.span)
    signatures, later = (
        AbstractSignatures(ObjectContents(one)) for one in (comparison.old, comparison.new)
    )
    changes: dict[Ref, _KeywordChange] = {}
    for old, new in pairs:
        if change := _keyword_change(comparison, signatures, later, old, new):
            changes[old.ref] = change
    tags = tags_of(comparison.new)
    for old, new in pairs:
        found = [*_tag_changes(tags.get(new.ref, ()), old, new)]
        if change := changes.get(old.ref):
            around = [changes[ref] for ref in _around(old) if ref in changes]
            found += _maker_changes(change, around, old, new)
        for one in found:
            comparison.add(one, new.span, old.span)


def _tag_changes(known: Sequence[str], old: Class, new: Class) -> Iterator[Change]:
    """Yield the tags of its own fields that a class no longer has."""
    gone = {tag for field in old.own_fields for tag in field.tags} - {*known}
    if known and gone:
        yield Change(
            Code.MEMBER_CHANGED,
            f"`mask` of `{new.ref.name}` no longer knows {_listed(sorted(gone))}",
            "an optimizer that uses this tag fails: keep the tag, or change both",
        )


def _maker_changes(
    change: _KeywordChange, around: list[_KeywordChange], old: Class, new: Class
) -> Iterator[Change]:
    """Yield what changed, unless one of the classes around reports it."""
    if change.is_gone and not any(one.is_gone for one in around):
        advice = "`abstract` exists only if the schema declares the shape of every array"
        yield _removed("class method `abstract`", new, advice)
    if change.loses_init and (_leaves_out(old, new) or not any(one.loses_init for one in around)):
        advice = "`init` exists only if every array has an `init=` or a default"
        yield _removed("method `init`", new, advice)
    if keywords := "; ".join(_describe(change, around, old, new)):
        advice = "keep the names of the dimensions, or change the calls"
        yield Change(Code.MEMBER_CHANGED, keywords, advice)


def _keyword_change(
    comparison: Comparison,
    signatures: AbstractSignatures,
    later: AbstractSignatures,
    old: Class,
    new: Class,
) -> _KeywordChange | None:
    """Return the change of a class; None if one version of it cannot be created."""
    if not (old.has_creatable_arrays and new.has_creatable_arrays):
        return None
    before, after = signatures.of(old.ref), later.of(new.ref)
    if before is None:
        return None
    # The new names of dimensions; a class may use those of other modules.
    names: dict[str, str] = {}
    for renamed in (*comparison.dims.values(), comparison.dims.get(old.ref.module, {})):
        names |= renamed
    taken = {
        names.get(one.keyword, one.keyword) if _is_size(one) else one.keyword: one
        for one in before.free
    }
    now = {one.keyword: one for one in after.free} if after is not None else taken
    known = {names.get(name, name) for name in signatures.contents.dims(old.ref)}
    places = {names.get(name, name): i for i, name in enumerate(old.dims)}
    # If the shapes differ, the fields report it.
    is_same = _has_the_same_fields(with_class_renames(comparison, old, new), old, new)
    return _KeywordChange(
        {name: one for name, one in taken.items() if name not in now},
        {name: one for name, one in now.items() if name not in taken and one.default is None},
        tuple(n for i, n in enumerate(new.dims) if is_same and places.get(n, i) != i),
        tuple(sorted(known - {*later.contents.dims(new.ref)})),
        before.is_initializable and after is not None and not after.is_initializable,
        after is None,
    )


def _is_size(one: FreeParameter) -> bool:
    return one.kind in ("size", "shape")


def _around(node: Class) -> list[Ref]:
    """Return the classes that a class contains, and its base."""
    base = [node.base.ref] if node.base is not None else []
    held = [ref for field in node.fields for ref in field.type.class_refs]
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
