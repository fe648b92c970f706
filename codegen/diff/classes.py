"""Compare two versions of a class, but for its fields.

class Plate(Base)    ->    class Plate: BASE_CHANGED
"""

from __future__ import annotations

from codegen.diagnostics import Code
from codegen.diff.comparison import (
    CHECKPOINT,
    CONSTRUCTOR,
    SOURCE,
    TREEDEF,
    Comparison,
    without_shapes,
)
from codegen.diff.declarations import signature_changes
from codegen.diff.fields import compare_fields
from codegen.diff.saved import outcome
from codegen.diff.scopes import in_class
from codegen.diff.values import is_same_constant
from codegen.program.nodes import Class
from codegen.program.substitution import bases_of
from codegen.program.types import ClassType
from codegen.source import Source, Span


def compare_class(comparison: Comparison, old: Class, new: Class) -> None:
    """Compare everything that a class says."""
    comparison = in_class(comparison, old, new)
    _compare_head(comparison, old, new)
    compare_fields(comparison, old, new)
    _compare_members(comparison, old, new)
    breaks, said = outcome(comparison, old, "migrate")
    if [[path.parts for path in share.paths] for share in old.shares] != [
        [path.parts for path in share.paths] for share in new.shares
    ]:
        _changed(
            comparison,
            Code.SHARING_CHANGED,
            old,
            new,
            "shares other paths than it did",
            (TREEDEF, *breaks),
            f"what is shared has one set of leaves; {said}",
        )


def _compare_head(comparison: Comparison, old: Class, new: Class) -> None:
    if _loses_base(comparison, old, new):
        before = [base.ref.name for base in (old.base,) if base] + [m.name for m in old.mixins]
        after = [base.ref.name for base in (new.base,) if base] + [m.name for m in new.mixins]
        _changed(
            comparison,
            Code.BASE_CHANGED,
            old,
            new,
            f"has {_bases(after)}, and had {_bases(before)}",
            (SOURCE,),
            "`isinstance`, and fields of the type of the base, do not take it any more",
        )
    _compare_base_arguments(comparison, old, new)
    if new.abstract and not old.abstract:
        _changed(
            comparison,
            Code.ABSTRACT_ADDED,
            old,
            new,
            "is abstract now",
            (CONSTRUCTOR, TREEDEF, CHECKPOINT),
            "an abstract class has no instances: declare the base anew, above the class",
        )
    if len(old.type_parameters) != len(new.type_parameters):
        _changed(
            comparison,
            Code.TYPE_PARAMETERS_CHANGED,
            old,
            new,
            "takes another number of type parameters",
            (SOURCE,),
            "annotations such as `Box[int]` are wrong now",
        )
    if old.registration != new.registration:
        _changed(
            comparison,
            Code.REGISTRATION_CHANGED,
            old,
            new,
            "is registered in another way",
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


def _compare_base_arguments(comparison: Comparison, old: Class, new: Class) -> None:
    """What a class says of its base's parameters, which its inherited fields have."""
    now = None if old.base is None else _base_now(comparison, old.base, new)
    if old.base is None or now is None or comparison.is_same(old.base, now):
        return
    breaks, said = outcome(comparison, old, "migrate")
    base, before = comparison.texts(old.base, now, "and had")
    is_shape = comparison.is_same(without_shapes(old.base), without_shapes(now))
    _changed(
        comparison,
        Code.BASE_CHANGED,
        old,
        new,
        f"has the base `{base}`{before}",
        (TREEDEF, *breaks) if is_shape else (SOURCE, TREEDEF, *breaks),
        f"declare another class beside it; {said}",
    )


def _bases(names: list[str]) -> str:
    return f"the base {' and '.join(f'`{name}`' for name in names)}" if names else "no base"


def _changed(
    comparison: Comparison,
    code: Code,
    old: Class,
    new: Class,
    said: str,
    breaks: tuple[str, ...],
    advice: str,
) -> None:
    comparison.add(
        code,
        new.source,
        new.span,
        f"the class `{new.ref.name}` {said}",
        breaks,
        advice=advice,
        before=(old.source, old.span),
    )


def _compare_members(comparison: Comparison, old: Class, new: Class) -> None:
    """Methods, properties and constants; those of a base are found again there."""
    methods = {one.name: one for one in new.methods}
    constants = {one.name: one for one in new.constants}
    inherited = _inherited(comparison, new)
    for method in old.methods:
        other = methods.get(method.name)
        if other is not None:
            for said in signature_changes(comparison, method, other):
                comparison.add(
                    Code.MEMBER_CHANGED,
                    new.source,
                    other.span,
                    f"`{new.ref.name}.{other.name}` {said}",
                    (SOURCE,),
                    advice="declare another method beside it",
                    before=(old.source, method.span),
                )
        elif method.name not in inherited:
            what = f"the {method.kind} `{method.name}`"
            _member_removed(comparison, new, what, (old.source, method.span))
    for constant in old.constants:
        known = constants.get(constant.name)
        if known is None and constant.name not in inherited:
            what = f"the class constant `{constant.name}`"
            _member_removed(comparison, new, what, (old.source, constant.span))
        elif known is not None and not is_same_constant(comparison, constant, known):
            comparison.add(
                Code.MEMBER_CHANGED,
                new.source,
                known.span,
                f"the class constant `{new.ref.name}.{known.name}` has another value",
                (SOURCE,),
                advice="give the new value a name of its own",
                before=(old.source, constant.span),
            )


def _inherited(comparison: Comparison, node: Class) -> set[str]:
    bases = [comparison.new.classes[ref] for ref in comparison.new.graph.bases(node.ref)]
    methods = {method.name for base in bases for method in base.methods}
    return methods | {constant.name for base in bases for constant in base.constants}


def _member_removed(
    comparison: Comparison, new: Class, what: str, before: tuple[Source, Span]
) -> None:
    comparison.add(
        Code.MEMBER_REMOVED,
        new.source,
        new.span,
        f"{what} of `{new.ref.name}` was removed",
        (SOURCE,),
        advice="keep it until nothing uses it",
        before=before,
    )
