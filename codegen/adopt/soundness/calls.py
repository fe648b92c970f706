"""Check for jitted functions that donate whole objects, or hash a static `self` by identity."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.adopt.find.calls import JittedFunction, iter_jitted
from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses
from codegen.adopt.soundness.finding import UnsoundFinding


def check(found: FoundClasses, names: PackageNames) -> Iterator[UnsoundFinding]:
    """Yield a finding for each such function."""
    for one in iter_jitted(found.modules, names):
        for parameter, annotation in one.donated.items():
            name = names.resolve(one.module.name, annotation)
            if name in found.classes or annotation is None:
                what = f"an object of `{name}`" if name in found.classes else "of unknown type"
                yield _finding(
                    one,
                    "donation of a whole object",
                    parameter,
                    f"`{parameter}` ({what}) is donated as a whole: after the call all its arrays are "
                    "deleted, also those that were only read or that are used elsewhere",
                    "`donated[...]` for the fields that the function replaces, `dynamic[...]` for the others",
                )
        if "self" in one.static and not _has_equality(one, found):
            yield _finding(
                one,
                "identity-hashed self",
                "self",
                f"`self` is static, and `{one.owner or 'its class'}` is hashed by identity: each new "
                "object recompiles, and a changed object runs the old program",
                "a static class, which is compared by value",
            )


def _has_equality(one: JittedFunction, found: FoundClasses) -> bool:
    full_name = f"{one.module.name}.{one.owner}"
    if full_name in found.classes:
        return True
    for node in one.module.tree.body:
        if getattr(node, "name", "") == one.owner:
            methods = {getattr(inner, "name", "") for inner in getattr(node, "body", ())}
            return "__hash__" in methods or bool(getattr(node, "decorator_list", ()))
    return True


def _finding(
    one: JittedFunction, rule: str, parameter: str, why: str, instead: str
) -> UnsoundFinding:
    owner = f"{one.owner}." if one.owner else ""
    return UnsoundFinding(
        rule=rule,
        name=f"{one.module.name}.{owner}{one.name}",
        field=parameter,
        path=one.module.path,
        line=one.line,
        why=why,
        instead=instead,
    )
