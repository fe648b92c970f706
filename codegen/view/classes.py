"""Classes of the program as classes of Python.

class Grid: nx: static[int]    ->    ClassView("class Grid(Static):", members=(slots, fields, __init__, replace), ...)
"""

from __future__ import annotations

from codegen.program.bind import bases_of, inherited_fields
from codegen.program.nodes import Class, Field
from codegen.program.types import Ref, Type
from codegen.view import docs, drafts, mixins, shares
from codegen.view.annotations import Reading, annotation, erased
from codegen.view.annotations import base as written_base
from codegen.view.annotations import mixin as written_mixin
from codegen.view.constants import brought
from codegen.view.constructors import constructor, parameter_annotation
from codegen.view.drawing import Drawing
from codegen.view.fits import fits_view
from codegen.view.kinds import Kind
from codegen.view.layout import (
    WIDTH,
    Bracket,
    Choice,
    Node,
    call,
    fit,
    flat,
    parenthesized,
    signature,
    statement,
    subscript,
    tuple_of,
    unpacking,
)
from codegen.view.literals import after, docstring, expression, py_str
from codegen.view.makers import makers
from codegen.view.making import make_view
from codegen.view.methods import method, self_name
from codegen.view.names import Names, late_imports, local
from codegen.view.nodes import (
    Beside,
    ClassView,
    KeyView,
    LinesView,
    Member,
    PartsView,
    ReplaceView,
)
from codegen.view.overrides import accepts
from codegen.view.plans import Plans
from codegen.view.shapes import shapes_argument
from codegen.view.split import split_view
from codegen.view.statics import Converter, StaticWriter

_KEY = "Bring the static values to their declared types, and find their trace key."
_ONE_KEY = "Return the class's one trace key: it has no static values."


def class_view(node: Class, names: Names, kinds: dict[Ref, Kind], plans: Plans) -> ClassView:
    """Write a class and the functions that belong to it."""
    kind = kinds[node.ref]
    classes = plans.drawing.program.classes
    converters: list[Converter] = []
    members: list[Member] = [LinesView((_slots(node, classes),))]
    constants = [
        _constant(c.name, c.type, expression(brought(c.value, c.type), names), names)
        for c in node.constants
    ]
    if constants:
        members.append(LinesView(tuple(constants)))
    field_lines = [_field_line(f, names) for f in node.own_fields]
    if kind.registration == "jax" and not node.abstract:
        hidden = f"{names.use('dataclasses', '')}.field(repr=False)"
        field_lines.append(
            f"    __codegen_key__: {names.runtime('keys.interning', 'TraceKey')} = {hidden}"
        )
    if field_lines:
        members.append(LinesView(tuple(field_lines)))
    names.current = node.ref
    members.append(constructor(kind, names, converters))
    if not node.abstract and node.fields:
        members.append(_replace(kind, names, classes))
    members += makers(kind, names, kinds, plans)
    members += [method(m, names) for m in node.methods]
    if drafts.has_draft(kind):
        members.append(drafts.draft(kind, names, kinds, classes))
    head = _head(node, names, kinds, classes)
    names.current = None
    names.defined.add(node.ref)
    functions = [] if node.abstract else _functions(kind, names, plans, converters)
    return ClassView(
        dataclass=f"{names.use('dataclasses', '')}.dataclass",
        head=head,
        doc=docstring(docs.class_doc(kind.node, is_static=kind.is_static), 4),
        members=tuple(members),
        functions=tuple(functions),
    )


def _functions(kind: Kind, names: Names, plans: Plans, converters: list[Converter]) -> list[Beside]:
    """Write what stands beside a class, behind the converters that it and its constructor need."""
    key = _key(kind, names, converters)
    functions: list[Beside] = []
    if converters:
        functions.append(LinesView(tuple(c.text for c in converters)))
    functions += [key, _parts(kind, names)]
    if kind.traced_fields:
        functions.append(split_view(kind, names))
    fits = fits_view(kind, names, plans.drawing)
    if fits is not None:
        functions.append(fits)
    if kind.node.has_makers:
        functions.append(make_view(kind, names, plans.plan(kind.node.ref)))
    return [*functions, *_registration(kind, names, plans.drawing, has_fits=fits is not None)]


