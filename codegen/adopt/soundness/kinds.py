"""Find the kinds of values that an annotation of a static field allows, from the names in it.

kinds(names, field)    ->    {"number", "array", "mutable", "identity", "any"}
"""

from __future__ import annotations

import ast

from codegen.adopt.find.names import PackageNames, parse_quoted
from codegen.adopt.find.nodes import SourceField

KINDS = {
    "builtins.int": "number",
    "builtins.float": "number",
    "builtins.complex": "number",
    "builtins.bool": "number",
    "builtins.list": "mutable",
    "builtins.dict": "mutable",
    "builtins.set": "mutable",
    "typing.List": "mutable",
    "typing.Dict": "mutable",
    "typing.Set": "mutable",
    "typing.MutableMapping": "mutable",
    "typing.Mapping": "mutable",
    "collections.abc.Mapping": "mutable",
    "typing.Sequence": "mutable",
    "collections.abc.Sequence": "mutable",
    "jax.Array": "array",
    "jax.numpy.ndarray": "array",
    "jax.typing.ArrayLike": "array",
    "numpy.ndarray": "array",
    "chex.Array": "array",
    "chex.ArrayNumpy": "array",
    "chex.ArrayDevice": "array",
    "jaxtyping.Array": "array",
    "numpy.typing.NDArray": "array",
    "typing.Callable": "identity",
    "collections.abc.Callable": "identity",
    "builtins.callable": "identity",
    "concurrent.futures.Executor": "identity",
    "concurrent.futures.ThreadPoolExecutor": "identity",
    "threading.Lock": "identity",
}


def value_kinds(names: PackageNames, field: SourceField) -> frozenset[str]:
    """Return the kinds of values that the annotation of a field allows."""
    return frozenset(_kinds_in(names, field.module, field.annotation))


def _kinds_in(names: PackageNames, module: str, annotation: ast.expr) -> set[str]:
    """Return the kinds in union members and container parts, but not in callable signatures."""
    match annotation:
        case ast.BinOp(left=left, right=right):
            return _kinds_in(names, module, left) | _kinds_in(names, module, right)
        case ast.Constant(value=str() as text):
            parsed = parse_quoted(text)
            return _kinds_in(names, module, parsed) if parsed is not None else set()
        case ast.Subscript(value=value, slice=inner):
            name = names.resolve(module, value)
            if name.endswith((".Literal", ".Callable")) or name == "builtins.type":
                return {"identity"} if name.endswith(".Callable") else set()
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            kinds = {KINDS[name]} if name in KINDS else set[str]()
            if name.startswith("jaxtyping."):
                return {"array"}
            return kinds.union(*(_kinds_in(names, module, part) for part in parts))
        case ast.Name() | ast.Attribute():
            name = names.resolve(module, annotation)
            return {KINDS[name]} if name in KINDS else set()
        case _:
            return set()
