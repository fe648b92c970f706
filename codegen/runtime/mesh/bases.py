# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
"""What classes have whose schema names a mesh axis: specs and shardings of their arrays.

plate.specs()                               # Plate(u=P("rows"), t=P(), ...)
jax.device_put(plate, plate.shardings(mesh))
plate = plate.constrain()                   # inside jit, under jax.set_mesh(mesh)
"""

from typing import Any, Self

import jax
from jax.sharding import Mesh, NamedSharding

from ..dims.axes import Sizes, has_rank
from ..dims.bases import ShapedPytree
from ..dims.leaves import Leaf, map_leaves
from .placing import constrained, context_mesh, globalized
from .specs import (
    AnyMesh,
    axes_on,
    declared_axes,
    divided_axes,
    indivisible_axis,
    mesh_axes_of,
    require_axes,
    require_mesh,
    spec_of,
    usable_axes,
)


class ShardedPytree(ShapedPytree):
    """A class with arrays that are sharded over mesh axes, or with such a part."""

    __slots__ = ()

    def specs(self) -> Self:
        """Return a PartitionSpec for every array, as its dimensions are declared.

        For in_specs and out_specs of `shard_map`, and wherever JAX takes specs under
        `jax.set_mesh`.
        """
        specs: Self = map_leaves(self, lambda leaf: spec_of(declared_axes(leaf)))
        return specs

    def shardings(self, mesh: AnyMesh) -> Self:
        """Return a NamedSharding for every array: for `device_put` and `jit`.

        An axis that the mesh lacks shards nothing.

        Raises:
            ValueError: the mesh has none of the axes that the schema names, or does
                not divide the size of a dimension
        """
        require_axes(self, mesh)

        def shard(leaf: Leaf) -> NamedSharding:
            axes = divided_axes(leaf, mesh, mesh.axis_names)
            return NamedSharding(mesh, spec_of(axes))

        shardings: Self = map_leaves(self, shard)
        return shardings

    def constrain(self, mesh: AnyMesh | None = None) -> Self:
        """Bring every array to its sharding; inside `jit` too.

        What the schema says nothing of is left where it is.

        Args:
            mesh: in place of the one of `jax.set_mesh`

        Raises:
            ValueError: there is no mesh, or one that does not fit the object
        """
        given = context_mesh() if mesh is None else mesh
        require_mesh(self, given)
        if given.empty:
            raise ValueError(
                f"`{type(self).__qualname__}.constrain()` needs a mesh: call it under "
                "`jax.set_mesh(mesh)`, or give it one"
            )
        require_axes(self, given)
        placed: Self = map_leaves(self, lambda leaf: constrained(leaf, given))
        return placed

    def globalize(self, mesh: Mesh) -> Self:
        """Return the global object of which every process has brought its part.

        This one has in every array what this process brings: along an axis that is
        sharded over processes its share, in the order of the mesh, else all of it.

        Args:
            mesh: over the devices of all processes

        Raises:
            ValueError: the mesh does not fit the object, or the global object is not
                as its schema declares
        """
        require_axes(self, mesh)

        def join(leaf: Leaf) -> Any:
            sharding = NamedSharding(
                mesh, spec_of(axes_on(leaf, mesh, mesh.axis_names))
            )
            return jax.tree_util.tree_map(
                lambda value: globalized(value, sharding, leaf.path), leaf.value
            )

        whole: Self = map_leaves(self, join)
        return whole.check()

    def __codegen_place__(self) -> Self:
        """Follow the mesh of the context, if there is one.

        By protocol: functions do it with arguments and results, and know no meshes.

        An object whose schema has no axis of the mesh stays where it is; so do arrays of
        another rank than declared, as those of a stack of objects, and those inside of
        `vmap` over a dimension. JAX does not tell whether there is a `vmap`: it traces a
        program once, with it and without. So of what fits any rank, as `*batch` does,
        see `Sizes`.
        """
        mesh = context_mesh()
        usable = usable_axes(mesh)
        if not mesh_axes_of(self) & set(usable):
            return self
        sizes = Sizes()
        map_leaves(self, sizes.collect)

        def may_follow(leaf: Leaf) -> bool:
            if not hasattr(leaf.value, "shape"):
                return False
            axes = axes_on(leaf, mesh, usable)
            return sizes.agree(leaf) and indivisible_axis(leaf, mesh, axes) is None

        def place(leaf: Leaf) -> Any:
            if not has_rank(leaf) or (leaf.is_loose and not may_follow(leaf)):
                return leaf.value
            return constrained(leaf, mesh)

        placed: Self = map_leaves(self, place)
        return placed
