# mypy: disable-error-code="no-untyped-call"
"""The memory of objects and of calls, by path. Nothing is run, and nothing is copied.

print(table(plate))                     # also an abstract object, or a tree of objects
print(table(a, mesh=mesh))              # the parts that its shardings would have
print(step.memory(plate, 0.1))          # arguments, results and temporaries of a call
"""

import dataclasses
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import jax
from jax.core import Tracer
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec
from jax.tree_util import keystr, tree_flatten_with_path, tree_leaves

from .call.buffers import reused_by
from .call.programs import CompiledProgram
from .keys.messages import format_line, shorten
from .keys.names import Generated, has_dtype, is_generated, is_ref
from .tables import Entry, Printable, Row, Table, aligned, format_bytes

# Totals of `memory_analysis()`, by the first word of their names.
Analysis: TypeAlias = Mapping[str, int]

_TEXT_MAX: Final = 60
# The numbers of `memory_analysis()`, without the end of their names.
_TOTALS: Final = ("argument", "output", "alias", "temp", "generated_code")
_NUMBERS: Final = (bool, int, float, complex)


def table(
    obj: object, depth: int | None = None, *, mesh: Mesh | AbstractMesh | None = None
) -> Table:
    """Return the arrays of an object, each with its path, role, type and bytes.

    Args:
        obj: an object of a generated class, or any tree; its arrays may be abstract
        depth: how many levels are printed; `None`: all. Rows and totals are complete
        mesh: show the parts that arrays have under `obj.shardings(mesh)`; if omitted,
            those that they have now

    Raises:
        ValueError: the mesh does not fit the object
    """
    walk = _Walk(mesh)
    walk.place(obj)
    whole = walk.value(obj, "", "", "")
    entries = whole.entries or (dataclasses.replace(whole, name="value"),)
    return Table(type(obj).__qualname__, entries, walk.devices, depth)


class _Walk:
    """A walk through the values of a tree."""

    def __init__(self, mesh: Mesh | AbstractMesh | None) -> None:
        self.mesh = mesh
        self.devices = 1 if mesh is None else mesh.size
        # The path of each array that is already counted, by its id, and the arrays.
        self.seen: dict[int, tuple[str, Any]] = {}
        # The owner of each shared part, by the paths of its aliases.
        self.owners: dict[str, str] = {}
        # The shardings under the mesh, by the path of each leaf; others are replicated.
        self.shardings: dict[str, Any] = {}
        self.replicated = None if mesh is None else NamedSharding(mesh, PartitionSpec())

    def place(self, obj: object) -> None:
        """Find the shardings under the mesh of the leaves of generated objects."""
        if self.mesh is None:
            return
        for path, leaf in _located(obj, is_generated):
            if hasattr(leaf, "shardings"):
                placed = jax.tree.broadcast(leaf.shardings(self.mesh), leaf)
                for step, sharding in _located(placed):
                    self.shardings[_join(path, step)] = sharding

    def value(self, value: object, name: str, path: str, role: str) -> Entry:
        """Describe a value: an object, an array, or a tree of others.

        Args:
            value: the value
            name: its step from its holder
            path: its path
            role: the role of its arrays
        """
        owner = self.owners.get(path)
        if owner is not None:
            return Entry(name, role, f"shared with {owner}")
        if is_generated(value):
            entries = self.fields(value, path, role)
            return Entry(name, role, type(value).__qualname__, None, entries)
        if jax.tree_util.all_leaves([value]):
            return self.leaf(value, name, path, role)
        parts = _located(value, is_generated)
        text = type(value).__qualname__ if parts else _format(value)
        inner = [
            self.value(one, _join("", step), _join(path, step), role)
            for step, one in parts
        ]
        return Entry(name, role, text, None, tuple(inner))

    def fields(self, obj: Generated, path: str, role: str) -> tuple[Entry, ...]:
        """Describe the fields of an object, in their declared order."""
        record = type(obj).__codegen_record__
        for row in record.shares:
            owner, *others = (_join(path, f".{'.'.join(steps)}") for steps in row)
            self.owners.update(dict.fromkeys(others, owner))
        found: list[Entry] = []
        for field in dataclasses.fields(obj):
            value, own = getattr(obj, field.name), field.metadata["role"]
            if own == "static":
                found.append(Entry(field.name, own, _format(value)))
                continue
            # An array is donated only if all objects that hold it are.
            own = "dynamic" if (own, role) == ("donated", "dynamic") else own
            inner = _join(path, f".{field.name}")
            found.append(self.value(value, field.name, inner, own))
        return tuple(found)

    def leaf(self, leaf: object, name: str, path: str, role: str) -> Entry:
        """Describe an array, or another leaf."""
        is_traced = isinstance(leaf, Tracer)
        if not is_traced and getattr(leaf, "is_deleted", bool)():
            return Entry(name, role, f"deleted: {_format(leaf)}")
        if not hasattr(leaf, "dtype") and not isinstance(leaf, _NUMBERS):
            return Entry(name, role, _format(leaf))
        is_array = isinstance(leaf, jax.Array | jax.Ref) and not is_traced
        first, _ = (
            self.seen.setdefault(id(leaf), (path, leaf)) if is_array else (path, leaf)
        )
        if first != path:
            return Entry(name, role, f"the array of {first}")
        sharding = self.shardings.get(path, self.replicated)
        if self.mesh is None and not is_traced:
            sharding = getattr(leaf, "sharding", None)
        row = array_row(leaf, path, role, sharding)
        if sharding is not None:
            self.devices = max(self.devices, sharding.num_devices)
        return Entry(name, row.role, row=row)


