"""Every static integer binds the size with its name. No unbound size becomes zero."""

import importlib
import inspect
from typing import Any

import jax
import pytest
from jax import numpy as jnp


@pytest.fixture(scope="module")
def holes(shaped: str) -> Any:
    return importlib.import_module(f"{shaped}.holes")


def keywords(cls: Any) -> set[str]:
    return {*inspect.signature(cls.abstract).parameters}


def config(holes: Any, d: int = 8, heads: int = 4) -> Any:
    return holes.Config(d=d, heads=heads)


def attention(holes: Any, d: int = 8, heads: int = 4) -> Any:
    return holes.Attention(w=jnp.zeros((d, d)), heads=heads)


def refused(obj: Any, *texts: str) -> None:
    with pytest.raises(ValueError, match=".*".join(texts)) as error:
        obj.check()
    assert "Traceback" not in str(error.value)


def test_parameter_bound_only_by_static_integers(holes: Any) -> None:
    key = jax.random.key(0)
    assert keywords(holes.Model) == {"config"}
    model = holes.Model.abstract(config=config(holes)).init(key)
    assert model.attention.heads == 4
    assert model.check() is model
    wrong = holes.Model(attention=attention(holes, heads=7), config=config(holes))
    refused(wrong, "attention.heads`", "size 7", "`heads` is 4 according to `Model.config.heads`")
    assert keywords(holes.Attention) == {"heads", "d"}


def test_static_integers_bind_at_any_depth(holes: Any) -> None:
    deep = holes.Outermost(outer=holes.Outer(config=config(holes)))
    key = jax.random.key(0)
    for cls in (holes.Deep, holes.Plain):
        assert keywords(cls) == {"outermost"}, cls
        assert cls.abstract(outermost=deep).init(key).check().w.shape == (8,)
        assert cls.abstract(outermost=deep).w.shape == (8,)
        wrong = cls.abstract(outermost=deep).init(key).replace(w=jnp.zeros(9))
        refused(
            wrong, "axis 0 of", "size 9", "`d` is 8 according to", r"outermost\.outer\.config\.d`"
        )
    wrong = holes.Deep(attention=attention(holes, heads=5), w=jnp.zeros(8), outermost=deep)
    refused(wrong, "heads", "size 5", r"outermost\.outer\.config\.heads`")


def test_optional_static_integer_binds_if_present(holes: Any) -> None:
    w = jnp.zeros(8)
    assert keywords(holes.Maybe) == {"config", "d"}
    assert holes.Maybe(w=w, config=None).check().w is w
    assert holes.Maybe(w=w, config=config(holes)).check().w is w
    refused(holes.Maybe(w=w, config=config(holes, d=9)), "`d` is 9 according to `Maybe.config.d`")
    assert holes.Abstract(w=w, kind=holes.Sized(d=8)).check().w is w
    refused(holes.Abstract(w=w, kind=holes.Sized(d=9)), "`d` is 9 according to `Abstract.kind.d`")
    many = (config(holes), config(holes, d=9))
    assert holes.Several(w=w, configs=many).check().w is w


def test_two_sizes_of_one_name_are_an_error(holes: Any) -> None:
    key = jax.random.key(0)
    outer = holes.Outer(config=config(holes))
    assert keywords(holes.Twice) == {"one", "other"}
    assert holes.Twice.abstract(one=config(holes), other=outer).init(key).w.shape == (8,)
    wrong = holes.Twice(w=jnp.zeros(8), one=config(holes, d=9), other=outer)
    refused(wrong, r"`Twice\.other\.config\.d`", "size 8", "`d` is 9 according to `Twice.one.d`")
    with pytest.raises(ValueError, match="`d` is 9"):
        holes.Twice.abstract(one=config(holes, d=9), other=outer).init(key)


def test_parameters_of_static_classes(holes: Any) -> None:
    tables = {"table": 9, "ten": 10, "same": 8}

    def summed(**sizes: int) -> Any:
        held = {name: holes.Table(layers=n) for name, n in {**tables, **sizes}.items()}
        return holes.Summed(w=jnp.zeros(8), **held)

    assert summed().check().w.shape == (8,)
    assert keywords(holes.Summed) == {*tables}
    for name, size in (("table", 8), ("ten", 9), ("same", 9)):
        refused(summed(**{name: size}), r"`d` is|declared as `10`")


def test_parameters_of_bases(holes: Any) -> None:
    w = jnp.zeros((8, 8))
    assert holes.Head(w=w, heads=10).check().heads == 10
    refused(holes.Head(w=w, heads=9), r"`Head\.heads` has the size 9 and is declared as `10`")
    assert holes.Renamed(w=w, heads=8).check().heads == 8
    refused(holes.Renamed(w=w, heads=9), "`layers` is 9 according to `Renamed.heads`")
    assert keywords(holes.Renamed) == {"heads"}
    assert holes.Renamed.abstract(heads=3).init(jax.random.key(0)).w.shape == (3, 3)


def test_static_integers_of_nested_objects_bind(holes: Any) -> None:
    def holder(*heads: int) -> Any:
        first, *rest = (holes.Inside(heads=n) for n in heads)
        return holes.Holder(inside=first, insides=tuple(rest), w=jnp.zeros(4))

    assert holder(4, 4, 4).check().w.shape == (4,)
    refused(holder(5, 4), "`heads` is 5 according to `Holder.inside.heads`")
    refused(holder(4, 5), r"insides\[0\]\.heads` has the size 5")
    unrelated = holes.Unrelated(inside=holes.Inside(heads=-1), config=config(holes))
    assert unrelated.check() is unrelated


def test_arithmetic_with_a_static_part(holes: Any) -> None:
    assert holes.Half.abstract(config=config(holes, d=9)).zeros().w.shape == (4,)
    refused(holes.Half(w=jnp.zeros(5), config=config(holes, d=9)), "which is 4, since `d` is 9")


def test_unbound_length_does_not_become_zero(holes: Any) -> None:
    required = {"heads", "many", "maybe", "named"}
    parameters = inspect.signature(holes.Lengths.abstract).parameters
    assert {*parameters} == required
    assert all(p.default is p.empty for p in parameters.values())
    with pytest.raises(TypeError, match=r"missing 3 required .*'many', 'maybe'.* 'named'"):
        holes.Lengths.abstract(heads=4)
    made = holes.Lengths.abstract(heads=4, many=2, maybe=0, named=["a"]).zeros()
    assert ([one.heads for one in made.many], made.maybe, [*made.named]) == ([4, 4], [], ["a"])
    assert (made.none, made.empty) == (None, ())


def test_static_classes_that_hold_classes_with_parameters(holes: Any) -> None:
    tables = tuple(holes.Table(layers=n) for n in (8, 8))
    wrapped = holes.Wrapped(w=jnp.zeros(8), wrapper=holes.Wrapper(tables=tables))
    assert wrapped.check() is wrapped
    tables = tuple(holes.Table(layers=n) for n in (8, 9))
    wrapped = holes.Wrapped(w=jnp.zeros(8), wrapper=holes.Wrapper(tables=tables))
    refused(wrapped, r"wrapper\.tables\[1\]\.layers` has the size 9")


def test_parameter_that_no_array_has_needs_no_size(holes: Any) -> None:
    assert keywords(holes.Scales) == set()
    assert holes.Scales.abstract().zeros() == holes.Scales(holes.Scaled(0.0))
