"""The derived properties of each class, computed once for all code that is generated for it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from codegen.check.check import Checked
from codegen.check.dimensions import mesh_axes
from codegen.check.facts import classes_with_init, tags_of
from codegen.program.nodes import Class, Field, Program
from codegen.program.types import AnyDims, Array, Ref, Scalar
from codegen.schema.vocabulary import TRACED


class ClassTraits(Struct, frozen=True):
    """The derived properties of a class, computed once for all code that is generated for it."""

    node: Class
    static_fields: tuple[Field, ...]  # which form the key
    traced_fields: tuple[Field, ...]  # which are children
    is_static: bool  # as a type: it and all its subclasses
    has_mixins: bool  # its own or inherited ones
    has_draft: bool
    tags: tuple[str, ...]  # its own, and those of the objects that it holds
    bases: tuple[str, ...]  # of the run time. Example: ("InitPytree",)

    @property
    def checks_init(self) -> bool:
        """Return whether a mixin, or a Python subclass, may need to check new objects."""
        return self.has_mixins or self.node.abstract

    @property
    def constructor(self) -> str:
        """Return the name of the constructor that takes the fields."""
        return "__new__" if self.node.init else "_codegen_create"

    @property
    def has_unflatten(self) -> bool:
        """Return whether its module unflattens an object, as that of a class that is not frozen.

        If the class had a foreign base, this other class would be visible among the base's
        subclasses.
        """
        return self.node.base is None and not self.node.mixins and not self.node.abstract


def find_traits(checked: Checked) -> dict[Ref, ClassTraits]:
    """Compute the traits of every class."""
    program = checked.program
    with_draft, with_mesh = classes_with_drafts(program), classes_on_meshes(program)
    dims = _propagate_to_holders(program, _names_dims)
    initial = classes_with_init(program)
    tags = tags_of(program)
    traits: dict[Ref, ClassTraits] = {}
    for ref, node in program.classes.items():
        is_static = checked.facts.is_static(ref)
        bases: list[str] = []
        if is_static:
            bases.append("Static")
        else:
            bases += ["InitPytree"] * (ref in initial)
            bases += ["ShardedPytree"] * (ref in with_mesh)
            bases += ["ShapedPytree"] * (not bases and ref in dims)
            bases += ["TaggedPytree"] * (ref in tags)
            bases += ["Pytree"] * (not bases)
        traits[ref] = ClassTraits(
            node=node,
            static_fields=tuple(f for f in node.leaf_order if f.role == "static"),
            traced_fields=node.traced_fields,
            is_static=is_static,
            has_mixins=any(program.classes[r].mixins for r in (ref, *program.graph.bases(ref))),
            has_draft=ref in with_draft and not is_static,
            tags=tags.get(ref, ()),
            bases=tuple(bases),
        )
    return traits


def classes_with_drafts(program: Program) -> dict[Ref, None]:
    """Return the classes that have a draft, if they have arrays."""
    asking = [ref for ref, node in program.classes.items() if node.draft]
    return program.graph.held_classes(asking, *TRACED)


def classes_on_meshes(program: Program) -> dict[Ref, None]:
    """Return the classes that can be sharded over a mesh."""
    return _propagate_to_holders(program, _names_mesh)


def _propagate_to_holders(program: Program, is_own: Callable[[Class], bool]) -> dict[Ref, None]:
    """Return the classes with a property, and those that hold them in traced fields."""
    own = [ref for ref, node in program.classes.items() if is_own(node)]
    return program.graph.propagate(own, *TRACED)


def _names_dims(node: Class) -> bool:
    """Return whether a class has numbers, or arrays whose dimensions have names or sizes."""
    parts = [part for f in node.traced_fields for part in f.type.iter_held()]
    dims = (dim for part in parts for dim in part.own_dims)
    return any(not isinstance(dim, AnyDims) for dim in dims) or any(
        isinstance(part, Scalar) or (isinstance(part, Array) and not part.shape) for part in parts
    )


def _names_mesh(node: Class) -> bool:
    return bool(mesh_axes(node)) or any(f.spec is not None for f in node.traced_fields)
