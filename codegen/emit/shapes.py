"""What a class declares of shapes, as the data that is registered with it.

u: donated[f32[nx, ny]]               ->    "u": Shaped("float32", "nx", "ny")
first: donated[Linear[nx + 1, 10]]    ->    "first": Part({"n_in": ("nx", "+", 1), "n_out": 10})
"""

from __future__ import annotations

from msgspec import Struct

from codegen.check.abstract_signature import AbstractSignature, AbstractSignatures, Path
from codegen.check.dimensions import (
    BaseSubstitution,
    base_substitutions,
    holds_arrays,
    mesh_axes,
    size_paths,
)
from codegen.check.drawing import Drawing
from codegen.emit.class_traits import ClassTraits
from codegen.emit.expressions import call, dict_of, expression, keywords, py_str, strings, tuple_of
from codegen.emit.names import ModuleNames
from codegen.program import types
from codegen.program.nodes import Field, Function, FunctionPath, Initializer, SpecEntry
from codegen.program.substitution import dims_of
from codegen.program.types import Dim, Type
from codegen.schema.vocabulary import INITIALIZERS

# What says something of the shape of a value in a dynamic role.
_SHAPED = (types.Array, types.ClassType, types.Scalar, types.TypeParameter)


def shapes_of(traits: ClassTraits, names: ModuleNames, signatures: AbstractSignatures) -> str:
    """Write what the schema says of the shapes in a class; nothing where it has no array."""
    node, drawing = traits.node, signatures.drawing
    signature = signatures.of(node.ref) if node.has_makers else None
    writer = _Writer(names, drawing, signature)
    bases = base_substitutions(node, drawing)
    # Each field in the terms of the class that declares it.
    written = {f.name: f for base in bases for f in base.fields}
    fields = [
        (py_str(f.name), writer.field(written.get(f.name, f)))
        for f in node.fields
        if holds_arrays(f, drawing)
    ]
    sizes = [(py_str(n), strings(paths)) for n, paths in size_paths(node, drawing).items()]
    if not fields and not (node.dims and sizes):
        return ""
    if bases:
        names.runtime_parts.add("generics")  # which `check` imports where a class has some
    arguments = keywords(
        parameters=strings(node.dims),
        bases=dict_of((py_str(str(base.node.ref)), writer.parent(base)) for base in bases),
        sizes=dict_of(sizes),
        mesh=dict_of((py_str(name), _axes(axes)) for name, axes in mesh_axes(node).items()),
        known=dict_of(_known(signature) if signature is not None else ()),
        empty=strings(signature.empty) if signature is not None else "",
    )
    return call(names.runtime("shapes", "Shapes"), dict_of(fields), *arguments)


def signature_shapes(node: Function, names: ModuleNames, drawing: Drawing) -> str:
    """Write what a function declares of the arrays in its arguments and its result."""
    writer = _Writer(names, drawing, None)
    declared = [(p.name, p.type, p.role == "static") for p in node.parameters]
    declared.append(("return", node.returns, False))
    return dict_of(
        (py_str(name), writer.value(name, type, is_static=is_static))
        for name, type, is_static in declared
        if _is_shaped(type, is_static=is_static)
    )


def _is_shaped(type: Type, *, is_static: bool) -> bool:
    """Say whether a type declares something of arrays."""
    kinds = types.Array if is_static else (types.Array, types.ClassType, types.Scalar)
    return any(isinstance(part, kinds) for part in types.iter_held(type))


def _known(signature: AbstractSignature) -> list[tuple[str, str]]:
    """Write which sizes a keyword gives that is called otherwise, or a static value of a part."""
    renamed = [
        (py_str(o.dim), py_str(o.keyword))
        for o in signature.free
        if o.kind in ("size", "shape") and o.keyword != o.dim
    ]
    nested = [
        (py_str(name), py_str(f"{signature.keywords[path]}.{rest}"))
        for name, (path, rest) in signature.known.items()
        if len(path) > 1
    ]
    return renamed + nested


