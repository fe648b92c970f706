"""Compare two versions of an enum.

EXPLICIT = "explicit"    ->    gone: ENUM_MEMBER_REMOVED, `= "e"`: ENUM_CHANGED
"""

from __future__ import annotations

from codegen.compared.kinds import CHECKPOINT, SOURCE, TREEDEF
from codegen.compared.saved import RENAMED, is_held
from codegen.compared.values import is_same_value
from codegen.compared.versions import Comparison, names_now
from codegen.diagnostics import Code
from codegen.program.nodes import Enum
from codegen.source import Source


def compare_enum(
    comparison: Comparison, old: Enum, new: Enum, before: Source, after: Source
) -> None:
    """Compare kinds and members; Python pickles a member by its value."""
    if old.kind != new.kind:
        comparison.add(
            Code.ENUM_CHANGED,
            after,
            new.span,
            f"`{new.ref.name}` was `{old.kind}` and is `{new.kind}` now",
            (SOURCE, TREEDEF),
            advice=f"keep `{old.kind}`, or declare a new enum beside it",
            before=(before, old.span),
        )
    saved = (CHECKPOINT,) if is_held(comparison.old, old.ref) else ()
    members = {one.name: one for one in new.members}
    was = {one.name: one.was for one in new.members}
    names = names_now(was, {one.name for one in old.members})
    for member in old.members:
        other = members.get(names.get(member.name, ""))
        if other is None or other.name != member.name:
            comparison.add(
                Code.ENUM_MEMBER_REMOVED,
                after,
                new.span if other is None else other.span,
                f"`{old.ref.name}.{member.name}` "
                + ("was removed" if other is None else f"is called `{other.name}` now"),
                (SOURCE, TREEDEF, *saved) if other is None else (SOURCE,),
                advice="keep the member: one more costs nothing"
                if other is None
                else f"keep the member: one more costs nothing; {RENAMED[1]}",
                before=(before, member.span),
            )
        elif not is_same_value(comparison, member.value, other.value):
            comparison.add(
                Code.ENUM_CHANGED,
                after,
                other.span,
                f"`{new.ref.name}.{other.name}` has another value than it had",
                (SOURCE, TREEDEF),
                advice="keep the value, or add a member with the new one",
                before=(before, member.span),
            )
