"""The bases of classes with declared shapes, initializers, mesh axes or tags.

The methods import what they need, because most programs use few of them.
"""

from typing import Self

import jax
from jax import Array
from jax.sharding import AbstractMesh, Mesh

from .registration import Pytree


class ShapedPytree(Pytree):
    """A class with declared array shapes."""

    __slots__ = ()

    def axes(self, dim: str) -> Self:
        """Return the position of a dimension in every array, for `vmap`.

        The returned object has `None` for arrays without the dimension. If an array has
        it twice, the first position counts. Pass the object as in_axes or out_axes.

        Raises:
            ValueError: the class has no such dimension
        """
        from ..dims import find_axes

        return find_axes(self, dim)

    def zeros(self) -> Self:
        """Return the object with zeros in every array: `Plate.abstract(...).zeros()`."""
        from ..dims import zeros_of

        zeros: Self = jax.tree_util.tree_map(zeros_of, self)
        return zeros


class InitPytree(ShapedPytree):
    """A class whose arrays have declared initializers."""

    __slots__ = ()

    def init(self, key: Array) -> Self:
        """Return the object with every array initialized: `Mlp.abstract(...).init(key)`.

        Each array has its own random key, which depends on its path but not on the
        order of fields.

        Args:
            key: a random key, as from `jax.random.key`

        Raises:
            TypeError: arrays have neither an initializer nor a default; the error names
                them
        """
        from ..init import initialized

        return initialized(self, key)


class ShardedPytree(ShapedPytree):
    """A class with arrays that are sharded over mesh axes, or with a part that has such
    arrays.
    """

    __slots__ = ()

    def specs(self) -> Self:
        """Return a PartitionSpec for every array, from its declared dimensions.

        Use it for in_specs and out_specs of `shard_map`, and wherever JAX takes specs
        under `jax.set_mesh`.
        """
        from ..mesh import specs_of

        return specs_of(self)

    def shardings(self, mesh: Mesh | AbstractMesh) -> Self:
        """Return a NamedSharding for every array: for `device_put` and `jit`.

        A declared axis that the mesh lacks is ignored.

        Raises:
            ValueError: the mesh has none of the schema's mesh axes, or does not divide
                the size of a dimension
        """
        from ..mesh import shardings_of

        return shardings_of(self, mesh)

    def constrain(self, mesh: Mesh | AbstractMesh | None = None) -> Self:
        """Move every array to its sharding; this also works inside `jit`.

        Arrays without declarations stay where they are.

        Args:
            mesh: a mesh to use instead of that of `jax.set_mesh`

        Raises:
            ValueError: there is no mesh, or the mesh does not fit the object
        """
        from ..mesh import constrained

        return constrained(self, mesh)

    def globalize(self, mesh: Mesh) -> Self:
        """Return the global object, combined from the parts of all processes.

        Each array of this object is the data of this process. Along an axis that is
        sharded over processes it is the process's share, in the order of the mesh;
        otherwise it is the whole array.

        Args:
            mesh: a mesh over the devices of all processes

        Raises:
            ValueError: the mesh does not fit the object, or the global object differs
                from its schema
        """
        from ..mesh import globalized

        return globalized(self, mesh)

    def __codegen_place__(self) -> Self:
        """Place the object on the mesh of the context, if there is one.

        Functions call this by protocol on arguments and results, without knowing about
        meshes.

        An object whose schema has no axis of the mesh stays where it is. So do arrays
        of another rank than declared, such as those of a stack of objects and those
        inside of `vmap` over a dimension. JAX does not report whether there is a
        `vmap`: it traces a program once, with it and without. So an array that fits any
        rank, as with `*batch`, is placed only if the whole object is as declared. It
        can then get a wrong axis only if all arrays of a dimension lack the same axis,
        and no static value determines its size.
        """
        from ..mesh import placed

        return placed(self)


class TaggedPytree(Pytree):
    """A class that tags a field, or holds an object of such a class."""

    __slots__ = ()

    def labels(self) -> Self:
        """Return the object with its tag instead of every array.

        For optax, write `optax.multi_transform(..., lambda params: params.labels())`.
        It also works for a class with `__call__`, whose labels optax would call.

        A field with several tags has the first as its label; a field without a tag has
        `""`. The tag of a field that holds an object applies to all arrays below it
        without tags of their own.
        """
        from ..tags import map_tags

        return map_tags(self, (), lambda tags: tags[0] if tags else "")

    def mask(self, tag: str) -> Self:
        """Return the object with True for every array that has a tag, and False for the
        others.

        For optax, write `optax.masked(..., lambda params: params.mask("decay"))`.

        Raises:
            ValueError: no part of the object can have the tag; the error lists the
                possible tags
        """
        from ..tags import mask_of

        return mask_of(self, tag)
