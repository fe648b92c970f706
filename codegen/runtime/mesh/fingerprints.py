# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""A digest of a schema and of static values that is the same in every process.

    plate.fingerprint()     # '9f0c1d...', 64 digits
    entries(plate)          # [('', 'heat:Plate, schema 51ab...'), ('.grid.nx', '64'), ...]

Python's own hashes differ from process to process. This is made of texts that say as
much as trace keys do: names in place of identities, types where values look alike. What
arrays hold, and their sizes, is no part of it.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import jax

from ..keys.names import is_generated
from ..split import split
from .texts import class_name, home, text_of

Entry: TypeAlias = tuple[str, str]
# From a leaf, and the package that names are relative to.
Describe: TypeAlias = Callable[[Any, str], str]

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
    return list(_traced(value, "", "", _number if numbers else _nothing))


def _traced(value: Any, path: str, root: str, describe: Describe) -> Iterator[Entry]:
    """List a traced value: its structure, and what is static in it.

    Args:
        value: any tree
        path: where it is
        root: the package that names are relative to
        describe: what is said of a leaf
    """
    located, treedef = jax.tree_util.tree_flatten_with_path(value, is_leaf=is_generated)
    if not jax.tree_util.treedef_is_leaf(treedef):
        yield path, text_of(treedef, root)
    for inner, leaf in located:
        where = path + jax.tree_util.keystr(inner)
        if is_generated(leaf):
            yield from _object(leaf, where, root, describe)
        else:
            yield where, describe(leaf, root)


def _object(obj: Any, path: str, root: str, describe: Describe) -> Iterator[Entry]:
    """List an object of a generated class."""
    cls = type(obj)
    record, own = cls.__codegen_record__, home(cls)
    children, key = record.flatten(obj)
    yield path, f"{class_name(cls, root)}, schema {_schema(obj)}"
    for name, value in zip(record.meta_fields, key.values, strict=True):
        yield from _static(value, f"{path}.{name}", own, describe)
    for name, child in zip(record.data_fields, children, strict=True):
        yield from _traced(child, f"{path}.{name}", own, describe)


def _static(value: Any, path: str, root: str, describe: Describe) -> Iterator[Entry]:
    """List a static value, nested ones by their own paths."""
    if is_generated(value):
        yield from _object(value, path, root, describe)
    elif type(value) is tuple:
        yield path, f"tuple of {len(value)}"
        for index, item in enumerate(value):
            yield from _static(item, f"{path}[{index}]", root, describe)
    else:
        yield path, text_of(value, root)


def _nothing(leaf: Any, root: str) -> str:
    return "leaf"


def _number(leaf: Any, root: str) -> str:
    """Describe a leaf: by nothing that may be a process's own."""
    if isinstance(leaf, jax.Array) and not leaf.is_fully_addressable:
        return f"{leaf.dtype}{list(leaf.shape)}"
    return "array" if hasattr(leaf, "shape") else text_of(leaf, root)


def _schema(obj: Any) -> str:
    """Return a digest of what a schema says of an object: fields, roles and shapes."""
    record = type(obj).__codegen_record__
    text = f"{record.data_fields} {record.meta_fields} {_roles(obj)} {record.shapes}"
    return hashlib.sha256(text.encode()).hexdigest()[:_SHORT]


def _roles(obj: Any) -> list[int]:
    """Return which of an object's leaves are donated, by their numbers."""
    leaves, treedef = jax.tree_util.tree_flatten(obj)
    numbered = jax.tree_util.tree_unflatten(treedef, range(len(leaves)))
    donated: list[Any] = []
    split(numbered, donated, [])
    return [number for number in donated if type(number) is int]