def _slots(node: Class, classes: dict[Ref, Class]) -> str:
    inherited = {f.name for f in classes[node.base.ref].fields} if node.base else set[str]()
    own = [py_str(f.name) for f in node.own_fields if f.name not in inherited]
    return statement("__slots__ = ", tuple_of(*own), 4)


def _constant(name: str, type: Type, value: Node, names: Names) -> str:
    class_var = subscript(names.use("typing", "ClassVar"), annotation(type, Reading.PLAIN, names))
    prefix = f"{name}: {flat(class_var)} = "
    start = flat(value) if isinstance(value, str) else flat(value).partition("(")[0] + "("
    if len(f"    {prefix}{'(' if isinstance(value, str) else start}") > WIDTH:
        typed = fit(class_var, 4, len(f"    {name}: "), len(f" = {start}"))
        return f"    {name}: {typed} = {fit(value, 4, len('    ] = '))}"
    if isinstance(value, str) and len(f"    {prefix}{value}") > WIDTH:
        # However long it is: so does `ruff format` with a value behind an annotation.
        return f"    {prefix}(\n        {value}\n    )"
    return statement(prefix, value, 4)


def _field_line(field: Field, names: Names) -> str:
    reading = Reading.STATIC if field.role == "static" else Reading.DYNAMIC
    prefix = f"    {field.name}: "
    return prefix + parenthesized(annotation(field.type, reading, names), 4, len(prefix))


def _head(node: Class, names: Names, kinds: dict[Ref, Kind], classes: dict[Ref, Class]) -> str:
    kind = kinds[node.ref]
    bases: list[Node] = []
    base = kinds[node.base.ref] if node.base else None
    bases += [written_mixin(mixin, names) for mixin in mixins.added(node, classes)]
    if base is None or base.is_static != kind.is_static:
        bases.append(names.runtime("classes.bases", "Static" if kind.is_static else "Pytree"))
    if node.base is not None:
        bases.append(written_base(node.base, names))
    if node.abstract and not _has_abstract_base(node, classes):
        bases.append(f"{names.use('abc', '')}.ABC")
    if node.type_parameters:
        parameters = [names.parameter(name) for name in node.type_parameters]
        bases.append(subscript(names.use("typing", "Generic"), *parameters))
    return fit(Bracket(f"class {node.ref.name}(", tuple(bases), "):"), 0, 0)


def _has_abstract_base(node: Class, classes: dict[Ref, Class]) -> bool:
    base = classes[node.base.ref] if node.base else None
    return base is not None and (base.abstract or _has_abstract_base(base, classes))


# --- replace


def _replace(kind: Kind, names: Names, classes: dict[Ref, Class]) -> ReplaceView:
    keep_type, keep = (
        names.runtime("classes.sentinel", "Keep"),
        names.runtime("classes.sentinel", "KEEP"),
    )
    parameters: list[str] = []
    for field in kind.node.fields:
        prefix = f"{field.name}: "
        held = parameter_annotation(field, names)
        choice = Choice((*(held.members if isinstance(held, Choice) else (held,)), keep_type))
        parameters.append(
            prefix + fit(choice, 8, 8 + len(prefix), len(f" = {keep},")) + f" = {keep}"
        )
    type_name = names.builtin("type")
    self = self_name(f.name for f in kind.node.fields)
    variable = local("rebound", {f.name for f in kind.node.fields})
    rebound, after = shares.rebound(kind.node, names, self, variable)
    arguments = [f"{f.name}={after.get(f.name, f.name)}" for f in kind.node.fields]
    pragma = _override_pragma(kind, names, classes)
    tail = f") -> {names.use('typing', 'Self')}:"
    return ReplaceView(
        signature=signature(f"def replace({pragma}", [self, "*", *parameters], tail, 4),
        converted=shares.converted(kind, names, self),
        fields=tuple(
            (_is_kept(f.name, keep), statement(f"{f.name} = ", _kept(f, self, names), 12))
            for f in kind.node.fields
        ),
        rebound=rebound,
        result=statement("return ", call(f"{type_name}({self})", *arguments), 8),
    )


