# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"
"""The same model with `stacked[Block, layers]` and with `tuple[Block, layers]`."""

import importlib
import zlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import settings, stack, unstack
from tests.shapes import impl
from tests.shapes.test_make import KEY, described, same

SIZES = {"layers": 3, "width": 4, "hidden": 5}


@pytest.fixture(scope="module")
def stacks(shaped):
    return importlib.import_module(f"{shaped}.stacks")


@pytest.fixture(scope="module")
def scanned(stacks):
    return stacks.Scanned.abstract(**SIZES).init(KEY)


@pytest.fixture(scope="module")
def unrolled(stacks):
    return stacks.Unrolled.abstract(**SIZES).init(KEY)


def test_stack_and_tuple_compute_the_same(stacks, scanned, unrolled):
    """The results are equal to the last bit, for any generator of random numbers."""
    assert same(stack(unrolled.blocks), scanned.blocks)
    assert all(map(same, unstack(scanned.blocks), unrolled.blocks))
    assert same(scanned.gain, unrolled.gain)
    assert not np.array_equal(scanned.blocks.up.w[0], scanned.blocks.up.w[1])
    for name in ("threefry2x32", "rbg"):
        key = jax.random.key(3, impl=name)
        one, other = (getattr(stacks, c).abstract(**SIZES) for c in ("Scanned", "Unrolled"))
        made, blocks = jax.jit(lambda k, a=one, b=other: (a.init(k), b.init(k).blocks))(key)
        assert same(made.blocks, stack(blocks)), name
    # Outside `jit` the results are almost the same.
    again = one.init(key)
    assert jax.tree.all(
        jax.tree.map(lambda a, b: np.allclose(a, b, atol=1e-6), made.blocks.up, again.blocks.up)
    )


def test_each_layer_is_initialized_like_its_class(stacks, scanned):
    shape = stacks.Block.abstract(n=4, hidden=5)
    key = jax.random.fold_in(KEY, zlib.crc32(b"blocks"))
    for i in range(3):
        layer = jax.tree.map(lambda leaf, i=i: leaf[i], scanned.blocks)
        assert same(layer, shape.init(jax.random.fold_in(key, i)))


def test_abstract_zeros_and_init_agree(stacks, scanned):
    for cls, sizes in (
        (stacks.Scanned, SIZES),
        (stacks.Unrolled, SIZES),
        (stacks.Scanned, SIZES | {"layers": 0}),
        (stacks.Deep, {"layers": 2, "width": 4}),
        (stacks.Shared, {"layers": 2, "width": 4}),
    ):
        abstract = cls.abstract(**sizes)
        made = abstract.init(KEY)
        zeros = abstract.zeros().check()
        assert described(abstract) == described(zeros) == described(made), cls
        assert described(jax.eval_shape(abstract.init, KEY)) == described(made)
        assert same(made, made.init(KEY)), "init of an object is init of its shapes"
    deep = stacks.Deep.abstract(layers=2, width=4)
    assert deep.blocks.w.shape == (3, 2, 4, 3)
    assert scanned.blocks.rng.shape == (3,)
    assert scanned.blocks.rates.rate.shape == (3,)
    assert np.array_equal(scanned.blocks.start, [[0, 1, 2, 3]] * 3)


def test_static_integer_is_the_size_of_a_stack(stacks):
    sized = stacks.Sized.abstract(layers=2, names=("a", "b"), width=3).init(KEY)
    assert sized.blocks.w.shape == (2, 3, 3)
    assert sized.replace(blocks=None).check().blocks is None
    with pytest.raises(ValueError, match=r"`Sized.names` has the size 1.*`layers` is 2"):
        stacks.Sized.abstract(layers=2, names=("a",), width=3)
    with pytest.raises(ValueError, match=r"axis 0 of `Sized.blocks.w` has the size 2"):
        sized.replace(layers=1, names=("a",)).check()


