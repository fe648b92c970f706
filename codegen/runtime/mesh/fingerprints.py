# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""A digest of a schema and of static values that is the same in every process.

    plate.fingerprint()     # '9f0c1d...', 64 digits
    entries(plate)          # [('', 'heat:Plate, schema 51ab...'), ('.grid.nx', '64'), ...]

Python's own hashes differ from process to process. This is made of texts that say as
much as trace keys do: names in place of identities, types where values look alike. What
arrays hold, and their sizes, is no part of it.
"""

import dataclasses
import hashlib
from typing import Any, Final

import jax

from ..classes.split import is_generated
from .written import class_name, home, written

Entry = tuple[str, str]

# How many digits of a part's digest a text shows.
_SHORT: Final = 16


def fingerprint(obj: Any) -> str:
    """Return the SHA-256 of an object's schema and static values, in hexadecimal."""
    return digest(entries(obj))


def digest(listed: list[Entry]) -> str:
    """Return the SHA-256 of entries, in hexadecimal."""
    text = "".join(f"{path}\t{what}\n" for path, what in listed)
    return hashlib.sha256(text.encode()).hexdigest()


def entries(value: Any, *, numbers: bool = False) -> list[Entry]:
    """List what two equal programs have in common, by path.

    Args:
        value: an object of a generated class, or any tree
        numbers: list the values of Python numbers and strings among the leaves too, and
            the shapes of arrays that are spread over processes
    """
    listing = _Listing([], numbers=numbers)
    listing.value(value, "", "")
    return listing.entries


@dataclasses.dataclass(frozen=True, slots=True)
class _Listing:
    entries: list[Entry]
    numbers: bool

    def add(self, path: str, text: str) -> None:
        self.entries.append((path, text))

    def value(self, value: Any, path: str, root: str) -> None:
        """List a traced value: its structure, and what is static in it.

        Args:
            value: any tree
            path: where it is
            root: the package that names are relative to
        """
        if is_generated(value):
            self.object(value, path, root)
            return
        located, treedef = jax.tree_util.tree_flatten_with_path(
            value, is_leaf=is_generated
        )
        if not jax.tree_util.treedef_is_leaf(treedef):
            self.add(path, written(treedef, root))
        for inner, leaf in located:
            where = path + jax.tree_util.keystr(inner)
            if is_generated(leaf):
                self.object(leaf, where, root)
            else:
                self.add(where, self.leaf(leaf, root))

    def leaf(self, leaf: Any, root: str) -> str:
        """Describe a leaf: by nothing that may be a process's own."""
        if not self.numbers:
            return "leaf"
        if isinstance(leaf, jax.Array) and not leaf.is_fully_addressable:
            return f"{leaf.dtype}{list(leaf.shape)}"
        return "array" if hasattr(leaf, "shape") else written(leaf, root)

    def object(self, obj: Any, path: str, root: str) -> None:
        """List an object of a generated class."""
        cls = type(obj)
        record, own = cls.__codegen_record__, home(cls)
        children, key = record.flatten(obj)
        self.add(path, f"{class_name(cls, root)}, schema {_schema(obj)}")
        for name, value in zip(record.meta_fields, key.values, strict=True):
            self.static(value, f"{path}.{name}", own)
        for name, child in zip(record.data_fields, children, strict=True):
            self.value(child, f"{path}.{name}", own)

    def static(self, value: Any, path: str, root: str) -> None:
        """List a static value, nested ones by their own paths."""
        if is_generated(value):
            self.object(value, path, root)
        elif type(value) is tuple:
            self.add(path, f"tuple of {len(value)}")
            for index, item in enumerate(value):
                self.static(item, f"{path}[{index}]", root)
        else:
            self.add(path, written(value, root))


def _schema(obj: Any) -> str:
    """Return a digest of what a schema says of an object: fields, roles and shapes."""
    record = type(obj).__codegen_record__
    text = f"{record.data_fields} {record.meta_fields} {_roles(obj)} {record.shapes}"
    return hashlib.sha256(text.encode()).hexdigest()[:_SHORT]


def _roles(obj: Any) -> list[int]:
    """Return which of an object's leaves are donated, by their numbers."""
    leaves, treedef = jax.tree_util.tree_flatten(obj)
    numbered = jax.tree_util.tree_unflatten(
        treedef, [*map(_Number, range(len(leaves)))]
    )
    donated: list[Any] = []
    type(obj).__codegen_record__.split(numbered, donated, [])
    return [each.number for each in donated if type(each) is _Number]


@dataclasses.dataclass(frozen=True, slots=True)
class _Number:
    number: int
