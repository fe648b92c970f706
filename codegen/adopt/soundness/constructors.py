"""Check for `__post_init__` that unflattening runs, and for shared mutable defaults."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codegen.adopt.find.names import PackageNames
from codegen.adopt.find.nodes import FoundClasses, SourceClass, SourceField
from codegen.adopt.libraries import LIBRARIES
from codegen.adopt.soundness.finding import UnsoundFinding

_NUMPY = ("numpy.", "jax.numpy.", "jax.random.")


def check(found: FoundClasses, names: PackageNames) -> Iterator[UnsoundFinding]:
    """Yield a finding for each such constructor and default."""
    for one in found.classes.values():
        method = one.methods.get("__post_init__")
        if method is not None and LIBRARIES[one.library].constructs_again:
            yield UnsoundFinding(
                rule="post-init on unflattening",
                name=one.full_name,
                field="",
                path=one.path,
                line=method.lineno,
                why="`__post_init__` runs whenever JAX unflattens an object, also with tracers, None and "
                "placeholders",
                instead="`__check_init__` in a mixin, which only the constructor calls",
            )
        for field in one.fields:
            why = _has_shared_default(field, names)
            if why:
                yield _shared_default(one, field, why)


def _has_shared_default(field: SourceField, names: PackageNames) -> str:
    match field.default:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp():
            return "is one object that all share, and it can be changed"
        case ast.Call() as call:
            name = names.resolve(field.module, call.func)
            if name.startswith("numpy."):
                return "is one array that all share, and it can be changed"
            if name.startswith(_NUMPY):
                return "is an array that is created at import, which initializes JAX"
    return ""


def _shared_default(cls: SourceClass, field: SourceField, why: str) -> UnsoundFinding:
    is_mutable = "changed" in why
    return UnsoundFinding(
        rule="mutable default" if is_mutable else "array default",
        name=cls.full_name,
        field=field.name,
        path=cls.path,
        line=field.line,
        why=f"the default of `{field.name}` {why}",
        instead='`field(factory="module:function")`, or a plain number, which becomes an array when an '
        "object is created",
    )
