"""Foreign pytrees: exact if a schema accepts them, otherwise rejected."""

import dataclasses
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import ConsumedError
from tests.generated.package import forget, write_text

ARRAYS = """
from codegen.schema import Dim, dynamic, f32, impl

n = Dim()

class Held:
    x: dynamic[f32[n] | None]
    several: dynamic[tuple[f32[n], ...]] = ()

@impl("foreign_impl:first")
def first(held: dynamic[Held]) -> f32[n]: ...
"""
ANYTHING = (
    ARRAYS.replace("f32[n] | None", "Any").replace("\nn = ", "from typing import Any\n\nn = ")
    + """
@impl("foreign_impl:same")
def same(tree: dynamic[Any]) -> Any: ...
"""
)


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Scaled:
    x: jax.Array
    by: object = dataclasses.field(metadata={"static": True})


@jax.tree_util.register_pytree_node_class
class Listed:
    """Its metadata is a list, which any code may change."""

    def __init__(self, x: Any, notes: Any) -> None:
        self.x, self.notes = x, notes

    def tree_flatten(self) -> Any:
        return (self.x,), self.notes

    @classmethod
    def tree_unflatten(cls, notes: Any, children: Any) -> "Listed":
        (x,) = children
        return cls(x, notes)


@jax.tree_util.register_pytree_node_class
class Refusing(Listed):
    """Its unflatten function accepts only what JAX passes in a trace."""

    @classmethod
    def tree_unflatten(cls, notes: Any, children: Any) -> "Listed":
        if isinstance(children[0], jax.Array) and not isinstance(children[0], jax.core.Tracer):
            raise TypeError("refused")
        (x,) = children
        return cls(x, notes)


@jax.tree_util.register_pytree_node_class
class Picky(Listed):
    """Its unflatten function accepts no marker of a consumed array."""

    @classmethod
    def tree_unflatten(cls, notes: Any, children: Any) -> "Listed":
        (x,) = children
        assert isinstance(x, jax.Array | int) or type(x) is object
        return cls(x, notes)


IMPL = """
import jax

def first(held):
    found = [held.x, *held.several][-1]
    return found.x * (10.0 if found.by is True else 1.0)

def same(tree):
    return jax.tree.map(lambda x: x * 1, tree)
"""


def _load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, schema: str, name: str) -> Any:
    write_text(schema, "model", tmp_path, name)
    (tmp_path / "foreign_impl.py").write_text(IMPL)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "foreign_impl", raising=False)
    forget(name)
    return importlib.import_module(f"{name}.model")


def _cases(model: Any) -> Iterator[tuple[Any, Any]]:
    for by in (1, True, 1.0, (1,), (True,), 0.0, -0.0):
        scaled = Scaled(jnp.ones(2), by)
        yield model.Held(scaled), by
        yield model.Held(None, several=(scaled,)), by


def test_foreign_pytree_is_rejected_if_the_schema_does_not_accept_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = _load(tmp_path, monkeypatch, ARRAYS, "only_arrays")
    for held, _ in _cases(model):
        for call in (model.first, model.first.keep, jax.jit(model.first)):
            with pytest.raises(
                ValueError, match=r"`held.* is declared as an array .* is a `Scaled`"
            ):
                call(held)
    assert model.Held(Scaled(jnp.ones(2), 1)) == model.Held(Scaled(jnp.ones(2), 1))
    assert model.Held(Scaled(jnp.ones(2), 1)) != model.Held(Scaled(jnp.ones(2), True))


def test_error_of_a_class_that_refuses_its_result_has_the_arrays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    donating = (
        ANYTHING + '\n@impl("foreign_impl:same")\ndef spend(tree: donated[Any]) -> Any: ...\n'
    )
    schema = donating.replace("import Dim", "import Dim, donated")
    model = _load(tmp_path, monkeypatch, schema, "refusing")
    for call in (model.spend, model.same):
        with pytest.raises(TypeError, match="refused") as caught:
            call({"a": jnp.ones(2), "b": Refusing(jnp.arange(2.0), [5])})
        a, b = caught.value.leaves  # type: ignore[attr-defined]
        assert (a.tolist(), b.tolist()) == ([1, 1], [0, 1])
        assert "`leaves` of this exception" in caught.value.__notes__[0]


def test_call_returns_its_result_if_a_container_refuses_markers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = """
from typing import Any

from codegen.schema import donated, f32, impl

class Held:
    picky: donated[Any]
    u: donated[f32]

@impl("foreign_impl:same")
def same(tree: donated[Held]) -> Held: ...
"""
    model = _load(tmp_path, monkeypatch, schema, "picky")
    held = model.Held(Picky(jnp.ones(2), []), jnp.ones(()))
    for _ in range(2):
        before, held = held, model.same(held)
        assert held.picky.x.tolist() == [1, 1]
        with pytest.raises(ConsumedError, match=r"`Held\.u` was consumed"):
            jnp.sin(before.u)
        with pytest.raises(RuntimeError, match="deleted"):
            jnp.sin(before.picky.x)
