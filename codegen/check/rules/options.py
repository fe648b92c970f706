"""Check that the options of fields are only used where they have a meaning.

n: static[int] = field(init="zeros")    ->    MISPLACED_OPTION
"""

from __future__ import annotations

from codegen.check.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.program.nodes import Class, Field, Initializer
from codegen.program.types import AnyDims, Array, Batch, Type
from codegen.schema.scope import counted
from codegen.schema.vocabulary import (
    INITIALIZERS,
    INITIALIZERS_OF_ANY,
    INITIALIZERS_OF_FLOATS,
    INITIALIZERS_RANKS,
    RANK_MAX,
)


def check_options(inspection: Inspection) -> None:
    """Check the options of every field, and those of its class that depend on fields."""
    for node in inspection.program.classes.values():
        for field in node.own_fields:
            _check_field(inspection, field)
        if not node.eq and inspection.facts.is_static(node.ref):
            inspection.add(
                Code.WRONG_OPTION,
                node.span,
                f"the static class `{node.ref.name}` has `eq=False`",
                label="JAX must compare static objects by their content",
                advice="remove `eq=False`: otherwise JAX could run code that it compiled for "
                "another object",
            )
        _check_init(inspection, node)
        kinds = [node.ref, *inspection.program.graph.subclasses(node.ref)]
        if node.draft and all(map(inspection.facts.is_static, kinds)):
            inspection.add(
                Code.WRONG_OPTION,
                node.span,
                f"the static class `{node.ref.name}` has `draft=True`",
                label="a static object cannot change inside a compiled function",
                advice="remove `draft=True`. To get a changed object, call `replace` outside of "
                "compiled functions",
            )
        if node.kw_only is False and not node.abstract:
            _check_order(inspection, node)


def _check_init(inspection: Inspection, node: Class) -> None:
    """Report a class with `init=False` without a mixin; Python subclasses of an abstract one may
    define its constructor.
    """
    classes = inspection.program.classes
    line = [node, *(classes[ref] for ref in inspection.program.graph.bases(node.ref))]
    if not (node.init or node.abstract or any(one.mixins for one in line)):
        inspection.add(
            Code.WRONG_OPTION,
            node.span,
            f"the class `{node.ref.name}` has `init=False`, but no mixin",
            label="without a mixin, it has no constructor",
            advice="add a mixin with `__init__`, or remove `init=False`",
        )


def array_of(type: Type) -> Array | None:
    """Return the array type of an array or an optional array."""
    held = type.without_none
    return held if isinstance(held, Array) else None


def _check_field(inspection: Inspection, field: Field) -> None:
    array = array_of(field.type) if field.role != "static" else None
    if field.convert is not None and field.role != "static":
        inspection.add(
            Code.MISPLACED_OPTION,
            field.convert.span,
            f"the field `{field.name}` is {field.role} and cannot have `convert`",
            label="only a static field can have `convert`",
            advice="convert the value where you create the object; a dynamic value may be a tracer",
        )
    if field.init is not None and array is None:
        inspection.add(
            Code.MISPLACED_OPTION,
            field.init.span,
            f"the field `{field.name}` has `init`, but is not a dynamic or donated array",
            label="nothing to initialize",
            advice="give a static field a default instead: `= value`"
            if field.role == "static"
            else "declare a class for the arrays inside it, and give each array an `init` there",
        )
    if array is not None and array.dtype == "key" and field.init is not None:
        inspection.add(
            Code.MISPLACED_OPTION,
            field.init.span,
            f"the field `{field.name}` has `init`, but contains PRNG keys",
            label="`init` of the class gives this field its own key",
            advice="remove `init`",
        )
    elif array is not None and isinstance(field.init, Initializer):
        _check_dtype(inspection, field.name, field.init, array)
        _check_rank(inspection, field.name, field.init, array)
    if field.spec is not None:
        _check_spec(inspection, field, array)
    if field.tags and field.role == "static":
        inspection.add(
            Code.MISPLACED_OPTION,
            field.tag_span,
            f"the field `{field.name}` is static and cannot have `tag`",
            label="only fields that contain arrays can have tags",
            advice="remove `tag`, or make the field dynamic or donated",
        )


