"""What makes an object: its constructor, `abstract`, `init` and the other class methods."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from codegen.check.abstract_signature import AbstractSignature, AbstractSignatures, FreeParameter
from codegen.check.drawing import Drawing
from codegen.check.imports import made_of
from codegen.emit import shares
from codegen.emit.annotations import AnnotationStyle, annotation
from codegen.emit.class_traits import ClassTraits
from codegen.emit.conversions import DeclaredTypes, DynamicWriter, straight
from codegen.emit.expressions import call, docstring, paragraph, subscript, tuple_of
from codegen.emit.methods import accepts, parameter_of
from codegen.emit.names import ModuleNames, late_imports, local
from codegen.emit.view import (
    ConstructorView,
    Conversion,
    FieldView,
    ImportView,
    JaxConstructorView,
    MadeView,
    MakerView,
)
from codegen.program import types
from codegen.program.nodes import EMPTY, FactoryCall, Field, FunctionPath, Value
from codegen.program.substitution import bases_of, substitute

KEY = "__codegen_key__"


def constructor(
    traits: ClassTraits,
    names: ModuleNames,
    drawing: Drawing,
    fields: tuple[FieldView, ...],
) -> ConstructorView | JaxConstructorView:
    """Write the constructor of a class.

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
    taken = frozenset(f.name for f in traits.node.fields)
    cls, obj, record = (local(name, taken) for name in ("cls", "obj", "record"))
    declared = DeclaredTypes(names, drawing, f"{cls}.__codegen_record__")
    writer = DynamicWriter(names, cls, "array", declared)
    converted = [writer.convert(field.name, field.type) for field in traits.traced_fields]
    checks = [*shares.required(traits.node, names, obj)]
    if traits.checks_init:
        checks.append(call(names.runtime("keys", "check_init"), obj))
    view = ConstructorView(
        cls=cls,
        parameters=_parameters(traits, [f.parameter for f in fields]),
        imports=late_imports(straight(f.type for f in traits.traced_fields), names),
        made=tuple(_made(traits, taken)),
        converted=tuple(step for step in converted if step is not None),
        conversions=tuple(_conversions(traits, names, taken)),
        record=record,
        key=local("key", taken),
        obj=obj,
        # Parts that are shared are judged as they were given.
        unflatten=names.runtime("classes", "unflatten")
        if traits.node.shares
        else f"{record}.unflatten",
        statics=tuple(f.name for f in traits.static_fields),
        children=tuple_of(*(f.name for f in traits.traced_fields)),
        checks=tuple(checks),
    )
    if traits.registration != "jax":
        return view
    return _for_jax(traits, names, view, local("restored", taken), fields)


def _made(traits: ClassTraits, taken: frozenset[str]) -> Iterable[MadeView]:
    """Make what was not given: `{}` and `[]`, or what the author's function returns."""
    for field in traits.node.fields:
        if not isinstance(field.default, FactoryCall):
            continue
        if field.default.module == "builtins":
            yield MadeView(field.name, (), EMPTY[field.default.attribute])
            continue
        source, function = _imported(field.default, local(f"make_{field.name}", taken))
        yield MadeView(field.name, (source,), call(function))


def _conversions(
    traits: ClassTraits, names: ModuleNames, taken: frozenset[str]
) -> Iterable[Conversion]:
    """Call the author's converters; a result is typed, so that one which does not fit is a type error."""
    for field in traits.static_fields:
        if field.convert is None:
            continue
        source, function = _imported(field.convert, local(f"convert_{field.name}", taken))
        yield Conversion(
            field=field.name,
            variable=local(f"converted_{field.name}", taken),
            annotation=annotation(field.type, AnnotationStyle.STATIC, names),
            function=function,
            source=source,
        )


def _imported(path: FunctionPath | FactoryCall, name: str) -> tuple[ImportView, str]:
    """Import the author's function under a name, and write it by that."""
    head, dot, rest = path.attribute.partition(".")
    return ImportView(path.module, (f"{head} as {name}",)), f"{name}{dot}{rest}"


def parameter_annotation(field: Field, names: ModuleNames) -> str:
    """Write what the constructor takes for a field."""
    if field.convert is not None:
        # Its parameter's type is known to nobody without importing it.
        return names.use("typing", "Any")
    reading = (
        AnnotationStyle.STATIC_PARAMETER
        if field.role == "static"
        else AnnotationStyle.DYNAMIC_PARAMETER
    )
    return annotation(field.type, reading, names)


def _parameters(traits: ClassTraits, texts: list[str]) -> tuple[str, ...]:
    """Put the constructor's parameters in order: from the first default on, keyword-only."""
    star = len(traits.node.positional)
    return (*texts[:star], *(["*"] if texts[star:] else []), *texts[star:])


