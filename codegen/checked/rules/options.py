"""Options of fields stand where they have a meaning.

n: static[int] = field(init="zeros")    ->    MISPLACED_OPTION
"""

from __future__ import annotations

from codegen.checked.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.program.nodes import Class, Field
from codegen.program.types import AnyDims, Array, Batch, NoneType, Type, Union


def check_options(inspection: Inspection) -> None:
    """Judge `convert`, `init` and `spec` of every field."""
    for node in inspection.program.classes.values():
        for field in node.own_fields:
            _check_field(inspection, node, field)


def array_of(type: Type) -> Array | None:
    """Return the array type of an array or an optional array."""
    if isinstance(type, Union):
        arrays = [m for m in type.members if not isinstance(m, NoneType)]
        return array_of(arrays[0]) if len(arrays) == 1 else None
    return type if isinstance(type, Array) else None


def _check_field(inspection: Inspection, node: Class, field: Field) -> None:
    array = array_of(field.type) if field.role != "static" else None
    if field.convert is not None and field.role != "static":
        inspection.add(
            Code.MISPLACED_OPTION,
            node.source,
            field.convert.span,
            f"the field `{field.name}` is {field.role} and has `convert`",
            label="only static fields are converted",
            advice="convert the value where the object is made; a dynamic value may be a tracer",
        )
    if field.init is not None and array is None:
        inspection.add(
            Code.MISPLACED_OPTION,
            node.source,
            field.init.span,
            f"the field `{field.name}` has `init`, but is no dynamic or donated array",
            label="nothing to initialise",
            advice="a static field has a default: `= value`"
            if field.role == "static"
            else "give the arrays inside it one each, in a class of their own",
        )
    if field.spec is None:
        return
    place = field.span
    open_ended = array is not None and any(isinstance(d, AnyDims | Batch) for d in array.shape)
    if array is None:
        inspection.add(
            Code.MISPLACED_OPTION,
            node.source,
            place,
            f"the field `{field.name}` has `spec`, but is no dynamic or donated array",
            label="nothing to shard",
            advice="leave `spec` out; a nested class declares its own",
        )
    elif len(field.spec) > len(array.shape) and not open_ended:
        inspection.add(
            Code.WRONG_OPTION,
            node.source,
            place,
            f"`spec` of `{field.name}` has {len(field.spec)} entries for {len(array.shape)} axes",
            label="too many entries",
            advice="give at most one entry an axis",
        )
