"""Constructors: the one place where values are converted.

def __init__(self, u: ArrayLike, grid: Grid, *, t: ArrayLike = 0.0) -> None:
    if type(u) in CONVERTED:
        u = as_array(u, "float32", type(self), "u")
    ...
    record = type(self).__codegen_record__
    key = record.key(type(self), grid)
    object.__setattr__(self, "__class__", record.twin)
    record.fill(self, key, (u, t))

What belongs to the class is found in its record: after a reload, the names of the module stand for
what belongs to another one.
"""

from __future__ import annotations

from codegen.program.nodes import Field
from codegen.view import shares
from codegen.view.annotations import Reading, annotation
from codegen.view.dynamics import DynamicWriter
from codegen.view.kinds import Kind
from codegen.view.layout import (
    Node,
    call,
    default_of,
    fit,
    flat,
    import_as,
    is_too_long,
    parenthesized,
    signature,
    statement,
    tuple_of,
)
from codegen.view.literals import expression, py_str
from codegen.view.methods import self_name
from codegen.view.names import Names, late_imports, local
from codegen.view.nodes import AbstractInitView, InitView, JaxInitView
from codegen.view.statics import Converter

KEY = "__codegen_key__"


def constructor(
    kind: Kind, names: Names, converters: list[Converter]
) -> InitView | JaxInitView | AbstractInitView:
    """Write the constructor of a class."""
    if kind.node.abstract:
        return AbstractInitView(f"{names.use('abc', '')}.abstractmethod")
    fields = kind.node.fields
    self = self_name(f.name for f in fields)
    taken = frozenset(f.name for f in fields)
    key, record = local("key", taken), local("record", taken)
    cls = f"{names.builtin('type')}({self})"
    key_call = call(
        f"{record}.key",
        cls,
        *(f.name for f in kind.static_fields),
    )
    children = tuple_of(*(f.name for f in kind.traced_fields))
    written = parameters(kind, names)
    init = InitView(
        signature=signature("def __init__(", [self, *written], ") -> None:", 4),
        statements=tuple(_statements(kind, names, converters, self)),
        record=statement(f"{record} = ", f"{cls}.__codegen_record__", 8),
        key=statement(f"{key} = ", key_call, 8),
        fill=_fill(kind, names, self, key, children, 8),
        after=_after(kind, names, self),
    )
    return _jax_constructor(kind, names, init, written) if kind.registration == "jax" else init


def _fill(kind: Kind, names: Names, self: str, key: str, children: Node, indent: int) -> str:
    record = local("record", {f.name for f in kind.node.fields})
    filled = statement("", call(f"{record}.fill", self, key, children), indent)
    if not kind.opens:
        return filled
    set_class = f"{names.builtin('object')}.__setattr__"
    open_ = call(set_class, self, py_str("__class__"), f"{record}.twin")
    comment = (
        " " * indent + "# Plain assignments need a class that is not frozen: see `open_class`."
    )
    return f"{comment}\n{statement('', open_, indent)}\n{filled}"


def _after(kind: Kind, names: Names, self: str) -> tuple[str, ...]:
    shared = shares.required(kind.node, names, self)
    check = names.runtime("keys.construct", "check_init") if kind.checks_init else ""
    return (*shared, f"        {check}({self})") if check else shared


def _statements(kind: Kind, names: Names, converters: list[Converter], self: str) -> list[str]:
    owner = f"{names.builtin('type')}({self})"
    writer = DynamicWriter(names, owner, kind.node.ref.name, "array", converters, 8)
    lines = late_imports([f.type for f in kind.traced_fields], names, 8)
    for field in kind.traced_fields:
        lines += writer.convert(field.name, field.type)
    taken = frozenset(f.name for f in kind.node.fields)
    for field in kind.static_fields:
        lines += unless_kept(field, names, taken)
    return lines


def static_argument(field: Field, taken: frozenset[str]) -> str:
    """Return the variable that holds what a static field becomes."""
    return local(f"converted_{field.name}", taken) if field.convert else field.name