def _for_jax(
    traits: ClassTraits,
    names: ModuleNames,
    view: ConstructorView,
    restored: str,
    fields: tuple[FieldView, ...],
) -> JaxConstructorView:
    """Let JAX's own unflattening through: it calls the constructor with the children and the key alone."""
    required = [f.name for f in traits.node.fields if f.default is None]
    open_parameters = [
        f"{field.name}: {names.reserved('Any')} = {names.reserved('MISSING')}"
        if field.default is None
        else written.parameter
        for field, written in zip(traits.node.fields, fields, strict=True)
    ]
    open_parameters.insert(len(traits.node.positional), "*")
    return JaxConstructorView(
        constructor=view,
        restored=restored,
        open_parameters=tuple(open_parameters),
        children=tuple(f.name for f in traits.traced_fields),
        required=(", ".join(f"{name}={name}" for name in required),) if required else (),
    )


_DOC = "Make it of shapes and dtypes: a `jax.ShapeDtypeStruct` in place of each array."


class ConstructorParameter(Struct, frozen=True):
    """A keyword, as type checkers compare it with that of an override."""

    name: str
    annotation: str
    has_default: bool
    text: str


def maker(
    traits: ClassTraits, names: ModuleNames, signatures: AbstractSignatures
) -> MakerView | None:
    """Write the method of a class; None where an array would have to be given.

    class Linear(dims=(n_in, n_out)): ...    ->    @classmethod
                                                   def abstract(cls, *, n_in: int, n_out: int) -> Self:
                                                       return make_abstract(cls, n_in=n_in, n_out=n_out)
    """
    signature = signatures.of(traits.node.ref) if traits.node.has_makers else None
    if signature is None:
        return None
    keywords = [_keyword(o, names) for o in signature.free]
    texts = [p.text for p in keywords]
    return MakerView(
        cls=local("cls", {o.keyword for o in signature.free}),
        parameters=tuple(["*", *texts] if texts else []),
        given=tuple(p.name for p in keywords),
        doc=docstring(_doc(signature), 8),
        pragma=_pragma(traits, names.aside(), signatures, signature),
    )


def _pragma(
    traits: ClassTraits, names: ModuleNames, signatures: AbstractSignatures, own: AbstractSignature
) -> str:
    """Type checkers refuse an override that asks for more, or for something narrower."""
    for _, base in bases_of(traits.node, signatures.drawing.program.classes):
        node = signatures.drawing.program.classes[base.ref]
        signature = signatures.of(base.ref) if node.has_makers else None
        if signature is None:
            continue
        arguments = dict(zip(node.type_parameters, base.arguments, strict=False))
        theirs = [_keyword(o, names, arguments) for o in signature.free]
        if not _overrides([_keyword(o, names) for o in own.free], theirs):
            return "  # type: ignore[override]"
    return ""


def _substitute_arguments(f: Field, arguments: dict[str, types.Type]) -> Field:
    return replace(f, type=substitute(f.type, {}, arguments))


def _overrides(own: list[ConstructorParameter], theirs: list[ConstructorParameter]) -> bool:
    """Say whether whoever calls the base's method may call this one."""
    by_name = {p.name: p for p in own}
    for old in theirs:
        new = by_name.get(old.name)
        if new is None or not accepts(new.annotation, old.annotation):
            return False
        if old.has_default and not new.has_default:
            return False
    known = {p.name for p in theirs}
    return all(p.has_default for p in own if p.name not in known)


def _keyword(
    o: FreeParameter, names: ModuleNames, arguments: dict[str, types.Type] | None = None
) -> ConstructorParameter:
    """Write one keyword with its type and default."""
    match o.kind:
        case "size" | "count":
            return _plain(o, names.builtin("int"))
        case "shape":
            held = f"{names.builtin('tuple')}[{names.builtin('int')}, ...]"
            return ConstructorParameter(o.keyword, held, True, f"{o.keyword}: {held} = ()")
        case "keys":
            assert o.field is not None
            key = annotation(o.field.type, AnnotationStyle.PLAIN, names)
            return _plain(o, subscript(names.use("collections.abc", "Iterable"), key))
        case "static":
            assert o.field is not None
            f = _substitute_arguments(o.field, arguments) if arguments else o.field
            default = f.default if _is_known(f.default, names) else None
            held = parameter_annotation(f, names)
            text = parameter_of(o.keyword, held, default, names)
            return ConstructorParameter(o.keyword, held, default is not None, text)


def _plain(o: FreeParameter, held: str) -> ConstructorParameter:
    return ConstructorParameter(o.keyword, held, False, f"{o.keyword}: {held}")


def _is_known(default: Value | None, names: ModuleNames) -> bool:
    """Say whether what a default names exists where the class is defined."""
    return not any(names.is_forward(ref) for ref in made_of(default))


def _doc(signature: AbstractSignature) -> list[str]:
    lines = [_DOC]
    about = [
        f"{o.keyword}: {'how many elements' if o.kind == 'count' else 'the keys that'} "
        f"`{'.'.join(o.path)}` has"
        for o in signature.free
        if o.kind in ("count", "keys")
    ]
    if about:
        lines += ["", "Args:"]
        for text in about:
            lines += ["    " + line for line in paragraph(text, 76, "    ")]
    return lines
