"""Check static fields: values that compare by `==`, that cannot compare, or that always differ."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses
from codegen.adopt.soundness.finding import UnsoundFinding
from codegen.adopt.soundness.kinds import value_kinds

_WHY = {
    "number": (
        "it is compared by `==`: 1, 1.0 and True are equal, and so are 0.0 and -0.0. A call with one "
        "value then runs the program of another, and NaN recompiles at every call",
        "`static[...]`, which distinguishes values by type and bits",
    ),
    "array": (
        "arrays have no hash and no single answer to `==`: the first or second call of a jitted "
        "function fails, or every call recompiles",
        "`static[f32[...]]`, a constant that is compared by its bytes, or `dynamic[...]`",
    ),
    "mutable": (
        "its value may be mutable: it has no hash, or a changed value runs the old program",
        "`tuple[...]` or `frozendict[...]`",
    ),
    "identity": (
        "its value is compared by identity: each new lambda, partial or bound method recompiles",
        "`static[Callable[...]]`, which refuses functions without a name in a module, or "
        "`identity[...]` to compare by identity",
    ),
}


def check(found: FoundClasses, names: PackageNames) -> Iterator[UnsoundFinding]:
    """Yield a finding for each static field with such a type."""
    for one in found.classes.values():
        for field in one.fields:
            if field.role != "static":
                continue
            for kind in sorted(value_kinds(names, field)):
                why, instead = _WHY[kind]
                yield UnsoundFinding(
                    rule=f"static {kind}",
                    name=one.full_name,
                    field=field.name,
                    path=one.path,
                    line=field.line,
                    why=f"`{field.name}` is static, and {why}",
                    instead=instead,
                )
