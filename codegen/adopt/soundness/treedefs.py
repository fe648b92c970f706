"""Check for classes with interchangeable treedefs: same child counts, possibly equal metadata."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.adopt.find.fields import all_fields
from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses, SourceClass
from codegen.adopt.libraries import LIBRARIES
from codegen.adopt.soundness import samples
from codegen.adopt.soundness.finding import UnsoundFinding


def check(found: FoundClasses, _: PackageNames) -> Iterator[UnsoundFinding]:
    """Yield a finding for each class with such a twin, with the first of its twins."""
    groups: dict[tuple[int, int], list[SourceClass]] = {}
    for one in found.classes.values():
        if not LIBRARIES[one.library].has_own_treedef:
            fields = all_fields(one, found.classes).values()
            statics = sum(field.role == "static" for field in fields)
            groups.setdefault((len(fields) - statics, statics), []).append(one)
    for (children, statics), group in groups.items():
        for one in group if len(group) > 1 else ():
            other = group[0] if one is not group[0] else group[1]
            also = f" and {len(group) - 2} more" if len(group) > 2 else ""
            metadata = (
                f"equal values in their {statics} static fields" if statics else "no static field"
            )
            yield UnsoundFinding(
                rule="equal treedefs",
                name=one.full_name,
                field="",
                path=one.path,
                line=one.line,
                why=f"with {children} children and {metadata}, its treedef equals that of "
                f"`{other.full_name}`{also}: with jax 0.10 a jitted function sometimes runs the program of "
                "the other class, and `lax.cond` accepts both as one type",
                instead="a generated class, which is part of its own treedef",
                example=samples.TREEDEFS.format(
                    one=_has_plain_treedef(one), two=_has_plain_treedef(other)
                ),
            )


def _has_plain_treedef(cls: SourceClass) -> str:
    return cls.full_name.replace("<locals>", "")
