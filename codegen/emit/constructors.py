"""Generate the ways to create an object: its constructor, `abstract`, `init` and the other class
methods.
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.check.abstract_signature import AbstractSignature, AbstractSignatures, FreeParameter
from codegen.check.contents import ObjectContents
from codegen.check.imports import refs_in_value
from codegen.emit import shares
from codegen.emit.annotations import AnnotationStyle, annotation
from codegen.emit.class_traits import ClassTraits
from codegen.emit.conversions import Conversions
from codegen.emit.expressions import call, docstring, format_union, paragraph, subscript, tuple_of
from codegen.emit.functions import parameter_of
from codegen.emit.names import ModuleNames, late_imports, local_variable
from codegen.emit.view import (
    AbstractMethodView,
    ConstructorView,
    Conversion,
    CreatedDefaultView,
    FieldView,
    ImportView,
)
from codegen.program.nodes import EMPTY_CONTAINERS, Class, FactoryCall, Field, FunctionPath, Value
from codegen.program.substitution import bases_of
from codegen.program.types import Ref


def constructor(
    traits: ClassTraits,
    names: ModuleNames,
    contents: ObjectContents,
    fields: tuple[FieldView, ...],
) -> ConstructorView:
    """Return the constructor of a class.

    def __new__(cls, u: ArrayLike, n: int, *, t: ArrayLike = 0.0) -> Self:
        u = _rt.as_array(u, "float32", cls, "u")
        ...
        if type(n) is not int:
            n = _rt.as_int(n, cls, "n")
        values = (n,)
        key = _rt.trace_key(cls, values, values)
        return cls.__codegen_record__.unflatten(key, (u, t))

    The attributes of the class are found in its record. After a reload, the names of the module
    would refer to those of another class.
    """
    taken = frozenset(f.name for f in traits.node.fields)
    cls, obj = (local_variable(name, taken) for name in ("cls", "obj"))
    conversions = Conversions(names, contents, cls, taken)
    arrays = [conversions.traced(field.name, field.type) for field in traits.traced_fields]
    statics = [conversions.static(field.name, field.type) for field in traits.static_fields]
    values = tuple_of(*(f.name for f in traits.static_fields))
    exact = tuple_of(*(one.tag for one in statics))
    has_tags = exact != values  # Many values are their own tags.
    checks = _checks(traits, obj)
    return ConstructorView(
        cls=cls,
        parameters=_parameters(traits, [f.parameter for f in fields]),
        imports=late_imports((f.type for f in traits.node.fields), names),
        created_defaults=tuple(_created_defaults(traits, taken)),
        array_steps=tuple(step for step in arrays if step is not None),
        conversions=tuple(_conversions(traits, names, taken)),
        static_steps=tuple(one.step for one in statics if one.step is not None),
        key=local_variable("key", taken),
        obj=obj,
        statics=values,
        values=local_variable("values", taken) if statics else "",
        tags=local_variable("tags" if has_tags else "values", taken) if statics else "",
        exact=exact if has_tags else "",
        tag_comment="  # 0.0 is not -0.0" if "repr(" in exact else "",
        # Shared parts were checked as they were given.
        unflatten=f"{cls}.__codegen_record__.unflatten"
        if not traits.node.shares
        else "_rt.unflatten",
        children=tuple_of(*(f.name for f in traits.traced_fields)),
        checks=tuple(checks),
        # An object that is checked is created, since the checks may do anything.
        is_interned=traits.is_static and not checks,
        name=traits.constructor,
        decorator="" if traits.node.init else names.builtin("classmethod"),
        is_override=_overrides(traits.node, contents.program.classes),
    )


def _checks(traits: ClassTraits, obj: str) -> list[str]:
    """Return the calls that check a new object."""
    checks = [*shares.sharing_checks(traits.node, obj)]
    return [*checks, call("_rt.check_init", obj)] if traits.checks_init else checks


def _overrides(node: Class, classes: dict[Ref, Class]) -> bool:
    """Return whether a base has the constructor of a class with `init=False`, too."""
    return not node.init and any(not base.init for base, _ in bases_of(node, classes))


def _created_defaults(traits: ClassTraits, taken: frozenset[str]) -> Iterable[CreatedDefaultView]:
    """Create omitted values: `{}` and `[]`, or the result of the author's function."""
    for field in traits.node.fields:
        if not isinstance(field.default, FactoryCall):
            continue
        if field.default.module == "builtins":
            yield CreatedDefaultView(field.name, (), EMPTY_CONTAINERS[field.default.attribute])
            continue
        source, function = _import_function(
            field.default, local_variable(f"make_{field.name}", taken)
        )
        yield CreatedDefaultView(field.name, (source,), call(function))


