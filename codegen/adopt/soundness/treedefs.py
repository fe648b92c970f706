"""Check for classes with interchangeable treedefs: same child counts, possibly equal metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from codegen.adopt.find.fields import all_fields
from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses, SourceClass
from codegen.adopt.libraries import LIBRARIES
from codegen.adopt.soundness.finding import UnsoundFinding


def check(found: FoundClasses, _: PackageNames) -> Iterator[UnsoundFinding]:
    """Yield a finding for each such class, with the most similar other one."""
    groups: dict[tuple[int, int], list[SourceClass]] = {}
    field_names: dict[str, list[str]] = {}
    for one in found.classes.values():
        if not LIBRARIES[one.library].has_own_treedef:
            fields = all_fields(one, found.classes).values()
            statics = sum(field.role == "static" for field in fields)
            groups.setdefault((len(fields) - statics, statics), []).append(one)
            field_names[one.full_name] = [field.name for field in fields]
    for (children, statics), group in groups.items():
        if len(group) == 1:
            continue
        first = min(group, key=lambda one: not _has_equal_fields(one, group, field_names))
        for one in group:
            others = [cls for cls in group if cls is not one]
            other = min(others, key=lambda cls: not _has_equal_fields(one, [cls], field_names))
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
                other=other.full_name,
                is_first=one is first,
            )


def _has_equal_fields(
    one: SourceClass, group: Sequence[SourceClass], field_names: Mapping[str, list[str]]
) -> bool:
    """Return whether another class of the group has fields with the same names."""
    own = field_names[one.full_name]
    return any(cls is not one and field_names[cls.full_name] == own for cls in group)
