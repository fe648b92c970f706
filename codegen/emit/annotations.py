"""Annotations of the generated code for the types of the schema.

f32[nx, ny] in a dynamic role    ->    Float32[Array, "nx ny"] to read, ArrayLike to give
f32[nx, ny] in a static role     ->    np.ndarray[Any, np.dtype[np.float32]]
"""

from __future__ import annotations

from enum import Enum

from codegen.check.facts import TypeParameterFacts
from codegen.emit.expressions import format_union, list_of, paragraph, py_str, py_value, subscript
from codegen.emit.names import ModuleNames
from codegen.emit.wrap import WIDTH
from codegen.program import types
from codegen.program.nodes import Class, Function
from codegen.program.references import refs_in_types
from codegen.program.types import Type
from codegen.schema.vocabulary import PLAIN_TYPES, number_of


class AnnotationStyle(Enum):
    """The position and direction in which a type is annotated."""

    STATIC = "a static attribute"
    STATIC_PARAMETER = "what the constructor takes for one"
    DYNAMIC = "a dynamic or donated attribute, or what a jitted function gets and returns"
    DYNAMIC_PARAMETER = "what the constructor or a jitted function takes for one"
    PLAIN = "a value outside of any role: of methods and constants"


_READ_AS = {
    AnnotationStyle.STATIC_PARAMETER: AnnotationStyle.STATIC,
    AnnotationStyle.DYNAMIC_PARAMETER: AnnotationStyle.DYNAMIC,
}

# NumPy's scalar classes. Type checkers see dtypes that NumPy lacks (bfloat16 and similar) as any
# dtype.
_NUMPY_SCALARS = {
    name: name
    for name in (
        "float16", "float32", "float64", "int8", "int16", "int32", "int64",
        "uint8", "uint16", "uint32", "uint64", "complex64", "complex128",
    )
} | {
    "bool": "bool_",
    "Bool": "bool_",
    "Float": "floating[Any]",
    "Int": "signedinteger[Any]",
    "UInt": "unsignedinteger[Any]",
    "Complex": "complexfloating[Any, Any]",
    "Inexact": "inexact[Any]",
    "Num": "number[Any]",
}  # fmt: skip
_JAXTYPING = {
    "bfloat16": "BFloat16",
    "bool": "Bool",
    "key": "Key",
}


def jaxtyping_name(dtype: str) -> str:
    """Return jaxtyping's class for a dtype or kind: "Float32", "UInt8", "Float"."""
    if dtype[0].isupper():
        return dtype
    if dtype in _JAXTYPING:
        return _JAXTYPING[dtype]
    if dtype.startswith("uint"):
        return "UInt" + dtype.removeprefix("uint")
    return dtype.capitalize().replace("_", "")


def shape_text(shape: tuple[types.Dim, ...]) -> str:
    """Format a shape for jaxtyping, where blanks separate dimensions: `"nx+1 *batch 3"`."""
    return " ".join(str(dim).replace(" ", "") for dim in shape)


def stacks_doc(node: Function) -> list[str]:
    """Return lines of a docstring that name the stacks: the annotation of a stack is its class."""
    declared = {f"`{p.name}`": p.type for p in node.parameters} | {"the result": node.returns}
    stacks = [
        f"{name} [{shape_text(part.stacked)}]"
        for name, type in declared.items()
        for part in type.iter_held()
        if isinstance(part, types.ClassType) and part.stacked
    ]
    text = f"Stacked objects, with their leading axes: {', '.join(stacks)}."
    return ["", *paragraph(text, WIDTH - 4)] if stacks else []


def annotation(type: Type, style: AnnotationStyle, names: ModuleNames) -> str:
    """Format a type for an annotation that is never evaluated."""
    return Annotator(style, names).format(type)


def evaluated_annotation(
    type: Type, names: ModuleNames, style: AnnotationStyle = AnnotationStyle.PLAIN
) -> str:
    """Format a type that is evaluated. If it names a class that does not exist yet, it
    is a string.
    """
    node = Annotator(style, names).format(type)
    return py_str(node) if any(names.is_forward(ref) for ref in refs_in_types(type)) else node


