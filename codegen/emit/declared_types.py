"""Declared types as data for the support package, which converts, checks, creates and saves values
by them.

u: donated[f32[nx, ny]]               ->    "u": donated(array("float32", "nx", "ny"))
first: dynamic[Linear[nx + 1, 10]]    ->    "first": dynamic(part(Linear, {"n_in": ("nx", "+", 1), "n_out": 10}))
grid: static[Grid]                    ->    "grid": Grid
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from codegen.check.abstract_signature import AbstractSignature, Path
from codegen.check.contents import ObjectContents
from codegen.check.dimensions import (
    BaseSubstitution,
    base_substitutions,
    field_has_shapes,
    mesh_axes,
)
from codegen.emit.expressions import (
    call,
    dict_of,
    expression,
    keywords,
    py_str,
    py_value,
    strings,
    tuple_of,
)
from codegen.emit.names import ModuleNames
from codegen.program import types
from codegen.program.declaration_tables import qualified_type_text
from codegen.program.nodes import Class, Field, FunctionPath, Initializer, SpecEntry
from codegen.program.substitution import dims_of
from codegen.program.types import Dim, Type
from codegen.schema.vocabulary import INITIALIZERS, SHORT_DTYPES

# Types that affect the shape of a value in a dynamic role.
_SHAPED = (types.Array, types.ClassType, types.Scalar, types.TypeParameter)


def omitted_types(node: Class, contents: ObjectContents) -> Iterator[tuple[str, str]]:
    """Yield the fields whose descriptions omit a part of the type, and these types as texts.

    source: static[Callable[[f32[n]], f32]]    ->    "source", "Callable[[f32[n]], f32]"
    """
    bases = base_substitutions(node, contents)
    inherited = {f.name: f.type for base in bases for f in base.fields}
    for field in node.fields:
        # A description of an inherited field has the parameters of the base.
        is_same = inherited.get(field.name, field.type) == field.type
        if not is_same or not _is_complete(field.type, is_static=field.role == "static"):
            yield py_str(field.name), py_str(qualified_type_text(field.type))


def _is_complete(type: Type, *, is_static: bool) -> bool:
    """Return whether the description of a type contains all of it."""
    match type:
        case Type(HOLDS=False):
            return False
        case types.Array():
            # With `from codegen.schema import f32 as single`, the text is `single[n]`.
            return type.spelling == SHORT_DTYPES.get(type.dtype, type.dtype)
        case types.TypeParameter():
            return not is_static
        case types.ClassType():
            if is_static and type.arguments:
                return False
            has_dims = not any(isinstance(dim, types.AnyDim) for dim in type.dims)
            return has_dims and all(map(_is_complete_argument, type.arguments))
        case types.Mapping():
            has_key = _is_complete(type.key, is_static=True)
            return has_key and _is_complete(type.value, is_static=is_static)
        case _:
            return all(_is_complete(one, is_static=is_static) for one in type.children)


def _is_complete_argument(type: Type) -> bool:
    return _affects_shapes(type) and _is_complete(type, is_static=False)


def _known_sizes(signature: AbstractSignature) -> list[tuple[str, str]]:
    """Return sizes that come from a keyword with another name, or from a static value of a part."""
    renamed = [
        (py_str(o.dim), py_str(o.keyword))
        for o in signature.free
        if o.kind in ("size", "shape") and o.keyword != o.dim
    ]
    nested = [
        (py_str(name), py_str(f"{signature.keywords[path]}.{rest}"))
        for name, (path, rest) in signature.known_sizes.items()
        if len(path) > 1
    ]
    return renamed + nested


class Descriptions(Struct, frozen=True):
    """Formats the declared types of one class, or of one function."""

    names: ModuleNames
    contents: ObjectContents
    signature: AbstractSignature | None = None  # used where objects are created

    def fields(self, node: Class) -> dict[str, str]:
        """Return the type of each field, in the parameters of the class that declares it."""
        bases = base_substitutions(node, self.contents)
        inherited = {f.name: f for base in bases for f in base.fields}
        return {f.name: self._field(inherited.get(f.name, f)) for f in node.fields}

    def dimensions(self, node: Class) -> Iterator[tuple[str, str]]:
        """Yield the other declarations of dimensions in a class; nothing where it has no array."""
        sizes = [
            (py_str(n), strings(paths)) for n, paths in self.contents.size_paths(node.ref).items()
        ]
        has_shapes = any(field_has_shapes(f, self.contents) for f in node.fields)
        yield "parameters", strings(node.dims)
        if not has_shapes and not (node.dims and sizes):
            return
        bases = base_substitutions(node, self.contents)
        yield "bases", dict_of((py_str(str(base.node.ref)), self._parent(base)) for base in bases)
        yield "sizes", dict_of(sizes)
        yield "mesh", dict_of((py_str(name), _axes(axes)) for name, axes in mesh_axes(node).items())
        if self.signature is not None:
            yield "known", dict_of(_known_sizes(self.signature))
            yield "empty", strings(self.signature.empty_fields)

    def _parent(self, base: BaseSubstitution) -> str:
        """Format the arguments of a base's parameters, and the names of the fields that use its
        parameters.
        """
        known = dims_of(base.type, base.node)
        dims = [(py_str(n), _dim(known.get(n, types.DimName(n)))) for n in base.node.dims]
        arguments = keywords(
            types=dict_of(self._types(base.type)),
            fields=strings(f.name for f in base.fields),
        )
        return self._call("Parent", *([dict_of(dims)] if dims else []), *arguments)

    def _field(self, field: Field) -> str:
        is_static = field.role == "static"
        held = self.format(field.type, is_static=is_static, path=(field.name,), field=field)
        if is_static:
            return held
        if isinstance(field.type, types.NoneType):
            held = self._call("union", held)  # `None` has no function that converts to it
        return held if field.role == "ref" else self._call(field.role, held)

    def format(
        self, type: Type, *, is_static: bool, path: Path = ("",), field: Field | None = None
    ) -> str:
        """Format a type; `path` leads to it from the object."""
        match type:
            case types.Scalar():
                return self.names.builtin(type.name)
            case types.NoneType():
                return "None"
            case types.Array():
                dims = [*map(_dim, type.shape), *self._options(field)]
                return self._call("ref" if type.is_ref else "array", py_str(type.dtype), *dims)
            case types.ClassType():
                return self._part(type, path, is_static=is_static)
            case types.EnumType():
                return self.names.runtime_class(type.ref)
            case types.FixedTuple():
                items = (
                    self.format(e, is_static=is_static, path=(*path, str(i)))
                    for i, e in enumerate(type.elements)
                )
                return self._call("tuple_of", *items)
            case types.Sequence():
                name: str = "sequence" if type.is_any else type.container
                item = self.format(type.element, is_static=is_static, path=path)
                if type.size is not None:
                    return self._call(f"{name}_of", item, f"size={_dim(type.size)}")
                rest = ["..."] * (name == "tuple")
                return self._call(
                    f"{name}_of", item, *rest, *self._count(path, is_static=is_static)
                )
            case types.Mapping():
                name = "mapping" if type.is_any else type.container
                key = self.format(type.key, is_static=True)
                item = self.format(type.value, is_static=is_static, path=path)
                return self._call(f"{name}_of", key, item, *self._count(path, is_static=is_static))
            case types.Union():
                options = [
                    self.format(one, is_static=is_static, path=path, field=field)
                    for one in type.members
                ]
                if len(options) == 2 and options[1] == "None":
                    return self._call("optional", options[0])
                return self._call("union", *options)
            case types.Literals():
                return self._call("literal", *map(py_value, type.values))
            case types.External():
                return self._call("foreign", self.names.external(type))
            case types.TypeParameter() if not is_static:
                return self._call("parameter", py_str(type.name))
            case types.Callable():
                return "_rt.function"
            case types.PlainType():
                return f"_rt.{type.name}"
            case types.Identity():
                return "_rt.identity"
            case _:
                return self.names.use("typing", "Any")

    def _count(self, path: Path, *, is_static: bool) -> list[str]:
        """Return the keyword with the length of a container, used when objects are created."""
        keywords = self.signature.keywords if self.signature and not is_static else {}
        return [f"count={py_str(keywords[path])}"] if path in keywords else []

    def _options(self, field: Field | None) -> list[str]:
        """Return the options of a field's array besides its shape."""
        options: list[str] = []
        if field is not None and field.spec is not None:
            options.append(f"spec={tuple_of(*map(_entry, field.spec))}")
        if field is not None and field.init is not None and field.role != "static":
            options.append(f"init={self._initializer(field.init)}")
        return options

    def _initializer(self, init: Initializer | FunctionPath) -> str:
        if isinstance(init, FunctionPath):
            return py_str(f"{init.module}:{init.attribute}")
        initializer = f"{self.names.use('jax.nn', 'initializers')}.{init.name}"
        if init.arguments is None:
            return initializer if INITIALIZERS[init.name] is None else f"{initializer}()"
        arguments = [expression(value, self.names) for value in init.arguments]
        keywords = [f"{k}={expression(v, self.names)}" for k, v in init.keywords]
        return call(initializer, *arguments, *keywords)

    def _part(self, type: types.ClassType, path: Path, *, is_static: bool) -> str:
        """Format a class. It becomes a part if it has parameters, or is static and its objects have
        shapes.
        """
        node = self.contents.program.classes[type.ref]
        dims = dims_of(type, node)
        known = [(py_str(n), _dim(d)) for n, d in dims.items() if not isinstance(d, types.AnyDim)]
        part_keywords: Mapping[str, str] | None = None
        if self.signature is not None and not is_static:
            part_keywords = self.signature.part_keywords.get(path)
        arguments = keywords(
            types=dict_of([] if is_static else self._types(type)),
            given=dict_of((py_str(k), py_str(v)) for k, v in (part_keywords or {}).items()),
        )
        if type.stacked:
            arguments += ["given={}"] * (part_keywords == {} and not known and not arguments)
            arguments.append(f"stacked={tuple_of(*map(_dim, type.stacked))}")
        cls = self.names.runtime_class(type.ref)
        has_shapes = is_static and self.contents.has_shapes(type)
        if not known and not arguments and part_keywords is None and not has_shapes:
            return cls
        return self._call("part", cls, *([dict_of(known)] if known else []), *arguments)

    def _types(self, type: types.ClassType) -> list[tuple[str, str]]:
        """Return the type arguments that affect shapes."""
        node = self.contents.program.classes[type.ref]
        return [
            (py_str(name), self.format(argument, is_static=False))
            for name, argument in zip(node.type_parameters, type.arguments, strict=False)
            if _affects_shapes(argument)
        ]

    def _call(self, name: str, *arguments: str) -> str:
        return call(f"_rt.{name}", *arguments)


def _affects_shapes(type: Type) -> bool:
    return any(isinstance(part, _SHAPED) for part in type.iter_held())


def _dim(dim: Dim) -> str:
    if isinstance(dim, types.DimSum):
        return tuple_of(_dim(dim.left), py_str(dim.operator), _dim(dim.right))
    return str(dim) if isinstance(dim, types.Size) else py_str(str(dim))


def _axes(axes: tuple[str, ...]) -> str:
    return py_str(axes[0]) if len(axes) == 1 else strings(axes)


def _entry(entry: SpecEntry) -> str:
    if entry is None:
        return "None"
    return py_str(entry) if isinstance(entry, str) else strings(entry)