class _Writer(Struct, frozen=True):
    names: ModuleNames
    drawing: Drawing
    signature: AbstractSignature | None  # where objects are made

    def parent(self, base: BaseSubstitution) -> str:
        """Write what a base's parameters are, and which fields are in their terms."""
        known = dims_of(base.type, base.node)
        dims = [(py_str(n), _dim(known.get(n, types.DimName(n)))) for n in base.node.dims]
        arguments = keywords(
            types=dict_of(self._types(base.type, is_static=False)),
            fields=strings(f.name for f in base.fields),
        )
        return self._call("Parent", *([dict_of(dims)] if dims else []), *arguments)

    def field(self, field: Field) -> str:
        return self._shape(field.type, (field.name,), field, is_static=field.role == "static")

    def value(self, name: str, type: Type, *, is_static: bool) -> str:
        """Write what is declared of an argument, or of a result."""
        return self._shape(type, (name,), is_static=is_static)

    def _shape(self, type: Type, path: Path, field: Field | None = None, *, is_static: bool) -> str:
        match type:
            case types.Array():
                dims = [*map(_dim, type.shape), *self._options(field)]
                return self._call("Shaped", py_str(type.dtype), *dims)
            case types.ClassType():
                return self._part(type, path, is_static=is_static)
            case types.Sequence(size=size) if size is not None:
                item = self._shape(type.element, path, is_static=is_static)
                return self._call("Each", item, f"size={_dim(size)}")
            case types.Sequence(container="tuple" | "list", element=item):
                return self._each(item, path, type.container, is_static=is_static)
            case types.Mapping():
                return self._each(type.value, path, type.container, is_static=is_static)
            case types.FixedTuple():
                items = (
                    self._shape(e, (*path, str(i)), is_static=is_static)
                    for i, e in enumerate(type.elements)
                )
                return self._call("Items", *items)
            case types.Union():
                classes = sum(isinstance(member, types.ClassType) for member in type.members)
                options = [
                    "None"
                    if isinstance(member, types.NoneType)
                    else self._part(member, path, is_static=is_static, is_one_of=True)
                    if isinstance(member, types.ClassType) and classes > 1
                    else self._shape(member, path, field, is_static=is_static)
                    for member in type.members
                ]
                return self._call("AnyOf", *options)
            case types.Scalar(name="int" | "float" | "bool" | "complex") if not is_static:
                return self._call("Weak", py_str(type.name))
            case types.NoneType():
                return self._call("AnyOf", "None")
            case types.TypeParameter() if not is_static:
                return self._call("Given", py_str(type.name))
            case _:
                return self._call("Opaque")

    def _options(self, field: Field | None) -> list[str]:
        """Write what a field says of its array besides its shape."""
        options: list[str] = []
        if field is not None and field.spec is not None:
            options.append(f"spec={tuple_of(*map(_entry, field.spec))}")
        if field is not None and field.init is not None and field.role != "static":
            options.append(f"init={self._initializer(field.init)}")
        return options

    def _initializer(self, init: Initializer | FunctionPath) -> str:
        if isinstance(init, FunctionPath):
            return py_str(f"{init.module}:{init.attribute}")
        made = f"{self.names.use('jax.nn', 'initializers')}.{init.name}"
        if init.arguments is None:
            return made if INITIALIZERS[init.name] is None else f"{made}()"
        arguments = [expression(value, self.names) for value in init.arguments]
        keywords = [f"{k}={expression(v, self.names)}" for k, v in init.keywords]
        return call(made, *arguments, *keywords)

    def _each(self, item: Type, path: Path, container: str, *, is_static: bool) -> str:
        """Write what every element is, and of what; where objects are made, which keyword says how many."""
        arguments = [self._shape(item, path, is_static=is_static)]
        if self.signature is not None and not is_static:
            count = self.signature.keywords.get(path)
            arguments += [f"count={py_str(count)}"] if count is not None else []
        if container != "tuple" and not is_static:
            arguments.append(f"kind={self.names.builtin(container)}")
        return self._call("Each", *arguments)

    def _part(
        self, type: types.ClassType, path: Path, *, is_static: bool, is_one_of: bool = False
    ) -> str:
        node = self.drawing.program.classes[type.ref]
        dims = dims_of(type, node)
        known = [(py_str(n), _dim(d)) for n, d in dims.items() if not isinstance(d, types.AnyDim)]
        types_given = self._types(type, is_static=is_static)
        given = (
            self.signature.parts.get(path) if self.signature is not None and not is_static else None
        )
        is_named = is_one_of or known or types_given or given is not None
        arguments = keywords(
            types=dict_of(types_given),
            of=py_str(str(type.ref)) if is_named else "",
            given=dict_of((py_str(k), py_str(v)) for k, v in (given or {}).items()),
            stacked=tuple_of(*map(_dim, type.stacked)),
        )
        return self._call("Part", *([dict_of(known)] if known else []), *arguments)

    def _types(self, type: types.ClassType, *, is_static: bool) -> list[tuple[str, str]]:
        """Write the type arguments that say something of shapes."""
        node = self.drawing.program.classes[type.ref]
        return [
            (py_str(name), self._shape(argument, ("",), is_static=False))
            for name, argument in zip(node.type_parameters, type.arguments, strict=False)
            if not is_static and any(isinstance(p, _SHAPED) for p in types.iter_held(argument))
        ]

    def _call(self, name: str, *arguments: str) -> str:
        return call(self.names.runtime("shapes", name), *arguments)


def _dim(dim: Dim) -> str:
    match dim:
        case types.DimName():
            return py_str(dim.name)
        case types.Size():
            return str(dim.value)
        case types.Batch():
            return py_str(f"*{dim.name}")
        case types.AnyDims():
            return py_str("...")
        case types.AnyDim():
            return py_str("_")
        case types.DimSum():
            return tuple_of(_dim(dim.left), py_str(dim.operator), _dim(dim.right))


def _axes(axes: tuple[str, ...]) -> str:
    return py_str(axes[0]) if len(axes) == 1 else strings(axes)


def _entry(entry: SpecEntry) -> str:
    if entry is None:
        return "None"
    return py_str(entry) if isinstance(entry, str) else strings(entry)