def base_annotation(type: types.ClassType, names: ModuleNames) -> str:
    """Format the base of the current class. Its arguments are evaluated before the class exists."""
    if not type.arguments:
        return annotation(type, AnnotationStyle.PLAIN, names)
    arguments: list[str] = []
    for one, parameter in zip(type.arguments, names.facts.parameters[type.ref], strict=True):
        reading = AnnotationStyle.STATIC if parameter.roles == {"static"} else AnnotationStyle.PLAIN
        arguments.append(evaluated_annotation(one, names, reading))
    return subscript(names.ref(type.ref), *arguments)


def mixin_annotation(type: types.External, names: ModuleNames) -> str:
    """Format a mixin of the current class, with its arguments."""
    return subscript(
        names.external(type), *(evaluated_annotation(one, names) for one in type.arguments)
    )


def has_parameter(type: Type) -> bool:
    """Return whether a type contains a type parameter."""
    return any(isinstance(part, types.TypeParameter) for part in type.walk())


class Annotator:
    """Formats types for one annotation style."""

    def __init__(self, style: AnnotationStyle, names: ModuleNames) -> None:
        self.style = style
        self.names = names

    def _with_style(self, reading: AnnotationStyle) -> Annotator:
        return Annotator(reading, self.names)

    def format(self, type: Type) -> str:
        """Format a type by its alias, if the alias has exactly the same text."""
        text = self.format_without_alias(type)
        is_alias = type.alias is not None and self.names.aliases.get(type.alias) == text
        return type.alias.name if is_alias and type.alias is not None else text

    def format_without_alias(self, type: Type) -> str:
        """Format a type without its own alias."""
        names = self.names
        match type:
            case types.Array():
                return self._array(type)
            case types.Scalar():
                return self._scalar(type)
            case types.Sequence():
                return self._sequence(type)
            case types.FixedTuple():
                items = [self.format(e) for e in type.elements] or ["()"]
                return subscript(names.builtin("tuple"), *items)
            case types.Mapping():
                return self._mapping(type)
            case types.Union():
                return format_union(*map(self.format, type.members))
            case types.Callable():
                return self._callable(type)
            case types.Identity():
                return self._plainly(type.type)
            case types.PlainType():
                return self._plain(type)
            case types.Anything():
                return names.use("typing", "Any")
            case types.Literals():
                return self._literal(type)
            case types.ClassType() | types.EnumType():
                return self._reference(type)
            case types.External():
                return subscript(names.external(type), *map(self._argument, type.arguments))
            case types.TypeParameter():
                return names.parameter(type.name)
            case _:
                return str(type)  # `None`

    def _plainly(self, type: Type) -> str:
        return self._with_style(AnnotationStyle.PLAIN).format(type)

    def _reference(self, type: types.ClassType | types.EnumType) -> str:
        """Format a class or enum. If the brackets of a class were omitted, `Any` fills them."""
        name = self.names.ref(type.ref)
        parameters = self.names.facts.parameters.get(type.ref, ())
        if not parameters or isinstance(type, types.EnumType):
            return name
        if not type.arguments:
            return subscript(name, *[self.names.use("typing", "Any")] * len(parameters))
        pairs = zip(parameters, type.arguments, strict=True)
        return subscript(name, *(self._type_argument(p, argument) for p, argument in pairs))

    def _type_argument(self, parameter: TypeParameterFacts, argument: Type) -> str:
        """Format the argument for a class's type parameter, as the class itself uses it."""
        if parameter.roles == {"static"}:
            return self._with_style(AnnotationStyle.STATIC).format(argument)
        if parameter.is_restricted:
            # A number that may be an array fits no bound of numbers.
            return self._plainly(argument)
        return self._argument(argument)

    def _literal(self, type: types.Literals) -> str:
        values = [py_value(v) for v in type.values if v is not None]
        literal = subscript(self.names.use("typing", "Literal"), *values) if values else "None"
        return format_union(literal, "None") if values and None in type.values else literal

    def _array(self, type: types.Array) -> str:
        names = self.names
        if type.is_ref:
            return names.use("jax", "Ref")
        match self.style:
            case AnnotationStyle.STATIC | AnnotationStyle.STATIC_PARAMETER:
                return self._constant(type)
            case AnnotationStyle.DYNAMIC_PARAMETER if type.dtype != "key":
                return names.use("jax.typing", "ArrayLike")
            case _:
                name = names.use("jaxtyping", jaxtyping_name(type.dtype))
                return subscript(name, names.use("jax", "Array"), f'"{shape_text(type.shape)}"')

    def _constant(self, type: types.Array) -> str:
        names = self.names
        np, any_name = names.use("numpy", ""), names.use("typing", "Any")
        scalar = _NUMPY_SCALARS.get(type.dtype, "").replace("Any", any_name)
        dtype = subscript(f"{np}.dtype", f"{np}.{scalar}" if scalar else any_name)
        array = subscript(f"{np}.ndarray", any_name, dtype)
        may_be_0d = all(isinstance(dim, types.AnyDims | types.Batch) for dim in type.shape)
        if self.style is AnnotationStyle.STATIC_PARAMETER and may_be_0d:
            # An array without axes can also be created from a number.
            number = names.builtin(number_of(type.dtype))
            return format_union(array, *([f"{np}.{scalar}"] if scalar else []), number)
        return array

    def _scalar(self, type: types.Scalar) -> str:
        name = self.names.builtin(type.name)
        is_dynamic = self.style in (AnnotationStyle.DYNAMIC, AnnotationStyle.DYNAMIC_PARAMETER)
        if is_dynamic and type.name not in ("str", "bytes"):
            return format_union(name, self.names.use("jax", "Array"))
        return name

    def _plain(self, type: types.PlainType) -> str:
        row = PLAIN_TYPES[type.name]
        is_given = self.style is AnnotationStyle.STATIC_PARAMETER
        module, name, rest = row.parameter if is_given else row.annotation
        if "Any" in rest:
            rest = rest.replace("Any", self.names.use("typing", "Any"))
        return self.names.use(module, name) + rest

    def _sequence(self, type: types.Sequence) -> str:
        if type.is_any:
            name = self.names.use("collections.abc", "Sequence")
            return subscript(name, self.format(type.element))
        name = self.names.builtin(type.container)
        if type.container == "tuple":
            return subscript(name, self.format(type.element), "...")
        return subscript(name, self._invariant(type.element))

    def _mapping(self, type: types.Mapping) -> str:
        is_frozen = type.container == "frozendict"
        name = "_rt.frozendict" if is_frozen else self.names.builtin("dict")
        # The keys of a dict are part of the structure, whatever the values are.
        key = self._plainly(type.key)
        if type.is_any:
            name = self.names.use("collections.abc", "Mapping")
            return subscript(name, key, self.format(type.value))
        return subscript(name, key, self._invariant(type.value))

    def _invariant(self, type: Type) -> str:
        """Format the items of a list or dict. Parameters and results have the same item type, or no
        list of arrays would fit.
        """
        if self.style is AnnotationStyle.DYNAMIC_PARAMETER:
            return self._argument(type)
        return self.format(type)

    def _argument(self, type: Type) -> str:
        """Format a type argument of a class. Its values were converted when the object
        was created.
        """
        return self._with_style(_READ_AS.get(self.style, self.style)).format(type)

    def _callable(self, type: types.Callable) -> str:
        parameters = "..."
        if type.parameters is not None:
            parameters = list_of(*map(self._plainly, type.parameters))
        head = self.names.use("collections.abc", "Callable")
        return subscript(head, parameters, self._plainly(type.result))


def erased_class(node: Class, names: ModuleNames, name: str = "") -> str:
    """Format a class with any type parameters: `Box[Any]`."""
    head = name or node.ref.name
    return subscript(head, *(names.use("typing", "Any") for _ in node.type_parameters))
