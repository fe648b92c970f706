"""What a class declares of shapes, as the data that is registered with it.

u: donated[f32[nx, ny]]               ->    "u": Shaped("float32", "nx", "ny")
first: donated[Linear[nx + 1, 10]]    ->    "first": Part({"n_in": ("nx", "+", 1), "n_out": 10})
"""

from __future__ import annotations

from msgspec import Struct

from codegen.program import types
from codegen.program.bind import dims_of
from codegen.program.nodes import Class, Field, SpecEntry
from codegen.program.types import Dim, Type
from codegen.view.drawing import Drawing
from codegen.view.layout import Bracket, Node, call, tuple_of
from codegen.view.literals import after, py_str
from codegen.view.names import Names
from codegen.view.sizes import size_paths

# What says something of the shape of a value in a dynamic role.
_SHAPED = (types.Array, types.ClassType, types.Scalar, types.TypeParameter)


def shapes_argument(node: Class, names: Names, drawing: Drawing) -> Node | None:
    """Write the argument `shapes=` of a class's registration; None where it has no array."""
    writer = _Writer(names, drawing)
    bases = _bases(node, drawing)
    # Each field in the terms of the class that declares it.
    written = {f.name: f for base in bases for f in base.fields}
    fields = [
        (f.name, writer.field(written.get(f.name, f)))
        for f in node.fields
        if holds_arrays(f, drawing)
    ]
    sizes = [(n, tuple_of(*map(py_str, paths))) for n, paths in size_paths(node, drawing).items()]
    if not fields and not (node.dims and sizes):
        return None
    arguments: list[Node] = [_dict("", [(name, shape) for name, shape in fields])]
    if node.dims:
        arguments.append(after("parameters=", tuple_of(*map(py_str, node.dims))))
    parents = [(str(base.node.ref), writer.parent(base)) for base in bases]
    mesh = [(name, _axes(axes)) for name, axes in _mesh(node).items()]
    for keyword, items in (("bases", parents), ("sizes", sizes), ("mesh", mesh)):
        if items:
            arguments.append(_dict(f"{keyword}=", items))
    made = call(names.runtime("shapes.declared", "Shapes"), *arguments)
    return after("shapes=", made)


def holds_arrays(field: Field, drawing: Drawing) -> bool:
    """Say whether a field's values have shapes: arrays, constant ones, or parameters that are sizes."""
    return field.role != "static" or drawing.has_shapes(field.type)


def parameter_name(node: Class, name: str) -> str:
    """Return how a type parameter is known: a subclass may have one of the same name."""
    return f"{node.ref.name}.{name}"


class _Base(Struct, frozen=True):
    """A base, what it is to the class that derives from it, and fields in its own terms."""

    node: Class
    type: types.ClassType
    fields: tuple[Field, ...]


def _bases(node: Class, drawing: Drawing) -> list[_Base]:
    """Return the bases of a class, nearest first, up to the last one that has parameters."""
    found: list[_Base] = []
    fields = {f.name: f for f in node.fields}
    declared = {f.name for f in node.own_fields}
    child = node
    while child.base is not None:
        parent = drawing.program.classes[child.base.ref]
        own = [f for f in parent.own_fields if f.name not in declared]
        declared |= {f.name for f in own}
        held = [f for f in own if _is_in_own_terms(f, fields[f.name], parent, drawing)]
        found.append(_Base(parent, child.base, tuple(held)))
        child = parent
    while found and not (found[-1].node.dims or found[-1].node.type_parameters):
        found.pop()
    return found


def _is_in_own_terms(field: Field, now: Field, node: Class, drawing: Drawing) -> bool:
    """Say whether a field is written in the terms of the base that declares it.

    Where a class below has said what its type parameter is, that says more.
    """
    if field.role == "static" and field.name in node.dims:
        return True
    if not (node.dims or node.type_parameters) or not holds_arrays(now, drawing):
        return False
    generic, still = (
        any(isinstance(part, types.TypeParameter) for part in types.walk(one.type))
        for one in (field, now)
    )
    return still or not generic