def array_row(leaf: Any, path: str, role: str, sharding: Any = None) -> Row:
    """Describe an array, a number, an abstract array or a Ref, under a sharding."""
    role = "ref" if is_ref(leaf) else role
    aval = leaf if hasattr(leaf, "dtype") else jax.typeof(leaf)
    shape, item = tuple(aval.shape), aval.dtype.itemsize
    part = shape if sharding is None else sharding.shard_shape(shape)
    name = "key" if has_dtype(aval.dtype, "key") else str(aval.dtype)
    spec = tuple(sharding.spec) if isinstance(sharding, NamedSharding) else None
    return Row(
        path, role, name, shape, item * math.prod(shape), item * math.prod(part), spec
    )


def _located(
    tree: object, is_leaf: Callable[[Any], bool] | None = None
) -> list[tuple[str, Any]]:
    """Return the leaves of a tree, each with its path as JAX prints it."""
    return [
        (keystr(path), leaf) for path, leaf in tree_flatten_with_path(tree, is_leaf)[0]
    ]


def _join(path: str, step: str) -> str:
    return path + step if path else step.removeprefix(".")


def _format(value: object) -> str:
    # The repr of a function has its address.
    text = getattr(value, "__qualname__", None) or format_line(value)
    return shorten(" ".join(text.split()), _TEXT_MAX)


# --- calls