def _check_order(inspection: Inspection, node: Class) -> None:
    """Report fields that a constructor cannot take by position: in Python defaults come last."""
    defaulted = ""
    for field in node.fields:
        if field.default is not None:
            defaulted = defaulted or field.name
        elif defaulted:
            is_own = field.owner == node.ref
            inspection.add(
                Code.WRONG_OPTION,
                field.span if is_own else node.span,
                f"the field `{field.name}` needs a default, because it comes after "
                f"`{defaulted}`, and `{defaulted}` has a default",
                label="Python does not allow this order of positional parameters",
                advice=f"give `{field.name}` a default, or move it before `{defaulted}`. Or remove "
                f"`kw_only=False`: then `{field.name}` is keyword-only, and the order is free",
            )
            return


def _check_spec(inspection: Inspection, field: Field, array: Array | None) -> None:
    place, count = field.spec_span, len(field.spec or ())
    if array is None:
        inspection.add(
            Code.MISPLACED_OPTION,
            place,
            f"the field `{field.name}` has `spec`, but is not a dynamic or donated array",
            label="nothing to shard",
            advice="remove `spec`. If the type is a class, its own fields can have a `spec`",
        )
    elif count > len(array.shape) and not _has_any_rank(array):
        axes = counted(len(array.shape), "axis", "axes")
        axes_text = counted(len(array.shape), "entry", "entries")
        inspection.add(
            Code.WRONG_OPTION,
            place,
            f"`spec` of `{field.name}` has {counted(count, 'entry', 'entries')} for {axes}",
            label="too many entries",
            advice=f"write at most {axes_text}",
        )


def _check_rank(inspection: Inspection, field: str, init: Initializer, array: Array) -> None:
    """Check the number of axes. Some initializers need the last two, and JAX refuses arrays without
    them.
    """
    ranks = INITIALIZERS_RANKS.get(init.name)
    parameters = {*_parameters(init), *(name for name, _ in init.keywords)}
    # A named axis may be any axis.
    if ranks is None or _has_any_rank(array) or parameters & {"in_axis", "out_axis", "batch_axis"}:
        return
    if len(array.shape) in ranks:
        return
    axes = counted(len(array.shape), "axis", "axes")
    last = f" to {ranks[-1]}" if ranks[-1] < RANK_MAX else " or more"
    inspection.add(
        Code.WRONG_OPTION,
        init.span,
        f"the initializer `{init.name}` needs {ranks[0]}{last} axes, but `{field}` has {axes}",
        label="too few axes" if len(array.shape) < ranks[0] else "too many axes",
        advice='write `init="zeros"` or `init=normal(0.02)`: both take any number of axes',
    )


def _check_dtype(inspection: Inspection, field: str, init: Initializer, array: Array) -> None:
    """Check the dtype. Random numbers are floats, most of them also complex; JAX refuses all other
    dtypes.
    """
    dtype = array.dtype.lower()
    is_whole = dtype.startswith(("int", "uint", "bool"))
    is_complex = dtype.startswith("complex")
    if init.name in INITIALIZERS_OF_ANY or not (
        is_whole or (is_complex and init.name in INITIALIZERS_OF_FLOATS)
    ):
        return
    makes = "floats" if init.name in INITIALIZERS_OF_FLOATS else "floats and complex numbers"
    other = "init=normal(0.02)" if is_complex else "init=constant(1)"
    inspection.add(
        Code.WRONG_OPTION,
        init.span,
        f"the initializer `{init.name}` creates {makes}, but `{field}` is `{array.spelling}`",
        label="wrong dtype",
        advice=f'write `init="zeros"`, `{other}`, or the path of your own function, '
        '`init="module:function"`',
    )


def _parameters(init: Initializer) -> tuple[str, ...]:
    """Return the names of the arguments that are given by position."""
    return (INITIALIZERS[init.name] or ())[: len(init.arguments or ())]


def _has_any_rank(array: Array) -> bool:
    return any(isinstance(dim, AnyDims | Batch) for dim in array.shape)