def _kept(field: Field, self: str, names: Names) -> Node:
    value = f"{self}.{field.name}"
    return call(names.runtime("keys.construct", "Converted"), value) if field.convert else value


def _is_kept(name: str, keep: str) -> str:
    """Write the line that asks whether a field is to stay as it is."""
    line = f"        if {name} is {keep}:"
    if len(line) <= WIDTH:
        return line
    return f"        if (\n            {name}\n            is {keep}\n        ):"


def _override_pragma(kind: Kind, names: Names, classes: dict[Ref, Class]) -> str:
    """A field declared anew with a narrower type narrows `replace`, which type checkers refuse in an override."""
    new = {f.name: parameter_annotation(f, names) for f in kind.node.fields}
    for node, base in bases_of(kind.node, classes):
        for old in inherited_fields(base, node) if not node.abstract else ():
            if not accepts(new[old.name], parameter_annotation(old, names)):
                return "  # type: ignore[override]"
    return ""


# --- the functions beside the class


def _key(kind: Kind, names: Names, converters: list[Converter]) -> KeyView:
    name = kind.node.ref.name
    taken = frozenset(f.name for f in kind.node.fields)
    fields = kind.static_fields
    cls = local("cls", taken)
    writer = StaticWriter(names, cls, name, taken, converters)
    normalised = [writer.normalise(f.name, f.type) for f in fields]
    any_name = names.use("typing", "Any")
    lines = late_imports([f.type for f in fields], names, 4)
    for value in normalised:
        lines += value.lines
    intern_key = names.runtime("keys.interning", "intern_key")
    tags = tuple_of(*(v.tag for v in normalised))
    values = tuple_of(*(f.name for f in fields))
    key_class = names.runtime("keys.interning", "TraceKey")
    parameters = [f"{cls}: {names.builtin('type')}[{any_name}]"]
    parameters += [f"{f.name}: {any_name}" for f in fields]
    return KeyView(
        signature=signature(f"def _codegen_key_{name}(", parameters, f") -> {key_class}:", 0),
        doc=_KEY if fields else _ONE_KEY,
        statements=tuple(lines),
        result=statement("return ", call(intern_key, cls, tags, values), 4),
    )


def _parts(kind: Kind, names: Names) -> PartsView:
    name = kind.node.ref.name
    any_name = names.use("typing", "Any")
    key_class = names.runtime("keys.interning", "TraceKey")
    many = f"{names.builtin('tuple')}[{any_name}, ...]"
    obj, key, children = _fill_parameters(kind)
    given = [f"{obj}: {any_name}", f"{key}: {key_class}", f"{children}: {many}"]
    both = f") -> {names.builtin('tuple')}[{many}, {key_class}]:"
    return PartsView(
        fill=signature(f"def _codegen_fill_{name}(", given, ") -> None:", 0),
        assignments=tuple(_assignments(kind) if kind.opens else _settings(kind, names)),
        flatten=signature(
            f"def _codegen_flatten_{name}(", [f"obj: {erased(kind.node, names)}"], both, 0
        ),
        children=fit(
            shares.children(kind, names),
            4,
            11,
            len(", obj.__codegen_key__"),
        ),
    )


def _fill_parameters(kind: Kind) -> tuple[str, str, str]:
    taken = set[str]() if kind.opens else {f.name for f in kind.node.fields}
    return local("obj", taken), local("key", taken), local("children", taken)