@dataclasses.dataclass(frozen=True)
class CallMemory(Printable):
    """The memory of one call of a function, by path. All bytes are those of one device."""

    function: str
    devices: int
    arguments: tuple[Row, ...]
    results: tuple[Row, ...]
    # The result that reuses the buffer of a donated argument, by the argument's path.
    aliased: Mapping[str, str]
    # The results that are the caller's own arrays, by the argument's path.
    passed: Mapping[str, str]
    # The paths of arguments that the program does not read.
    unread: tuple[str, ...]
    # The totals of `memory_analysis()`; None if the backend reports none.
    analysis: Analysis | None

    @property
    def temporaries(self) -> int | None:
        """The bytes of arrays that exist only during the call; None if not reported."""
        return None if self.analysis is None else self.analysis["temp"]

    @property
    def new_results(self) -> tuple[Row, ...]:
        """The results with buffers of their own."""
        others = {*self.aliased.values(), *self.passed.values()}
        return tuple(row for row in self.results if row.path not in others)

    @property
    def peak(self) -> int:
        """The bytes of arguments, new results and temporaries together."""
        rows = (*self.arguments, *self.new_results)
        return sum(row.bytes_per_device for row in rows) + (self.temporaries or 0)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as JSON."""
        found = dataclasses.asdict(self)
        for name in ("arguments", "results"):
            found[name] = [row._asdict() for row in getattr(self, name)]
        return {**found, "peak": self.peak, "temporaries": self.temporaries}

    def __str__(self) -> str:
        at, amount, temporaries = (
            self.function,
            format_bytes(self.peak),
            self.temporaries,
        )
        if self.devices > 1:
            at, amount = f"{at} on {self.devices} devices", f"{amount}/device"
        rows = [(row, self._use(row)) for row in self.arguments]
        rows += [(row, "new") for row in self.new_results]
        lines = [(r.path, format_bytes(r.bytes_per_device), use) for r, use in rows]
        if temporaries is None:
            amount = f"at least {amount}, by shapes only: the backend reports no memory"
            lines.append(("temporaries", "unknown", "not reported"))
        else:
            amount = f"{amount} at the peak"
            lines.append(("temporaries", format_bytes(temporaries), "by XLA"))
        return "\n  ".join([f"{at}: {amount}", *aligned(lines)])

    def _use(self, row: Row) -> str:
        if row.path in self.aliased:
            return f"donated: its buffer becomes {self.aliased[row.path]}"
        if row.role == "donated":
            return "donated: no result reuses its buffer"
        if row.path in self.unread and row.path not in self.passed:
            return "not read"
        if row.role == "ref":
            return "ref: read or written in place"
        return "passed through: not copied" if row.path in self.passed else "read"


def measure(
    name: str, program: CompiledProgram, donated: list[Any], kept: list[Any]
) -> CallMemory:
    """Compile a program for these leaves, and describe its memory."""
    traced = program.staged("trace", donated, kept, "memory")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Some donated buffers were not usable")
        compiled = traced.lower().compile()
    leaves, paths = [*donated, *kept], program.structure.paths
    wanted = [*compiled.input_shardings[0][0], *compiled.input_shardings[0][1]]
    arguments: list[Row] = []
    for leaf, path, sharding in zip(leaves, paths, wanted, strict=True):
        role = "donated" if len(arguments) < len(donated) else "dynamic"
        # JAX has no sharding for an argument that the program does not read.
        placed = sharding or getattr(leaf, "sharding", None)
        arguments.append(array_row(leaf, path, role, placed))
    results = [*_results(traced, compiled, arguments[len(donated) :])]
    fresh = [row.path for row, path in results if path is None]
    aliased: dict[str, str] = {}
    if donated:
        found = reused_by(traced, donated)
        aliased = {paths[i]: fresh[number] for i, number in found.items()}
    return CallMemory(
        name,
        max([1, *(one.num_devices for one in tree_leaves(wanted))]),
        tuple(arguments),
        tuple(row for row, _ in results),
        aliased,
        {path: row.path for row, path in results if path is not None},
        tuple(path for path, one in zip(paths, wanted, strict=True) if one is None),
        _analysis(compiled),
    )


def _results(
    traced: Any, compiled: Any, kept: Sequence[Row]
) -> Iterator[tuple[Row, str | None]]:
    """Yield the row of each array of a result; of the caller's own, the path there too."""
    ((structure, travelled),) = traced.out_info.items()
    new, treedef = jax.tree_util.tree_flatten(travelled)
    # Distinct objects, to find each in the result.
    struct: Any = jax.ShapeDtypeStruct
    marks = [struct(leaf.shape, leaf.dtype) for leaf in new]
    own = [struct(row.shape, bool) for row in kept]
    rows = {id(mark): row for mark, row in zip(own, kept, strict=True)}
    try:
        placed = tree_leaves(compiled.output_shardings)
    except ValueError:  # JAX also counts the contents of Refs, after the results.
        placed = compiled._executable._out_shardings  # noqa: SLF001
    places = dict(zip(map(id, marks), placed, strict=False))
    result = structure.make_result(jax.tree.unflatten(treedef, marks), own)
    for step, leaf in _located(result):
        path, row = f"result{step}", rows.get(id(leaf))
        if row is None:
            yield array_row(leaf, path, "result", places[id(leaf)]), None
        else:
            yield row._replace(path=path, role="result"), row.path


def _analysis(compiled: Any) -> Analysis | None:
    stats = compiled.memory_analysis()
    if stats is None:
        return None
    return {name: getattr(stats, f"{name}_size_in_bytes") for name in _TOTALS}
