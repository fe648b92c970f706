"""Tables of arrays: the path, role, dtype, shape and bytes of each, and sums by object.

print(table(plate))     # see `memory`
"""

import html
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from .keys.messages import short_dtype

# The mesh axes of each axis of an array. None: it is not on a named mesh.
Spec: TypeAlias = tuple[str | tuple[str, ...] | None, ...] | None
Cells: TypeAlias = tuple[str, ...]


class Row(NamedTuple):
    """An array. Its bytes are those of the whole array; a device has a part of these."""

    path: str  # Example: "model.first.w"
    role: str
    dtype: str  # NumPy's name, or "key"
    shape: tuple[int, ...]
    bytes: int
    bytes_per_device: int
    spec: Spec

    @property
    def size(self) -> int:
        """The number of its elements."""
        return math.prod(self.shape)

    def __str__(self) -> str:
        """Return the dtype and shape, as in schemas: `f32[64,64]`."""
        return f"{short_dtype(self.dtype)}[{','.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Entry:
    """One value: an array, or an object or container with its own entries."""

    name: str  # its step from the holder. Example: "first", "[0].mu"
    role: str
    # The class of an object; a static value; or the reason why nothing is counted.
    text: str = ""
    row: Row | None = None
    entries: tuple["Entry", ...] = ()

    def walk(self, level: int = 0) -> Iterator[tuple[int, "Entry"]]:
        """Yield this entry and all entries in it, each with its level."""
        yield level, self
        for entry in self.entries:
            yield from entry.walk(level + 1)

    @property
    def rows(self) -> list[Row]:
        """The arrays in it."""
        return [entry.row for _, entry in self.walk() if entry.row is not None]


class Printable:
    """A value whose text has columns, also for rich and in notebooks."""

    def __rich__(self) -> Any:
        # Only rich calls this. Its own markup must not apply to the text.
        from rich.text import Text

        return Text(str(self))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


@dataclass(frozen=True)
class Table(Printable):
    """The arrays of an object, or of the objects of a class."""

    title: str
    entries: tuple[Entry, ...]
    devices: int = 1
    # How many levels are shown; None: all.
    depth: int | None = None
    # The paths of values whose arrays are not counted.
    unknown: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """One row for each array."""
        return tuple(row for entry in self.entries for row in entry.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the rows and totals as JSON."""
        return {
            "name": self.title,
            "devices": self.devices,
            "rows": [row._asdict() for row in self.rows],
            "bytes": sum(row.bytes for row in self.rows),
            "bytes_per_device": sum(row.bytes_per_device for row in self.rows),
            "unknown": [*self.unknown],
        }

    def __str__(self) -> str:
        lines: list[Cells] = []
        for level, entry in (pair for one in self.entries for pair in one.walk()):
            if self.depth is None or level < self.depth:
                name = "  " * (level + 1) + entry.name
                lines.append((name, entry.role, *self._describe(entry)))
        rows = self.rows
        total = [f"{len(rows)} array{'s' * (len(rows) != 1)}"]
        total.append(f"{format_count(sum(row.size for row in rows))} numbers")
        total += self.amounts(rows)
        if self.unknown:
            total.append(f"without {', '.join(self.unknown)}")
        lines.append(("  total", "", ", ".join(total)))
        on_devices = "" if self.devices == 1 else f" on {self.devices} devices"
        return "\n".join([self.title + on_devices, *aligned(lines)])

    def _describe(self, entry: Entry) -> Cells:
        if entry.row is None:
            return (entry.text, *(self.amounts(entry.rows) if entry.entries else ()))
        spec = "" if entry.row.spec is None else format_spec(entry.row.spec)
        return (str(entry.row), *self.amounts([entry.row]), spec)

    def amounts(self, rows: Sequence[Row]) -> Cells:
        """Return the bytes of several arrays as text, and those on one device."""
        whole = format_bytes(sum(row.bytes for row in rows))
        part = format_bytes(sum(row.bytes_per_device for row in rows))
        return (whole,) if self.devices == 1 else (whole, f"{part}/device")


# --- text


def aligned(lines: Sequence[Cells]) -> list[str]:
    """Return lines whose cells are in columns. The last cell of a line may be longer."""
    columns = zip_longest(*(cells[:-1] for cells in lines), fillvalue="")
    widths = [max(map(len, column)) for column in columns]
    padded = (
        [c.ljust(w) for c, w in zip(cells, [*widths, 0], strict=False)]
        for cells in lines
    )
    return ["  ".join(cells).rstrip() for cells in padded]


def format_bytes(number: int) -> str:
    """Return a number of bytes: `4 B`, `8.0 MiB`, `128 MiB`."""
    return _scaled(number, 1024, ("B", "KiB", "MiB", "GiB", "TiB", "PiB"))


def format_count(number: int) -> str:
    """Return a number in words of engineers: `12`, `33.6 M`."""
    return _scaled(number, 1000, ("", "K", "M", "G", "T", "P")).strip()


def _scaled(number: int, base: int, units: Sequence[str]) -> str:
    value, index = float(number), 0
    while round(value) >= base and index + 1 < len(units):
        value, index = value / base, index + 1
    digits = 1 if index and value < 99.95 else 0
    return f"{value:.{digits}f} {units[index]}"


def format_spec(spec: Sequence[Any]) -> str:
    """Return the text of a PartitionSpec: `P("rows", None)`."""
    return f"P({', '.join(map(_format_axes, spec))})"


def _format_axes(axes: Any) -> str:
    if axes is None or isinstance(axes, str):
        return "None" if axes is None else f'"{axes}"'
    return f"({', '.join(map(_format_axes, axes))})"
