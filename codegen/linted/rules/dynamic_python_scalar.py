"""A Python scalar among arrays.

obs: dynamic[f32[4]]; done: dynamic[bool]    ->    DYNAMIC_PYTHON_SCALAR: write `dynamic[Bool]`
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codegen.checked.holding import traced
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.nodes import Class, Field
from codegen.program.types import Array, Scalar, Type, optional

# The 0-d array of each kind of scalar.
_ARRAYS: Final = {"bool": "Bool", "int": "i32", "float": "f32"}


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each field that is the only Python scalar of a class whose other children are arrays."""
    for node in linting.program.classes.values():
        children = traced(node)
        scalars = [one for one in children if isinstance(one.type, Scalar)]
        arrays = [one for one in children if _is_array(one.type)]
        if len(scalars) == 1 and arrays and len(arrays) == len(children) - 1:
            field, type = scalars[0], scalars[0].type
            if field.owner == node.ref and isinstance(type, Scalar) and type.name in _ARRAYS:
                yield _warning(linting, node, field, type)


def _warning(linting: Linting, node: Class, field: Field, type: Scalar) -> Diagnostic:
    return linting.warn(
        Code.DYNAMIC_PYTHON_SCALAR,
        node.source,
        type.span,
        f"`{node.ref.name}.{field.name}` is a Python `{type.name}`, and all other children of the "
        "class are arrays",
        label="a Python number, or an array of any dtype of its kind",
        advice=f"write `{field.role}[{_ARRAYS[type.name]}]`, which is a 0-d array; if you mean a "
        f"Python number, silence this with `# codegen: ignore[{Code.DYNAMIC_PYTHON_SCALAR.value}]`",
    )


def _is_array(type: Type) -> bool:
    return isinstance(optional(type) or type, Array)
