# mypy: disable-error-code="no-untyped-def, no-untyped-call"
"""For a field with a union type, the class of the object determines its dimensions."""

import importlib
import re

import jax.numpy as jnp
import pytest
from jax.sharding import PartitionSpec as P

from tests.generated.package import forget, rendered, write
from tests.shapes.conftest import HERE


@pytest.fixture(scope="module")
def unions(shaped):
    return importlib.import_module(f"{shaped}.unions")


def layers(unions, **changed):
    fields = {
        "one": unions.Turned(w=jnp.zeros((2, 3))),
        "turned": unions.Turned(w=jnp.zeros((2, 3))),
        "x": jnp.zeros(2),
        "y": jnp.zeros(3),
    }
    return unions.Layers(**(fields | changed))


def test_axes_and_specs_are_those_of_the_actual_class(unions):
    made = layers(unions).check()
    assert made.axes("n").one.w == made.axes("n").turned.w == 0
    assert made.axes("m").one.w == 1
    assert made.specs().one.w == made.specs().turned.w == P("rows", "cols")
    other = layers(unions, one=unions.Dense(w=jnp.zeros((2, 3)))).check()
    assert other.axes("n").one.w == 0
    more = layers(unions, more=(unions.Turned(w=jnp.zeros((3, 2))), None)).check()
    assert more.axes("n").more[0].w == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"one": ("Turned", (3, 2))},
        {"one": ("Dense", (3, 2))},
        {"more": ("Dense", (2, 3))},
        {"more": ("Turned", (2, 3))},
    ],
)
def test_sizes_are_those_of_the_actual_class(unions, changed):
    ((name, (cls, shape)),) = changed.items()
    part = getattr(unions, cls)(w=jnp.zeros(shape))
    wrong = layers(unions, **{name: (part,) if name == "more" else part})
    place = "Layers.more[0].w" if name == "more" else "Layers.one.w"
    with pytest.raises(ValueError, match=re.escape(f"`{place}` has the size")):
        wrong.check()


def test_second_member_of_a_union_is_tried_if_the_first_does_not_fit(unions):
    assert unions.Either(x=jnp.zeros(3), y=jnp.zeros(4)).check()
    assert unions.Either(x=jnp.zeros(3), y=jnp.zeros((4, 4))).check()
    with pytest.raises(ValueError, match=re.escape("`Either.y`")):
        unions.Either(x=jnp.zeros(3), y=jnp.zeros((4, 5))).check()


@pytest.fixture(scope="module")
def twins(shaped):
    return importlib.import_module(f"{shaped}.twins")


@pytest.fixture
def again(tmp_path, monkeypatch):
    """The same schemas as another package, in a subfolder."""
    write(rendered(HERE / "schemas"), tmp_path / "outer", "again")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("outer.again.deep.unions")
    forget("outer")


def test_classes_with_one_name_are_distinguished_by_module(shaped, twins):
    deep = importlib.import_module(f"{shaped}.deep.unions")
    made = twins.Twins(one=deep.Dense(w=jnp.zeros((5, 2))), x=jnp.zeros(5)).check()
    assert (made.axes("k").one.w, made.axes("n").one.w) == (0, None)
    assert made.specs().one.w == P("cols")
    with pytest.raises(ValueError, match=re.escape("`k` is 7 according to axis 0 of `Twins.x`")):
        made.replace(x=jnp.zeros(7)).check()


def test_class_of_another_package_is_recognized_by_its_schema(twins, again):
    box = twins.Box(again.Dense(w=jnp.zeros((5, 2))))
    made = twins.Boxed(one=box, x=jnp.zeros(5)).check()
    assert (made.axes("k").one.item.w, made.axes("n").one.item.w) == (0, None)
    with pytest.raises(ValueError, match=re.escape("`k` is 7 according to axis 0 of `Boxed.x`")):
        made.replace(x=jnp.zeros(7)).check()
