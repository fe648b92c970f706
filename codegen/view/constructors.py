"""Constructors: the one place where values are converted.

def __new__(cls, u: ArrayLike, grid: Grid, *, t: ArrayLike = 0.0) -> Self:
    if type(u) in CONVERTED or is_weak(u):
        u = as_array(u, "float32", cls, "u")
    ...
    record = cls.__codegen_record__
    key = record.key(cls, grid)
    plate: Self = record.unflatten(key, (u, t))
    return plate

What belongs to the class is found in its record: after a reload, the names of the module stand for
what belongs to another one.
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.program.nodes import EMPTY, Field, FunctionPath, Made
from codegen.view import shares
from codegen.view.annotations import Reading, annotation
from codegen.view.dynamics import DynamicWriter
from codegen.view.expressions import call, tuple_of
from codegen.view.kinds import Kind
from codegen.view.names import Names, late_imports, local
from codegen.view.nodes import (
    Assignment,
    ConstructorView,
    Conversion,
    FieldView,
    ImportView,
    JaxConstructorView,
    MadeView,
)

KEY = "__codegen_key__"


def constructor(
    kind: Kind, names: Names, converters: list[Assignment], fields: tuple[FieldView, ...]
) -> ConstructorView | JaxConstructorView:
    """Write the constructor of a class."""
    taken = frozenset(f.name for f in kind.node.fields)
    cls, obj, record = (local(name, taken) for name in ("cls", "obj", "record"))
    writer = DynamicWriter(names, cls, kind.node.ref.name, "array", converters)
    converted = [writer.convert(field.name, field.type) for field in kind.traced_fields]
    is_converting = any(field.convert is not None for field in kind.static_fields)
    is_making = any(isinstance(field.default, Made) for field in kind.node.fields)
    checks = [*shares.required(kind.node, names, obj)]
    if kind.checks_init:
        checks.append(call(names.runtime("keys", "check_init"), obj))
    used = ["MISSING"] * is_making + ["Converted"] * is_converting
    view = ConstructorView(
        n=names.used(("typing", "Self"), *([("builtins", "isinstance")] if is_converting else []))
        | names.used_runtime("keys", *used),
        cls=cls,
        parameters=_parameters(kind, [f.parameter for f in fields]),
        imports=late_imports([f.type for f in kind.traced_fields], names),
        made=tuple(_made(kind, taken)),
        converted=tuple(step for step in converted if step is not None),
        conversions=tuple(_conversions(kind, names, taken)),
        record=record,
        key=local("key", taken),
        obj=obj,
        # Parts that are shared are judged as they were given.
        unflatten=names.runtime("classes", "unflatten")
        if kind.node.shares
        else f"{record}.unflatten",
        statics=tuple(f.name for f in kind.static_fields),
        children=tuple_of(*(f.name for f in kind.traced_fields)),
        checks=tuple(checks),
    )
    if kind.registration != "jax":
        return view
    return _for_jax(kind, names, view, local("restored", taken), fields)


def _made(kind: Kind, taken: frozenset[str]) -> Iterable[MadeView]:
    """Make what was not given: `{}` and `[]`, or what the author's function returns."""
    for field in kind.node.fields:
        if not isinstance(field.default, Made):
            continue
        if field.default.module == "builtins":
            yield MadeView(field.name, (), EMPTY[field.default.attribute])
            continue
        source, function = _imported(field.default, local(f"make_{field.name}", taken))
        yield MadeView(field.name, (source,), call(function))


def _conversions(kind: Kind, names: Names, taken: frozenset[str]) -> Iterable[Conversion]:
    """Call the author's converters; a result is typed, so that one which does not fit is a type error."""
    for field in kind.static_fields:
        if field.convert is None:
            continue
        source, function = _imported(field.convert, local(f"convert_{field.name}", taken))
        yield Conversion(
            field=field.name,
            variable=local(f"converted_{field.name}", taken),
            annotation=annotation(field.type, Reading.STATIC, names),
            function=function,
            source=source,
        )


def _imported(path: FunctionPath | Made, name: str) -> tuple[ImportView, str]:
    """Import the author's function under a name, and write it by that."""
    head, dot, rest = path.attribute.partition(".")
    return ImportView(path.module, (f"{head} as {name}",)), f"{name}{dot}{rest}"


def parameter_annotation(field: Field, names: Names) -> str:
    """Write what the constructor takes for a field."""
    if field.convert is not None:
        # Its parameter's type is known to nobody without importing it.
        return names.use("typing", "Any")
    reading = Reading.STATIC_PARAMETER if field.role == "static" else Reading.DYNAMIC_PARAMETER
    return annotation(field.type, reading, names)


def _parameters(kind: Kind, texts: list[str]) -> tuple[str, ...]:
    """Put the constructor's parameters in order: from the first default on, keyword-only."""
    star = len(kind.node.positional)
    return (*texts[:star], *(["*"] if texts[star:] else []), *texts[star:])


def _for_jax(
    kind: Kind, names: Names, view: ConstructorView, restored: str, fields: tuple[FieldView, ...]
) -> JaxConstructorView:
    """Let JAX's own unflattening through: it calls the constructor with the children and the key alone."""
    required = [f.name for f in kind.node.fields if f.default is None]
    used = names.used(("typing", "Any"), ("typing", "overload"))
    used |= names.used_runtime("keys", "TraceKey", *(["MISSING", "require"] if required else []))
    open_parameters = [
        f"{field.name}: {used['Any']} = {used['MISSING']}"
        if field.default is None
        else written.parameter
        for field, written in zip(kind.node.fields, fields, strict=True)
    ]
    open_parameters.insert(len(kind.node.positional), "*")
    return JaxConstructorView(
        n=used,
        constructor=view,
        restored=restored,
        open_parameters=tuple(open_parameters),
        children=tuple(f.name for f in kind.traced_fields),
        required=(", ".join(f"{name}={name}" for name in required),) if required else (),
    )
