"""A class as a tree: its fields, and below each the fields of the class that it holds.

tree(program, links, node)    ->    (TreeNode("tanks", "donated", ..., below=((TreeNode("level"),),)),)

What is donated under a dynamic field is kept there, and shown as what it is there. A tree ends where a
class would stand in itself, and where it gets too large to be read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from codegen.program.bind import arguments_of, dims_of
from codegen.program.nodes import Class, Field, Function, Program
from codegen.program.rewrite import substituted
from codegen.program.types import (
    AnyDim,
    ClassType,
    FixedTuple,
    Mapping,
    NoneType,
    Ref,
    Sequence,
    Type,
    parts,
    walk,
)
from codegen.site.links import Links
from codegen.site.nodes import Piece, Text, TreeNode

# They differ in form, so that roles are told apart without colours.
MARKS: Final = {"donated": "◆", "dynamic": "●", "static": "■"}
NODES_MAX: Final = 200
DEPTH_MAX: Final = 12
PATHS_MAX: Final = 50


def role(name: str) -> Piece:
    """A role in its colour, with its mark and its word."""
    return Piece("span", f"{MARKS[name]} {name}", {"class": f"role {name}"})


def tree(program: Program, links: Links, node: Class) -> tuple[TreeNode, ...]:
    """The fields of a class, and below them those of what they hold."""
    return _Growing(program, links, NODES_MAX).nodes(node, (node.ref,), "", lambda one: one)


class _Growing(Struct):
    program: Program
    links: Links
    left: int  # nodes that may still be added

    def nodes(
        self, node: Class, path: tuple[Ref, ...], keeper: str, bound: Callable[[Type], Type]
    ) -> tuple[TreeNode, ...]:
        """The fields of a class below the classes of `path`, in the terms of the first of them.

        `keeper` is the dynamic field under which nothing is consumed, if there is one.
        """
        found: list[TreeNode] = []
        for field in node.fields:
            self.left -= 1
            is_kept = field.role == "donated" and bool(keeper)
            here = "dynamic" if is_kept else field.role
            type = bound(field.type)
            below = keeper or (field.name if field.role == "dynamic" else "")
            children = self._below(type, path, below)
            found.append(
                TreeNode(
                    field.name,
                    here,
                    role(here),
                    self.links.type(type),
                    _note(field, keeper) if is_kept else (),
                    (children,) if children else (),
                )
            )
        return tuple(found)

    def _below(self, type: Type, path: tuple[Ref, ...], keeper: str) -> tuple[TreeNode, ...]:
        found: list[TreeNode] = []
        for part in dict.fromkeys(p for p in walk(type) if isinstance(p, ClassType)):
            inner = self.program.classes[part.ref]
            fits = len(path) < DEPTH_MAX and len(inner.fields) <= self.left
            if fits and part.ref not in path:
                found += self.nodes(inner, (*path, part.ref), keeper, _binding(inner, part))
        return tuple(found)


def _binding(node: Class, type: ClassType) -> Callable[[Type], Type]:
    """What turns a type of a class into one of its holder's terms, which may have the same names."""
    dims = {name: AnyDim() for name in node.dims} | dims_of(type, node)
    arguments = arguments_of(type, node)
    return lambda inner: substituted(inner, dims, arguments)


def _note(field: Field, keeper: str) -> Text:
    words = f" donated in {field.owner.name}, kept here, under {keeper}"
    return (Piece("span", words, {"class": "note"}),)


def consumed_paths(program: Program, function: Function) -> list[str]:
    """What a call consumes, by path: "plate.u", "plant.tanks[...].level"."""
    found: list[str] = []
    for parameter in function.parameters:
        if parameter.role == "donated":
            _paths(program, parameter.type, parameter.name, (), found)
    return found[:PATHS_MAX] + (["..."] if len(found) > PATHS_MAX else [])


def _paths(
    program: Program, type: Type, path: str, above: tuple[Ref, ...], found: list[str]
) -> None:
    if len(found) > PATHS_MAX:
        return
    inside = parts(type)
    if isinstance(type, ClassType):
        if type.ref in above or len(above) == DEPTH_MAX:
            found.append(f"{path}...")
            return
        for field in program.classes[type.ref].fields:
            if field.role == "donated":
                inner = (*above, type.ref)
                _paths(program, field.type, f"{path}.{field.name}", inner, found)
    elif isinstance(type, Mapping):
        _paths(program, type.value, f"{path}[...]", above, found)
    elif inside:
        is_container = isinstance(type, Sequence | FixedTuple)
        for part in inside:
            before = len(found)
            _paths(program, part, f"{path}[...]" if is_container else path, above, found)
            found[before:] = [one for one in found[before:] if one not in found[:before]]
    elif not isinstance(type, NoneType):
        found.append(path)