def _mesh(node: Class) -> dict[str, tuple[str, ...]]:
    """Return the mesh axes of each dimension that has some and that a field names."""
    found: dict[str, tuple[str, ...]] = {}
    for field in node.fields:
        for part in types.walk(field.type) if field.role != "static" else ():
            dims = part.shape if isinstance(part, types.Array) else ()
            dims = part.dims if isinstance(part, types.ClassType) else dims
            for dim in dims:
                if isinstance(dim, types.DimName) and dim.mesh:
                    found.setdefault(dim.name, dim.mesh)
    return found


class _Writer(Struct, frozen=True):
    names: Names
    drawing: Drawing

    def parent(self, base: _Base) -> Node:
        """Write what a base's parameters are, and which fields are in their terms."""
        known = dims_of(base.type, base.node)
        dims = [(n, _dim(known.get(n, types.DimName(n)))) for n in base.node.dims]
        given = self._types(base.type, is_static=False)
        arguments: list[Node] = [_dict("", dims)] if dims else []
        if given:
            arguments.append(_dict("types=", given))
        if base.fields:
            names = tuple_of(*(py_str(f.name) for f in base.fields))
            arguments.append(after("fields=", names))
        return self._call("Parent", *arguments)

    def field(self, field: Field) -> Node:
        return self._shape(field.type, field.spec, is_static=field.role == "static")

    def _shape(
        self, type: Type, spec: tuple[SpecEntry, ...] | None = None, *, is_static: bool
    ) -> Node:
        match type:
            case types.Array():
                options: list[Node] = []
                if spec is not None:
                    options.append(after("spec=", tuple_of(*map(_entry, spec))))
                return self._call("Shaped", py_str(type.dtype), *map(_dim, type.shape), *options)
            case types.ClassType():
                return self._part(type, is_static=is_static)
            case types.Sequence(container="tuple" | "list", element=item):
                return self._call("Each", self._shape(item, is_static=is_static))
            case types.Mapping():
                return self._call("Each", self._shape(type.value, is_static=is_static))
            case types.FixedTuple():
                items = (self._shape(e, is_static=is_static) for e in type.elements)
                return self._call("Items", *items)
            case types.Union():
                classes = sum(isinstance(member, types.ClassType) for member in type.members)
                options = [
                    "None"
                    if isinstance(member, types.NoneType)
                    else self._part(member, is_static=is_static, is_one_of=True)
                    if isinstance(member, types.ClassType) and classes > 1
                    else self._shape(member, spec, is_static=is_static)
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

    def _part(self, type: types.ClassType, *, is_static: bool, is_one_of: bool = False) -> Node:
        node = self.drawing.program.classes[type.ref]
        dims = dims_of(type, node)
        known = [(n, _dim(d)) for n, d in dims.items() if not isinstance(d, types.AnyDim)]
        arguments: list[Node] = [_dict("", known)] if known else []
        given = self._types(type, is_static=is_static)
        if given:
            arguments.append(_dict("types=", given))
        if is_one_of or arguments:
            arguments.append(after("of=", py_str(str(type.ref))))
        return self._call("Part", *arguments)

    def _types(self, type: types.ClassType, *, is_static: bool) -> list[tuple[str, Node]]:
        """Write the type arguments that say something of shapes."""
        node = self.drawing.program.classes[type.ref]
        return [
            (name, self._shape(argument, is_static=False))
            for name, argument in zip(node.type_parameters, type.arguments, strict=False)
            if not is_static and any(isinstance(p, _SHAPED) for p in types.walk(argument))
        ]

    def _call(self, name: str, *arguments: Node) -> Node:
        return call(self.names.runtime("shapes.declared", name), *arguments)


def _dim(dim: Dim) -> Node:
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


def _axes(axes: tuple[str, ...]) -> Node:
    return py_str(axes[0]) if len(axes) == 1 else tuple_of(*map(py_str, axes))


def _entry(entry: SpecEntry) -> Node:
    if entry is None:
        return "None"
    return py_str(entry) if isinstance(entry, str) else tuple_of(*map(py_str, entry))


def _dict(opening: str, items: list[tuple[str, Node]]) -> Node:
    pairs = tuple(after(f"{py_str(name)}: ", value) for name, value in items)
    return Bracket(f"{opening}{{", pairs, "}")