def _assignments(kind: Kind) -> list[str]:
    """Fill an open object, and close it."""
    sources = ((kind.traced_fields, "children"), (kind.static_fields, "key.values"))
    unpacked = [
        unpacking([f"obj.{f.name}" for f in fields], source, 4)
        for fields, source in sources
        if fields
    ]
    return [
        '    """Store the fields, unchecked, in an object of the open class, and freeze it."""',
        *unpacked,
        "    obj.__codegen_key__ = key",
        "    obj.__class__ = key.cls",
    ]


def _settings(kind: Kind, names: Names) -> list[str]:
    """Fill an object that is frozen for everybody else."""
    fields = {f.name for f in kind.node.fields}
    obj, key, children = _fill_parameters(kind)
    set_field = local("set_field", fields)
    sources = ((kind.traced_fields, children), (kind.static_fields, f"{key}.values"))
    return [
        '    """Store the fields, unchecked; the class is frozen for everybody else."""',
        f"    {set_field} = {names.builtin('object')}.__setattr__",
        *(unpacking([f.name for f in part], source, 4) for part, source in sources if part),
        *(statement("", call(set_field, obj, py_str(f.name), f.name), 4) for f in kind.node.fields),
        f'    {set_field}({obj}, "__codegen_key__", {key})',
    ]


def _registration(kind: Kind, names: Names, drawing: Drawing, *, has_fits: bool) -> list[LinesView]:
    name = kind.node.ref.name
    statics = [py_str(f.name) for f in kind.static_fields]
    traced = [py_str(f.name) for f in kind.traced_fields]
    calls: list[LinesView] = []
    if kind.registration == "jax":
        register = f"{names.use('jax.tree_util', '')}.register_dataclass"
        key = py_str("__codegen_key__")
        calls.append(
            _exploded(
                register,
                name,
                _list("data_fields", traced),
                _list("meta_fields", [key]),
                _list("drop_fields", statics),
            )
        )
    function = "adopt_dataclass" if kind.registration == "jax" else "register_dataclass"
    arguments: list[Node] = [
        name,
        _list("data_fields", traced),
        _list("meta_fields", statics),
        f"flatten=_codegen_flatten_{name}",
        f"fill=_codegen_fill_{name}",
        f"key=_codegen_key_{name}",
    ]
    if kind.opens:
        open_class = names.runtime("classes.registration", "open_class")
        arguments.append(after("twin=", call(open_class, name)))
    arguments += shares.registered(kind.node, names)
    if traced:
        arguments.append(f"split=_codegen_split_{name}")
    shapes = shapes_argument(kind.node, names, drawing)
    if shapes is not None:
        arguments.append(shapes)
    if has_fits:
        arguments.append(f"fits=_codegen_fits_{name}")
    donated = [py_str(f.name) for f in kind.traced_fields if f.role == "donated"]
    if donated:
        arguments.append(_list("donated_fields", donated))
    arguments += docs.documented(kind.node)
    if kind.node.has_makers:
        arguments.append(f"make=_codegen_make_{name}")
    arguments += _history(kind)
    calls.append(_exploded(names.runtime("classes.registration", function), *arguments))
    return calls


def _history(kind: Kind) -> list[Node]:
    """Write the arguments by which a pickle finds its way into a class that has changed."""
    was = [f"{py_str(old)}: {py_str(f.name)}" for f in kind.node.fields for old in f.was]
    converted = [py_str(f.name) for f in kind.static_fields if f.convert is not None]
    arguments: list[Node] = []
    if was:
        arguments.append(Bracket("was={", tuple(was), "}"))
    if converted:
        arguments.append(_list("converted", converted))
    return arguments


def _list(keyword: str, items: list[str]) -> Node:
    return Bracket(f"{keyword}=[", tuple(items), "]")


def _exploded(function: str, *arguments: Node) -> LinesView:
    """Print a call with one argument a line, however short."""
    lines = [f"    {fit(a, 4, 4, 1)}," for a in arguments]
    return LinesView((f"{function}(", *lines, ")"))