def unless_kept(field: Field, names: Names, taken: frozenset[str]) -> list[str]:
    """Call the author's converter for what was given, and not for what `replace` keeps."""
    lines = converted(field, names, taken, 12)
    if not lines:
        return []
    kept = names.runtime("keys.construct", "Converted")
    is_kept = call(names.builtin("isinstance"), field.name, kept)
    return [
        f"        if {fit(is_kept, 8, 11, 1)}:",
        statement(f"{field.name} = ", f"{field.name}.value", 12),
        "        else:",
        *lines,
        statement(f"{field.name} = ", static_argument(field, taken), 12),
    ]


def converted(field: Field, names: Names, taken: frozenset[str], indent: int) -> list[str]:
    """Call the author's converter; its result is typed, so that one which does not fit is a type error."""
    if field.convert is None:
        return []
    function = local(f"convert_{field.name}", taken)
    head, dot, rest = field.convert.attribute.partition(".")
    held = annotation(field.type, Reading.STATIC, names)
    margin, variable = " " * indent, static_argument(field, taken)
    made = call(f"{function}{dot}{rest}", field.name)
    lines = [f"{margin}{variable}: {flat(held)} = {flat(made)}"]
    if is_too_long(lines[0]):
        # An annotation before a value is broken in ways of its own, alone as any other.
        typed = parenthesized(held, indent, indent + len(f"{variable}: "))
        lines = [f"{margin}{variable}: {typed}", statement(f"{variable} = ", made, indent)]
    return [import_as(field.convert.module, head, function, indent), "", *lines]


def parameter_annotation(field: Field, names: Names) -> Node:
    """Write what the constructor takes for a field."""
    if field.convert is not None:
        # Its parameter's type is known to nobody without importing it.
        return names.use("typing", "Any")
    reading = Reading.STATIC_PARAMETER if field.role == "static" else Reading.DYNAMIC_PARAMETER
    return annotation(field.type, reading, names)


def parameters(kind: Kind, names: Names) -> tuple[str, ...]:
    """Write the constructor's parameters: from the first default on, keyword-only."""
    lines = [parameter(field, names, field.name) for field in kind.node.fields]
    star = len(kind.node.positional)
    return (*lines[:star], *(["*"] if lines[star:] else []), *lines[star:])


def parameter(field: Field, names: Names, name: str) -> str:
    """Write the parameter for a field, with its type and default."""
    prefix = f"{name}: "
    held = parameter_annotation(field, names)
    if field.default is None:
        return prefix + fit(held, 8, 8 + len(prefix), 1)
    return default_of(prefix, held, expression(field.default, names), 8)


def _jax_constructor(
    kind: Kind, names: Names, init: InitView, written: tuple[str, ...]
) -> JaxInitView:
    """Let JAX's own unflattening through: it calls the constructor with the children and the key alone."""
    any_name = names.use("typing", "Any")
    key_class = names.runtime("keys.interning", "TraceKey")
    traced = [f.name for f in kind.traced_fields]
    open_parameters: list[str] = []
    for field, line in zip(kind.node.fields, [p for p in written if p != "*"], strict=True):
        if field.default is not None:
            open_parameters.append(line)
        else:
            missing = names.runtime("keys.construct", "MISSING")
            open_parameters.append(f"{field.name}: {any_name} = {missing}")
    starred = written.index("*") if "*" in written else len(open_parameters)
    open_parameters.insert(starred, "*")
    open_parameters.append(f"{KEY}: {key_class} | None = None")
    required = [f"{f.name}={f.name}" for f in kind.node.fields if f.default is None]
    children = tuple_of(*traced)
    self = self_name(f.name for f in kind.node.fields)
    unflattened = [self, "*", *(f"{n}: {any_name}" for n in traced), f"{KEY}: {key_class}"]
    return JaxInitView(
        overload=names.use("typing", "overload"),
        signature=signature("def __init__(", [self, *written], ") -> None: ...", 4),
        unflattened=signature("def __init__(", unflattened, ") -> None: ...", 4),
        open_signature=signature("def __init__(", [self, *open_parameters], ") -> None:", 4),
        restore=_fill(kind, names, self, KEY, children, 12),
        required=_require(required, self, names),
        statements=init.statements,
        record=init.record,
        key=init.key,
        fill=init.fill,
        after=init.after,
    )


def _require(required: list[str], self: str, names: Names) -> tuple[str, ...]:
    """Refuse what users left out, for to Python everything has a default."""
    if not required:
        return ()
    require = names.runtime("keys.construct", "require")
    return (statement("", call(require, f"{names.builtin('type')}({self})", *required), 8),)
