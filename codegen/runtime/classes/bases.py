# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""The bases of generated classes: equality, hashing, copying, pickling and checking.

    Grid(nx=4) == Grid(nx=4)            # True: the same key
    Grid(nx=1) == Grid(nx=True)         # TypeError: a bool is no int
    pickle.loads(pickle.dumps(plate))   # its key is interned anew, through the checks

What differs from class to class stands in its own module, what does not stands here.
"""

import copy
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self

import jax
from jax.sharding import AbstractMesh, Mesh

from ..dims.axes import axes_of
from ..dims.leaves import map_object
from ..keys.interning import TraceKey, intern_key
from ..keys.pickling import reduced
from ..keys.reprs import pretty
from ..mesh.fingerprints import fingerprint
from ..mesh.meshes import constrain, shardings_of, specs_of
from ..shapes.check import check_shapes
from .differences import diff
from .equality import equal_leaves
from .like import like
from .registration import Record
from .structures import same_structure

__all__ = ["Keyed", "Pytree", "Static", "diff"]

# What asking for the shape of what is no array raises.
_OF_NO_ARRAY: Final = (AttributeError, TypeError, ValueError)


class Keyed:
    """What every generated class has: its key, beside its fields.

    Slots stand here alone, so that a class may derive from both bases below: a dynamic
    class from a static one, or a static class from an abstract one that is dynamic.
    """

    __slots__ = ("__codegen_key__", "__weakref__")

    __codegen_key__: TraceKey
    __codegen_record__: ClassVar[Record]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # What is generated has a constructor of its own, before it has a record.
        if hasattr(cls, "__codegen_record__") and "__init__" not in vars(cls):
            inherited: Any = cls.__init__
            if not getattr(inherited, "__isabstractmethod__", False):
                type.__setattr__(cls, "__init__", _refuse_subclass)

    def __repr__(self) -> str:
        # Once for all classes: `dataclass` would compile one for each, on import.
        return pretty(self)

    if TYPE_CHECKING:
        # It is made when the class is registered; pyright is not told of the one that
        # `dataclass` makes where the constructor is written out.
        def __replace__(self, /, **changes: Any) -> Self:
            raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def __codegen_map__(self, *how: Any) -> Any:
        # By protocol: a holder may be of another generated package.
        return map_object(self, *how)

    def check(self) -> Self:
        """Hold every array, nested ones too, against its declared dtype and shape.

        Within an object one dimension has one size. Returns the object itself.

        Raises:
            ValueError: says the field by its path, and what was expected and found
        """
        fits = type(self).__codegen_record__.fits
        try:
            if fits is not None and fits(self):
                return self
        except _OF_NO_ARRAY:
            pass  # the error below says which field it is
        check_shapes(self)
        return self

    def fingerprint(self) -> str:
        """Return a digest of the schema and of the static values, nested ones too.

        64 hexadecimal digits, the same in every process and on every Python.
        """
        return fingerprint(self)


class Static(Keyed):
    """A class whose fields are all static: compared and hashed by its key."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        # A key holds the class, so that two classes have no key in common.
        theirs: Any = other
        try:
            return self.__codegen_key__ is theirs.__codegen_key__
        except AttributeError:
            return NotImplemented

    def __hash__(self) -> int:
        return self.__codegen_key__.hashed

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class Pytree(Keyed):
    """A class with arrays: compared by class, static values and array content."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        if self.__codegen_key__ is not other.__codegen_key__:
            return False
        treedef: Any  # JAX's stubs know no attributes of it
        mine, treedef = jax.tree_util.tree_flatten(self)
        theirs, other_treedef = jax.tree_util.tree_flatten(other)
        same = treedef == other_treedef
        # Where all children are leaves, there is no structure but the key.
        if treedef.num_nodes > len(mine) + 1:
            same = same_structure(treedef, other_treedef)
        return bool(same) and all(map(equal_leaves, mine, theirs))

    def __hash__(self) -> int:
        name = type(self).__qualname__
        raise TypeError(
            f"unhashable: a `{name}` holds arrays, whose content has no hash. Pass it "
            "to `jax.jit` as an ordinary argument, not as a static one; for a dict, "
            "use one of its static fields, or `id(...)`, as the key"
        )

    # Not left to `__reduce__`: a static base would give the object itself as its copy.
    def __copy__(self) -> Self:
        record = type(self).__codegen_record__
        children, key = record.flatten(self)
        copied: Self = record.unflatten(key, children)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        record = type(self).__codegen_record__
        children, key = record.flatten(self)
        copied: Self = record.unflatten(key, copy.deepcopy(children, memo))
        return copied

    def like(self, leaf: Any, /, **fields: Any) -> Self:
        """Return an object of the same structure with other values in it, unchecked.

        `plate.like(None, u=0)` is what in_axes, masks and labels take.

        Args:
            leaf: what stands in the place of every leaf
            fields: in place of whole fields, dynamic and donated ones: a value, an
                object like what the field holds, or one value for all of it

        Raises:
            TypeError: there is no such field, or it is static
        """
        made: Self = like(self, leaf, fields)
        return made

    def axes(self, dim: str) -> Self:
        """Return the position of a dimension in every array, for `vmap`.

        The object returned has `None` where an array does not have the dimension, and
        the first position where it has it twice. It is what in_axes and out_axes take.

        Raises:
            ValueError: the class has no such dimension
        """
        axes: Self = axes_of(self, dim)
        return axes

    def specs(self) -> Self:
        """Return a PartitionSpec for every array, as its dimensions are declared.

        For in_specs and out_specs of `shard_map`, and wherever JAX takes specs under
        `jax.set_mesh`.
        """
        specs: Self = specs_of(self)
        return specs

    def shardings(self, mesh: Mesh | AbstractMesh) -> Self:
        """Return a NamedSharding for every array: for `device_put` and `jit`.

        An axis that the mesh lacks shards nothing.

        Raises:
            ValueError: the mesh has none of the axes that the schema names, or does
                not divide the size of a dimension
        """
        shardings: Self = shardings_of(self, mesh)
        return shardings

    def constrain(self, mesh: Mesh | AbstractMesh | None = None) -> Self:
        """Bring every array to its sharding; inside `jit` too.

        Args:
            mesh: in place of the one of `jax.set_mesh`

        Raises:
            ValueError: there is no mesh, or one that does not fit the object
        """
        constrained: Self = constrain(self, mesh)
        return constrained


def _refuse_subclass(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    """Stand in for the constructor that `@dataclass` would give a Python subclass.

    It would ask for the fields of the generated class by Python's own TypeError.
    """
    intern_key(type(self), (), ())
    raise AssertionError
