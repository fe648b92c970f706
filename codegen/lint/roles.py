"""Lints about the roles of fields and parameters: static, dynamic, and identity comparison."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from codegen.check.rules.options import array_of
from codegen.check.uses import TypeUse, type_use, type_uses
from codegen.diagnostics import Code, Diagnostic, Related
from codegen.lint.linting import Linting
from codegen.program import types
from codegen.program.nodes import Class, Field
from codegen.program.types import Type

# Names of quantities that most programs vary.
SWEPT: Final = frozenset(
    ("dt", "learning_rate", "lr", "step_size", "temperature", "time_step", "timestep")
)


def swept_static(linting: Linting) -> Iterator[Diagnostic]:
    """Report each static float argument of a function, and static fields with well-known names.

    def step(plate: donated[Plate], dt: static[float])    ->    SWEPT_STATIC
    """
    for function in linting.program.functions:
        for parameter in function.parameters:
            if parameter.role == "static" and _is_float(parameter.type):
                yield _swept(linting, type_use(parameter))
    for node in linting.program.classes.values():
        for field in node.own_fields:
            if field.role == "static" and field.name in SWEPT and _is_float(field.type):
                yield _swept(linting, type_use(field), _elsewhere(linting, node, field))


def _elsewhere(linting: Linting, node: Class, field: Field) -> str:
    if not linting.facts.is_static(node.ref):
        return ""
    return (
        f". If `{node.ref.name}` must stay static, move `{field.name}` to a dynamic class or "
        "parameter"
    )


def _is_float(type: Type) -> bool:
    held = type.without_none
    return isinstance(held, types.Scalar) and held.name in ("float", "complex")


def _swept(linting: Linting, place: TypeUse, elsewhere: str = "") -> Diagnostic:
    return linting.warn(
        Code.SWEPT_STATIC,
        place.role_span,
        f"{place.description} is a static float",
        label="every new value recompiles",
        advice="write `dynamic[float]`, unless a program uses only a few values" + elsewhere,
    )


# XLA folds constants, and copies each one into every program that uses it.
SIZE_MAX: Final = 1 << 16


def large_static_array(linting: Linting) -> Iterator[Diagnostic]:
    """Report each static array that its fixed sizes already make large.

    table: static[f32[512, 512]]    ->    LARGE_STATIC_ARRAY: at least 262144 numbers
    """
    for place in type_uses(linting.program):
        if place.role != "static":
            continue
        for part in place.type.iter_held():
            if not isinstance(part, types.Array):
                continue
            size = prod(dim.value for dim in part.shape if isinstance(dim, types.Size))
            if size > SIZE_MAX:
                yield linting.warn(
                    Code.LARGE_STATIC_ARRAY,
                    part.span,
                    f"{place.description} is a static array of at least {size} numbers",
                    label="hashed, compared, and compiled into every program",
                    advice=f"write `dynamic[{place.type}]`: a call does not copy an array "
                    "that never changes",
                )


def static_class_as_dynamic(linting: Linting) -> Iterator[Diagnostic]:
    """Report each dynamic field or parameter of a class that has nothing to trace.

    grid: dynamic[Grid]    ->    STATIC_CLASS_AS_DYNAMIC: every field of `Grid` is static
    """
    for place in type_uses(linting.program):
        type = place.type
        if (
            place.role == "dynamic"
            and isinstance(type, types.ClassType)
            and linting.facts.is_static(type.ref)
        ):
            node = linting.program.classes[type.ref]
            # Programs and checkpoints see a field's role; an argument's role is internal to the
            # function.
            is_safe = place.description.startswith("the parameter")
            yield linting.warn(
                Code.STATIC_CLASS_AS_DYNAMIC,
                place.role_span,
                f"{place.description} is dynamic, but every field of `{type.ref.name}` is static",
                label="nothing to trace",
                advice=f"write `static[{type.ref.name}]`",
                related=(Related(node.span, "this class is static"),),
                fix=linting.other_role(place, "static") if is_safe else None,
            )


# The 0-d array type for each scalar type.
_ARRAYS: Final = {"bool": "Bool", "int": "i32", "float": "f32"}


def dynamic_python_scalar(linting: Linting) -> Iterator[Diagnostic]:
    """Report each field that is the only Python scalar of a class whose other children are arrays.

    obs: dynamic[f32[4]]; done: dynamic[bool]    ->    DYNAMIC_PYTHON_SCALAR: write `dynamic[Bool]`
    """
    for node in linting.program.classes.values():
        children = node.traced_fields
        scalars = [one for one in children if isinstance(one.type, types.Scalar)]
        arrays = [one for one in children if array_of(one.type) is not None]
        if len(scalars) != 1 or not arrays or len(arrays) != len(children) - 1:
            continue
        field, type = scalars[0], scalars[0].type
        if field.owner == node.ref and isinstance(type, types.Scalar) and type.name in _ARRAYS:
            yield linting.warn(
                Code.DYNAMIC_PYTHON_SCALAR,
                type.span,
                f"`{node.ref.name}.{field.name}` is a Python `{type.name}`, but all other dynamic "
                "and donated fields are arrays",
                label="accepts a Python number, or an array of any dtype of its kind",
                advice=f"write `{field.role}[{_ARRAYS[type.name]}]`, a 0-d array. If you mean a "
                "Python number, silence this lint: "
                f"`# codegen: ignore[{Code.DYNAMIC_PYTHON_SCALAR.value}]`",
            )
