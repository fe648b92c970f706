"""The memory of the objects of a class, from its schema: no array, no device, no import of JAX.

plan(program, Ref("heat", "Plate"), {"nx": (4096,), "ny": (4096,)}, {"rows": 4})    ->    Plan(Table(...), ...)

The table has the same rows as `table` of an object with these sizes. The values of static fields are
not known, so all sizes are given by name. The length of a tuple is given by its path.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from codegen.program import types
from codegen.program.nodes import Collection, FactoryCall, Field, Program, SpecEntry, is_none
from codegen.program.show import dim_text, type_text, value_text
from codegen.program.substitution import arguments_of, dims_of, substitute
from codegen.program.types import Dim, Ref, Type
from codegen.runtime.tables import Entry, Row, Spec, Table

Sizes: TypeAlias = Mapping[str, tuple[int, ...]]

# With more values or deeper classes a schema is hostile, or a size is wrong.
_VALUES_MAX: Final = 100_000
_DEPTH_MAX: Final = 200
# No array has as many numbers, and no axis is as long.
_SIZE_MAX: Final = 1 << 60
# The default dtypes of JAX for kinds and Python numbers.
_DTYPES: Final = {
    **dict.fromkeys(("Float", "Inexact", "Real", "Num", "Shaped", "float"), "float32"),
    **dict.fromkeys(("Int", "int"), "int32"),
    **dict.fromkeys(("Bool", "bool"), "bool"),
    **dict.fromkeys(("Complex", "complex"), "complex64"),
    "UInt": "uint32",
}
_OPERATORS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
}


class Plan(Struct, frozen=True):
    """The table of a class, and what prevents it."""

    table: Table
    # The names of the sizes that it needs. One that is not given counts as 1.
    needed: tuple[str, ...]
    # Why the given sizes or the mesh do not fit, for the user.
    faults: tuple[str, ...]


def plan(program: Program, ref: Ref, sizes: Sizes, mesh: Mapping[str, int]) -> Plan:
    """Return the table of a class."""
    planner = _Planner(program, sizes, mesh)
    entries: tuple[Entry, ...] = ()
    try:
        entries = planner.fields(types.ClassType(ref), _Place())
    except _TooLarge as error:
        planner.faults.append(str(error))
    unknown = tuple(planner.unknown)
    table = Table(str(ref), entries, math.prod(mesh.values()), unknown=unknown)
    return Plan(table, tuple(planner.needed), tuple(planner.faults))


def outermost_classes(program: Program) -> list[Ref]:
    """Return the classes with arrays that no other class holds."""
    held = program.graph.contained_by("dynamic", "donated")
    concrete = (node for node in program.classes.values() if not node.abstract)
    return [n.ref for n in concrete if n.traced_fields and {*held[n.ref]} <= {n.ref}]


def mesh_axes(program: Program) -> set[str]:
    """Return the mesh axes that a program names."""
    found = {axis for module in program.modules for dim in module.dims for axis in dim.mesh}
    specs = (f.spec or () for node in program.classes.values() for f in node.fields)
    return found.union(*(_axes(entry) for spec in specs for entry in spec))


class _TooLarge(Exception):
    """Ends the plan of a class."""


class _Place(Struct, frozen=True):
    """The place of a value in the outermost object."""

    name: str = ""
    path: str = ""
    role: str = ""
    # None within a container.
    field: Field | None = None
    # The leading axes of all arrays there, and the classes around it.
    stack: tuple[Dim, ...] = ()
    around: tuple[Ref, ...] = ()


class _Planner(Struct):
    program: Program
    given: Sizes
    mesh: Mapping[str, int]
    needed: dict[str, None] = field(default_factory=dict[str, None])
    faults: list[str] = field(default_factory=list[str])
    # The paths of values whose arrays are not counted.
    unknown: list[str] = field(default_factory=list[str])
    # The owner of each shared part, by the paths of its aliases.
    owners: dict[str, str] = field(default_factory=dict[str, str])
    # The number of values so far.
    values: int = 0

    def fields(self, type: types.ClassType, at: _Place) -> tuple[Entry, ...]:
        """Describe the fields of an object, in the terms of the outermost class."""
        if len(at.around) > _DEPTH_MAX:
            raise _TooLarge(f"an object has classes in {_DEPTH_MAX} levels")
        node = self.program.classes[type.ref]
        for share in node.shares:
            owner, *others = (_join(at.path, ".".join(path.parts)) for path in share.paths)
            self.owners.update(dict.fromkeys(others, owner))
        dims, arguments = dims_of(type, node), arguments_of(type, node)
        found: list[Entry] = []
        for f in node.fields:
            # An array is donated only if all objects that hold it are.
            role = "dynamic" if (f.role, at.role) == ("donated", "dynamic") else f.role
            path = _join(at.path, f.name)
            if f.role == "static":
                default = "" if f.default is None else f" = {value_text(f.default)}"
                found.append(Entry(f.name, f.role, type_text(f.type) + default))
            elif path in self.owners:
                found.append(Entry(f.name, role, f"shared with {self.owners[path]}"))
            else:
                inner = _Place(f.name, path, role, f, at.stack, (*at.around, type.ref))
                found.append(self.value(substitute(f.type, dims, arguments), inner))
        return tuple(found)

    def value(self, type: Type, at: _Place) -> Entry:
        """Describe a value of a type."""
        self.values += 1
        if self.values > _VALUES_MAX:
            raise _TooLarge(f"an object has more than {_VALUES_MAX} arrays and other values")
        match type:
            case types.Array():
                return self._array(type, at)
            case types.Scalar():
                return self._array(types.Array(type.name, type.name, ()), at)
            case types.NoneType():
                return Entry(at.name, at.role, "None")
            case types.Union() if at.field is not None and is_none(at.field.default):
                return Entry(at.name, at.role, "None")
            case types.Union() if inner := types.unwrap_optional(type):
                return self.value(inner, at)
            case types.ClassType() if type.ref not in at.around:
                if not self.program.classes[type.ref].abstract:
                    entries = self.fields(type, replace(at, stack=(*at.stack, *type.stacked)))
                    return Entry(at.name, at.role, type.ref.name, None, entries)
            case types.Sequence() | types.Mapping() | types.FixedTuple():
                return Entry(at.name, at.role, type_text(type), None, self._items(type, at))
            case _:
                pass
        return self._unknown(type, at)

    def _unknown(self, type: Type, at: _Place) -> Entry:
        self.unknown.append(at.path)
        return Entry(at.name, at.role, f"{type_text(type)}: not counted")

    def _items(
        self, type: types.Sequence | types.Mapping | types.FixedTuple, at: _Place
    ) -> tuple[Entry, ...]:
        default = at.field.default if at.field is not None else None
        size = type.size if isinstance(type, types.Sequence) else None
        *_, last = types.held_children(type)
        if isinstance(type, types.FixedTuple):
            count = len(type.elements)
        elif size is not None and not isinstance(size, types.AnyDim):
            count = self._size(size, at)
        elif isinstance(default, Collection):
            count = len(default.items)
        elif isinstance(default, FactoryCall) and default.module == "builtins":
            count = 0
        else:
            count = self._size(types.DimName(at.path), at)
        if count > _VALUES_MAX:
            self.faults.append(f"`{at.path}` would have {count} items")
            count = 0
        items = type.elements if isinstance(type, types.FixedTuple) else [last] * count
        places = (
            replace(at, name=f"[{i}]", path=f"{at.path}[{i}]", field=None)
            for i in range(len(items))
        )
        return tuple(map(self.value, items, places))

    def _array(self, type: types.Array, at: _Place) -> Entry:
        dims = (*at.stack, *type.shape)
        if any(isinstance(dim, types.AnyDim | types.AnyDims) for dim in dims):
            return self._unknown(type, at)
        shape: list[int] = []
        mesh: list[SpecEntry] = []
        for dim in dims:
            sizes = (
                self._given(dim.name) if isinstance(dim, types.Batch) else (self._size(dim, at),)
            )
            shape += sizes
            mesh += [dim.mesh if isinstance(dim, types.DimName) else ()] * len(sizes)
        if at.field is not None and at.field.spec is not None:
            mesh[len(at.stack) :] = at.field.spec
        spec, devices = self._spec(shape, mesh, at.path)
        dtype = _DTYPES.get(type.dtype, type.dtype)
        bits = re.search(r"\d+", dtype)
        # A key of JAX's default generator has 8 bytes; an element has at least one.
        item = 8 if dtype == "key" else max(1, int(bits[0]) // 8) if bits else 1
        whole = item * math.prod(shape)
        if whole > _SIZE_MAX:
            self.faults.append(f"`{at.path}` would have more than {_SIZE_MAX} bytes")
        row = Row(at.path, at.role, dtype, tuple(shape), whole, whole // devices, spec)
        return Entry(at.name, at.role, row=row)

    def _spec(self, shape: Sequence[int], mesh: Sequence[SpecEntry], path: str) -> tuple[Spec, int]:
        """Return the mesh axes of each axis of an array, and into how many parts they divide it."""
        if not self.mesh:
            return None, 1
        taken: set[str] = set()
        found: list[SpecEntry] = []
        total = 1
        for index, (size, entry) in enumerate(zip(shape, mesh, strict=False)):
            axes = tuple(a for a in _axes(entry) if a in self.mesh and a not in taken)
            taken.update(_axes(entry))
            parts = math.prod(self.mesh[axis] for axis in axes)
            if size % parts:
                self.faults.append(
                    f"axis {index} of `{path}` has the size {size}, but must be a multiple of "
                    f"{parts}, the number of devices along {', '.join(axes)}"
                )
            total *= parts
            found.append(axes if len(axes) > 1 else axes[0] if axes else None)
        while found and found[-1] is None:
            found.pop()
        return tuple(found), total

    def _size(self, dim: Dim, at: _Place) -> int:
        """Return the size of one axis, or the length of a tuple."""
        size = self._value(dim)
        if size is None or size < 0:
            found = "not be one number, or be too large" if size is None else f"be {size}"
            self.faults.append(f"the size `{dim_text(dim)}` of `{at.path}` would {found}")
        return max(size or 0, 0)

    def _value(self, dim: Dim) -> int | None:
        value: int | None = None
        match dim:
            case types.Size():
                value = dim.value
            case types.DimName():
                given = self._given(dim.name)
                value = given[0] if len(given) == 1 else None  # Only `*batch` has others.
            case types.DimSum():
                left, right = self._value(dim.left), self._value(dim.right)
                if left is not None and right is not None and (right or dim.operator != "//"):
                    value = _OPERATORS[dim.operator](left, right)
            case _:
                pass
        return None if value is None or abs(value) > _SIZE_MAX else value

    def _given(self, name: str) -> tuple[int, ...]:
        self.needed[name] = None
        return self.given.get(name, (1,))


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _axes(entry: SpecEntry) -> tuple[str, ...]:
    return (entry,) if isinstance(entry, str) else entry or ()