def test_check_of_stacks(stacks, scanned, unrolled):
    layer = unrolled.blocks[0]
    for wrong, message in (
        (
            scanned.replace(blocks=layer),
            r"`Scanned.blocks.up.w` .* float32\[layers, width, hidden\]",
        ),
        (
            scanned.replace(blocks=scanned.blocks.replace(start=jnp.zeros((2, 4)))),
            r"axis 0 of `Scanned.blocks.start` has the size 2.*`layers` is 3",
        ),
        (unrolled.replace(blocks=(*unrolled.blocks[:2], scanned.blocks)), r"blocks\[2\].up.w"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong.check()
    with pytest.raises(TypeError, match=r"takes a `Block`, but was given a `tuple`.*`stack`"):
        scanned.replace(blocks=unrolled.blocks)


def test_undeclared_arrays_are_stacked_too(stacks, scanned):
    linear = jax.tree.map(
        lambda leaf: jnp.stack([leaf] * 3), stacks.Linear.abstract(n_in=4, n_out=4).zeros()
    )
    box = stacks.Box(jnp.zeros((3, 4)), {"a": jnp.zeros((3, 2, 2)), "b": jnp.ones(3)})
    boxes = stacks.Boxes(stacks.Box(linear, 1.0), box).check()
    assert boxes.axes("layers").around.more == 0
    assert boxes.axes("layers").inside.more is None
    assert boxes.axes("layers").inside.content.w == 0
    assert boxes.specs().around.more == jax.P("stage")
    for wrong in (
        box.replace(more=jnp.ones(2)),
        box.replace(more=1.0),
        box.replace(more=linear.b[0]),
    ):
        with pytest.raises(ValueError, match=r"`Boxes.around.more`"):
            boxes.replace(around=wrong).check()
    assert boxes.replace(around=box.replace(more=linear)).check().axes("layers").around.more.w == 0
    held = boxes.replace(around=box.replace(more={"a": linear})).check()
    assert held.axes("layers").around.more["a"].w == 0
    with pytest.raises(TypeError, match=r"for `blocks.content`, `blocks.more`$"):
        stacks.Uninitial(box.replace(more=jnp.ones(3)), jnp.ones(4)).init(KEY)


def test_axes_specs_and_shardings_of_stacks(stacks, scanned):
    axes = scanned.axes("layers")
    assert axes.gain is None
    assert {*jax.tree.leaves(axes.blocks)} == {0}
    assert scanned.axes("hidden").blocks.up.w == 2
    assert stacks.Deep.abstract(layers=2, width=4).axes("width").blocks.w == 2
    specs = scanned.specs().blocks
    assert specs.up.w == jax.P("stage", None, "model")
    assert (specs.up.b, specs.rates.rate, specs.start) == (
        jax.P("stage", "model"),
        *[jax.P("stage")] * 2,
    )
    mesh = jax.make_mesh((1, 1), ("stage", "model"))
    shardings = scanned.shardings(mesh)
    made = jax.jit(stacks.Scanned.abstract(**SIZES).init, out_shardings=shardings)(KEY)
    assert made.blocks.down.w.sharding.spec == jax.P("stage", None, "model")
    assert jax.device_put(scanned, shardings).blocks.up.b.sharding.spec == jax.P("stage", "model")
    with pytest.raises(ValueError, match="`Unrolled` has no dimension `layers`"):
        stacks.Unrolled.abstract(**SIZES).axes("layers")


def test_functions_donate_a_stack(stacks, scanned, shaped):
    with settings(checks=True):
        model = jax.tree.map(jnp.copy, scanned)
        donation = stacks.descend.donation(model, 0.1)
        assert donation["model.blocks.up.w"]
        assert "model.blocks.rng" not in donation
        after = stacks.descend(model, 0.1)
        assert model.blocks.up.w.is_deleted()
        assert after.blocks.rng is model.blocks.rng
        expected = impl.descended(scanned, jnp.float32(0.1)).blocks.up.w
        np.testing.assert_allclose(after.blocks.up.w, expected, rtol=1e-5)
        doc = "Stacked objects, with their leading axes: `blocks` [_], the result [_]."
        assert doc in stacks.last_layer.__doc__
        last, blocks = stacks.last_layer(scanned.blocks)
        assert last.up.w.shape == (4, 5)
        assert blocks.rng is scanned.blocks.rng
        with pytest.raises(ValueError, match="number of axes"):
            stacks.descend(scanned.replace(blocks=last), 0.1)


def test_drafts_and_sharing_of_stacks(stacks, scanned):
    @jax.jit
    def written(model):
        draft = model.draft()
        draft.blocks.at.start[1] = 7.0
        draft.blocks.calls += jnp.arange(3)
        return draft.freeze()

    after = written(scanned).check()
    assert np.array_equal(after.blocks.calls, [0, 1, 2])
    assert np.array_equal(after.blocks.start[1], [7.0] * 4)
    assert np.array_equal(after.blocks.up.w, scanned.blocks.up.w)
    made = stacks.Shared.abstract(layers=2, width=3).init(KEY)
    assert made.decoder is made.encoder
    assert len(jax.tree.leaves(made)) == 2
    assert made.encoder.w.shape == (2, 3, 3)


def test_stack_and_unstack_errors(stacks, scanned, unrolled):
    first, second, _ = unrolled.blocks
    for wrong, message in (
        ([], "at least one"),
        ([first, second.replace(heads=4)], r"0 and 1 differ: heads: 2 != 4"),
        (
            [first, first, first.replace(start=jnp.zeros(3))],
            r"0 and 2 differ: start: float32\[4\] !=",
        ),
        ([first, first.replace(start=first.start.astype("float16"))], "float16"),
        ([first, first.up], "Linear"),
        ([first, first.replace(pair=first.pair[:1])], "pair"),
    ):
        with pytest.raises(ValueError, match=message):
            stack(wrong)
    with pytest.raises(ValueError, match=r"has .blocks.up.w \[3\] and .gain \[4\]|.gain \[4\] and"):
        unstack(scanned)
    with pytest.raises(ValueError, match="first axis"):
        unstack(first)
    traced = jax.jit(lambda model: stack(unstack(model.blocks)[::-1]))(scanned)
    assert np.array_equal(traced.up.w[0], scanned.blocks.up.w[2])
    abstract = stacks.Scanned.abstract(**SIZES).blocks
    layers = unstack(abstract)
    assert [described(layer) for layer in layers] == [described(first)] * 3
    assert described(stack(layers)) == described(abstract)
