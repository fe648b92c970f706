"""Check static fields: values that compare by `==`, that cannot compare, or that always differ."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.adopted.finding.names import PackageNames
from codegen.adopted.finding.nodes import Found
from codegen.adopted.unsound import samples
from codegen.adopted.unsound.finding import Unsound
from codegen.adopted.unsound.kinds import kinds

_WHY = {
    "number": (
        "it is compared by `==`: 1, 1.0 and True are equal, and so are 0.0 and -0.0, so that a call with "
        "one runs the program of another; NaN compiles at every call",
        "`static[...]`, whose values are told apart by type and bits",
        samples.NUMBER,
    ),
    "array": (
        "arrays have no hash and no one answer to `==`: the first or the second call of a jitted function "
        "fails, or each compiles anew",
        "`static[f32[...]]`, a constant that is compared by its bytes, or `dynamic[...]`",
        samples.ARRAY,
    ),
    "mutable": (
        "it may hold what can be changed: it has no hash, or a changed value runs the old program",
        "`tuple[...]` or `frozendict[...]`",
        samples.MUTABLE,
    ),
    "identity": (
        "functions and the like are compared by identity: a lambda, partial or bound method made anew "
        "compiles anew",
        "`static[Callable[...]]`, which refuses what is not found again; `identity[...]` where it is meant",
        samples.CLOSURE,
    ),
}


def check(found: Found, names: PackageNames) -> Iterator[Unsound]:
    """Yield a finding for each static field with such a type."""
    for one in found.classes.values():
        for field in one.fields:
            if field.role != "static":
                continue
            for kind in sorted(kinds(names, field)):
                why, instead, case = _WHY[kind]
                yield Unsound(
                    rule=f"static {kind}",
                    name=one.full_name,
                    field=field.name,
                    path=one.path,
                    line=field.line,
                    why=f"`{field.name}` is static, and {why}",
                    instead=instead,
                    example=samples.program(one.mechanism, one.full_name, field.name, case),
                )
