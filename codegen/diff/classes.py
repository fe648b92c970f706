"""Compare two versions of a class, but for its fields.

class Plate(Base)    ->    class Plate: BASE_CHANGED
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.diagnostics import Code
from codegen.diff.comparison import (
    CHECKPOINT,
    CONSTRUCTOR,
    SOURCE,
    TREEDEF,
    Change,
    Comparison,
    without_shapes,
)
from codegen.diff.declarations import signature_changes
from codegen.diff.fields import compare_fields
from codegen.diff.saved import with_outcome
from codegen.diff.scopes import in_class
from codegen.diff.values import is_same_constant
from codegen.program.nodes import Class
from codegen.program.substitution import bases_of
from codegen.program.types import ClassType


def compare_class(comparison: Comparison, old: Class, new: Class) -> None:
    """Compare everything that a class says."""
    comparison = in_class(comparison, old, new)
    now, before = (new.source, new.span), (old.source, old.span)
    for change in _head_changes(comparison, old, new):
        comparison.add(with_outcome(comparison, old, change), now, before)
    compare_fields(comparison, old, new)
    _compare_members(comparison, old, new)
    if [[path.parts for path in share.paths] for share in old.shares] != [
        [path.parts for path in share.paths] for share in new.shares
    ]:
        change = Change(
            Code.SHARING_CHANGED,
            f"the class `{new.ref.name}` shares other paths than it did",
            (TREEDEF,),
            "what is shared has one set of leaves",
            saved="migrate",
        )
        comparison.add(with_outcome(comparison, old, change), now, before)


def _head_changes(comparison: Comparison, old: Class, new: Class) -> Iterator[Change]:
    called = f"the class `{new.ref.name}`"
    if _loses_base(comparison, old, new):
        yield Change(
            Code.BASE_CHANGED,
            f"{called} has {_bases(new)}, and had {_bases(old)}",
            (SOURCE,),
            "`isinstance`, and fields of the type of the base, do not take it any more",
        )
    now = None if old.base is None else _base_now(comparison, old.base, new)
    if old.base is not None and now is not None and not comparison.is_same(old.base, now):
        # What a class says of its base's parameters, which its inherited fields have.
        base, before = comparison.texts(old.base, now, "and had")
        is_shape = comparison.is_same(without_shapes(old.base), without_shapes(now))
        yield Change(
            Code.BASE_CHANGED,
            f"{called} has the base `{base}`{before}",
            (TREEDEF,) if is_shape else (SOURCE, TREEDEF),
            "declare another class beside it",
            saved="migrate",
        )
    if new.abstract and not old.abstract:
        yield Change(
            Code.ABSTRACT_ADDED,
            f"{called} is abstract now",
            (CONSTRUCTOR, TREEDEF, CHECKPOINT),
            "an abstract class has no instances: declare the base anew, above the class",
        )
    if len(old.type_parameters) != len(new.type_parameters):
        yield Change(
            Code.TYPE_PARAMETERS_CHANGED,
            f"{called} takes another number of type parameters",
            (SOURCE,),
            "annotations such as `Box[int]` are wrong now",
        )
    if old.registration != new.registration:
        yield Change(
            Code.REGISTRATION_CHANGED,
            f"{called} is registered in another way",
            (TREEDEF,),
            "saved treedefs are made anew from objects",
        )


def _loses_base(comparison: Comparison, old: Class, new: Class) -> bool:
    """Whether the class derived from something that it does not derive from any more."""
    above = list(bases_of(new, comparison.new.classes))
    mixins = {*new.mixins, *(mixin for parent, _ in above for mixin in parent.mixins)}
    is_kept = old.base is None or _base_now(comparison, old.base, new) is not None
    return not is_kept or bool({*old.mixins} - mixins)


def _base_now(comparison: Comparison, base: ClassType, new: Class) -> ClassType | None:
    """What a base that a class had is to it now."""
    ref = comparison.new_ref(base.ref)
    above = bases_of(new, comparison.new.classes)
    return next((one for parent, one in above if parent.ref == ref), None)


def _bases(node: Class) -> str:
    names = [base.ref.name for base in (node.base,) if base] + [m.name for m in node.mixins]
    return f"the base {' and '.join(f'`{name}`' for name in names)}" if names else "no base"


def _compare_members(comparison: Comparison, old: Class, new: Class) -> None:
    """Methods, properties and constants; those of a base are found again there."""
    methods = {one.name: one for one in new.methods}
    constants = {one.name: one for one in new.constants}
    inherited = _inherited(comparison, new)
    for method in old.methods:
        before = old.source, method.span
        other = methods.get(method.name)
        if other is not None:
            for said in signature_changes(comparison, method, other):
                change = Change(
                    Code.MEMBER_CHANGED,
                    f"`{new.ref.name}.{other.name}` {said}",
                    (SOURCE,),
                    "declare another method beside it",
                )
                comparison.add(change, (new.source, other.span), before)
        elif method.name not in inherited:
            change = _removed(new, f"the {method.kind} `{method.name}`")
            comparison.add(change, (new.source, new.span), before)
    for constant in old.constants:
        before = old.source, constant.span
        known = constants.get(constant.name)
        if known is None and constant.name not in inherited:
            change = _removed(new, f"the class constant `{constant.name}`")
            comparison.add(change, (new.source, new.span), before)
        elif known is not None and not is_same_constant(comparison, constant, known):
            change = Change(
                Code.MEMBER_CHANGED,
                f"the class constant `{new.ref.name}.{known.name}` has another value",
                (SOURCE,),
                "give the new value a name of its own",
            )
            comparison.add(change, (new.source, known.span), before)


def _inherited(comparison: Comparison, node: Class) -> set[str]:
    bases = [comparison.new.classes[ref] for ref in comparison.new.graph.bases(node.ref)]
    methods = {method.name for base in bases for method in base.methods}
    return methods | {constant.name for base in bases for constant in base.constants}


def _removed(new: Class, what: str) -> Change:
    return Change(
        Code.MEMBER_REMOVED,
        f"{what} of `{new.ref.name}` was removed",
        (SOURCE,),
        "keep it until nothing uses it",
    )
