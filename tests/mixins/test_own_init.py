"""With `init=False`, the `__init__` of a mixin is the constructor, and sets the fields."""

import copy
import inspect
import operator
import pickle
from typing import Any

import jax
import pytest
from jax import numpy as jnp

LAYERS = """
import jax.numpy as jnp

class Linear:
    def __init__(self, d_in, d_out, *, bias=True):
        self.kernel = jnp.zeros((d_in, d_out))
        self.bias = None
        if bias:
            self.bias = self.ones(d_out)
        self.names = ["a", "b"]

    def ones(self, n):
        assert self.kernel.shape[1] == n
        return jnp.ones(n)

    def __check_init__(self):
        if self.kernel.ndim != 2:
            raise ValueError("no matrix")

class Deep:
    def __init__(self, size):
        super().__init__(size, size)
        self.rest = (type(self).__mro__[3](size, 1),)

class Empty:
    def __init__(self, t=None):
        if callable(t):
            t(self)
        elif t is not None:
            self.t = t
"""
SCHEMA = """
from codegen.schema import Shaped
from mixins import Linear as LinearMethods, Deep as DeepMethods, Empty as EmptyMethods

class Linear(LinearMethods, init=False):
    kernel: dynamic[Shaped[...]]
    bias: dynamic[Shaped[...] | None]
    n: static[int] = 3
    names: static[tuple[str, ...]] = field(convert="builtins:tuple")

class Deep(DeepMethods, Linear):
    rest: dynamic[tuple[Linear, ...]]

class Empty(EmptyMethods, init=False, kw_only=True):
    u: dynamic[f32] = 1.0
    t: dynamic[f32]

class Base(abstract=True, init=False):
    u: dynamic[f32]
"""


@pytest.fixture(name="nets")
def _nets(make: Any) -> Any:
    return make(LAYERS, SCHEMA)


def test_objects_are_as_those_of_the_generated_constructor(nets: Any) -> None:
    cls: Any = nets.Linear
    one = nets.Linear(2, 3)
    assert type(one) is nets.Linear
    assert (one.bias.tolist(), one.n, one.names) == ([1.0] * 3, 3, ("a", "b"))
    assert nets.Linear(2, 3, bias=False).bias is None
    assert jax.tree.map(lambda x: x, one) == one
    assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == nets.Linear(2, 3)
    assert one.replace(n=4).n == 4
    treedefs: list[Any] = [jax.tree.structure(each) for each in (one, nets.Linear(4, 5))]
    assert treedefs[0] == treedefs[1]
    assert str(inspect.signature(nets.Linear)) == "(d_in, d_out, *, bias=True)"
    loaded = cls.__new__(cls)  # as `pickle` does
    assert not hasattr(loaded, "kernel")


def test_object_is_frozen_when_its_constructor_returns(nets: Any) -> None:
    one = nets.Linear(2, 3)
    with pytest.raises(AttributeError, match=r"write `replace\(n=\.\.\.\)`"):
        one.n = 4
    with pytest.raises(AttributeError, match="frozen"):
        one.__init__(2, 3)
    with pytest.raises(ValueError, match="no matrix"):
        one.replace(kernel=jnp.ones(3))


def test_subclass_calls_the_constructor_of_its_base(nets: Any) -> None:
    deep = nets.Deep(2)
    assert (type(deep), type(deep.rest[0])) == (nets.Deep, nets.Linear)
    assert len(jax.tree.leaves(deep)) == 4

    class Mine(nets.Linear):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(1, 1)

    class Other(nets.Linear):  # type: ignore[misc]
        pass

    class Concrete(nets.Base):  # type: ignore[misc]
        def __init__(self, u: float) -> None:
            self.u = 2 * u

    assert (type(Mine()), type(Other(1, 2))) == (Mine, Other)
    assert jax.tree.map(lambda x: x + 1, Concrete(1.0)).u == 3.0


def test_constructor_that_leaves_a_field_unset_is_refused(nets: Any) -> None:
    assert nets.Empty(2.0).u == 1.0
    with pytest.raises(TypeError, match="`__init__` of `Empty` did not set the field `t`"):
        nets.Empty()
    with pytest.raises(TypeError, match="abstract"):
        nets.Base(1.0)


def test_mixin_without_a_constructor_is_refused(make: Any) -> None:
    text = "`Plate` has `init=False` in the schema, but no mixin has an `__init__`"
    with pytest.raises(TypeError, match=text):
        make(
            "class M: ...",
            "from mixins import M\nclass Plate(M, init=False):\n    u: dynamic[f32]\n",
        )


def test_object_cannot_be_compared_before_its_constructor_returns(nets: Any) -> None:
    with pytest.raises(TypeError, match="its `__init__` has not returned"):
        nets.Empty(lambda obj: operator.eq(obj, obj))