def _conversions(
    traits: ClassTraits, names: ModuleNames, taken: frozenset[str]
) -> Iterable[Conversion]:
    """Call the author's converters. A result has a declared type, so a wrong one is a
    type error.
    """
    for field in traits.static_fields:
        if field.convert is None:
            continue
        source, function = _import_function(
            field.convert, local_variable(f"convert_{field.name}", taken)
        )
        yield Conversion(
            field=field.name,
            variable=local_variable(f"converted_{field.name}", taken),
            annotation=annotation(field.type, AnnotationStyle.STATIC, names),
            function=function,
            source=source,
        )


def _import_function(path: FunctionPath | FactoryCall, name: str) -> tuple[ImportView, str]:
    """Import the author's function under a name, and return the expression for it."""
    head, dot, rest = path.attribute.partition(".")
    return ImportView(path.module, (f"{head} as {name}",)), f"{name}{dot}{rest}"


def parameter_annotation(field: Field, names: ModuleNames) -> str:
    """Return the annotation of a field's constructor parameter."""
    if field.convert is not None:
        # The parameter type of the converter is unknown without importing it.
        return names.use("typing", "Any")
    reading = (
        AnnotationStyle.STATIC_PARAMETER
        if field.role == "static"
        else AnnotationStyle.DYNAMIC_PARAMETER
    )
    held = annotation(field.type, reading, names)
    # The constructor copies an array into a new Ref.
    return format_union(held, names.use("jax", "Array")) if field.role == "ref" else held


def _parameters(traits: ClassTraits, texts: list[str]) -> tuple[str, ...]:
    """Return the constructor's parameters in order: from the first default on, they are
    keyword-only.
    """
    star = len(traits.node.positional)
    return (*texts[:star], *(["*"] if texts[star:] else []), *texts[star:])


_DOC = "Create an object with a `jax.ShapeDtypeStruct` instead of each array."


def abstract_method(
    traits: ClassTraits, names: ModuleNames, signatures: AbstractSignatures
) -> AbstractMethodView | None:
    """Return `abstract` of a class; None where the caller would have to pass an array.

    class Linear(dims=(n_in, n_out)): ...    ->    @classmethod
                                                   def abstract(cls, *, n_in: int, n_out: int) -> Self:
                                                       return make_abstract(cls, n_in=n_in, n_out=n_out)
    """
    signature = signature_of(traits.node, signatures)
    if signature is None:
        return None
    classes = signatures.contents.program.classes
    keywords = [_keyword(parameter, names) for parameter in signature.free]
    return AbstractMethodView(
        cls=local_variable("cls", {o.keyword for o in signature.free}),
        parameters=tuple(["*", *keywords] if keywords else []),
        given=tuple(o.keyword for o in signature.free),
        doc=docstring(_doc(signature), 8),
        is_override=any(
            signature_of(base, signatures) for base, _ in bases_of(traits.node, classes)
        ),
    )


def signature_of(node: Class, signatures: AbstractSignatures) -> AbstractSignature | None:
    """Return the parameters of a class's `abstract`; None where the class has no such method."""
    return signatures.of(node.ref) if node.has_creatable_arrays else None


def _keyword(parameter: FreeParameter, names: ModuleNames) -> str:
    """Format one parameter of `abstract` with its type and default."""
    keyword, field = parameter.keyword, parameter.field
    integer = names.builtin("int")
    match parameter.kind:
        case "size" | "count":
            return f"{keyword}: {integer}"
        case "shape":
            return f"{keyword}: {names.builtin('tuple')}[{integer}, ...] = ()"
        case "keys":
            assert field is not None
            key = annotation(field.type, AnnotationStyle.PLAIN, names)
            return f"{keyword}: {subscript(names.use('collections.abc', 'Iterable'), key)}"
        case "static":
            assert field is not None
            default = field.default if _default_exists(field.default, names) else None
            return parameter_of(keyword, parameter_annotation(field, names), default, names)


def _default_exists(default: Value | None, names: ModuleNames) -> bool:
    """Return whether the objects that a default names exist where the class is defined."""
    return not any(names.is_forward(ref) for ref in refs_in_value(default))


def _doc(signature: AbstractSignature) -> list[str]:
    lines = [_DOC]
    about = [
        f"{o.keyword}: the {'number of elements' if o.kind == 'count' else 'keys'} of "
        f"`{'.'.join(o.path)}`"
        for o in signature.free
        if o.kind in ("count", "keys")
    ]
    if about:
        lines += ["", "Args:"]
        for text in about:
            lines += ["    " + line for line in paragraph(text, 76, "    ")]
    return lines
