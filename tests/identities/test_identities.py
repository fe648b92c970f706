# mypy: disable-error-code="no-untyped-def, no-any-return"
"""One object is one object inside a transformed function, and in its results."""

import functools
import gc
import inspect
import weakref
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import preserve_identities


@pytest.fixture
def table(graph):
    return graph.Table(rows=jnp.arange(3.0))


@pytest.fixture
def node(graph, table):
    return graph.Node(x=jnp.ones(3), left=table, right=table)


@pytest.fixture
def model(graph, table):
    return graph.Model(encoder=graph.Coder(table), table=table, decoder=graph.Coder(table))


def unknown_transformation(f):
    """A transformation that `preserve_identities` does not know."""
    return jax.jit(f)


def test_two_objects_in_two_arguments_are_another_trace(graph):
    seen = []

    @preserve_identities(jax.jit)
    def f(m1, m2):
        seen.append(m1 is m2)
        return m1, m2

    m = graph.Counter(value=1.0)
    for first, second in [(m, m), (m, graph.Counter(value=1.0))] * 2:
        one, other = f(first, second)
        assert (one is other) == (first is second)
    assert seen == [True, False]


def test_tuples_none_and_numbers_are_never_identified():
    pair = (1.0, None)
    seen = []

    @preserve_identities(jax.jit)
    def f(*args):
        seen.append(args)
        return args

    # One trace, whether it is one tuple and one number or two of each.
    f(pair, pair, 2.5, None)
    f((1.0, None), (*pair,), 2.5, None)
    assert len(seen) == 1
    x = jnp.ones(3)
    (a, _), (b, _) = preserve_identities(jax.jit)(lambda *args: args)((x, 1), (x, 1))
    assert a is b


def test_objects_without_leaves_keep_their_identity(graph):
    grid, other = graph.Grid(nx=3), graph.Grid(nx=4)

    def f(a, b, c):
        assert a is b
        assert a is not c
        return a, b, c

    for static in [(), (0, 1, 2), (0,)]:
        jitted = preserve_identities(functools.partial(jax.jit, static_argnums=static))
        a, b, c = jitted(f)(grid, grid, other)
        assert a is b
        assert a is not c


def test_objects_in_foreign_containers_keep_their_identity(table):
    partial = jax.tree_util.Partial(lambda a: a.rows, table)
    found, part = preserve_identities(jax.jit)(lambda p, t: (p, p.args[0] is t and t))(
        partial, table
    )
    assert found.args[0] is part


# --- Transformations


def test_nested_transformations(graph, table):
    def f(a, b):
        assert a is b
        return a, b

    pair = graph.Two(*[graph.Counter(value=jnp.arange(2.0))] * 2)
    nestings: Any = [(jax.jit, jax.vmap), (jax.vmap, jax.jit), (jax.checkpoint, jax.vmap)]
    for outer, inner in nestings:
        if outer is jax.vmap:
            pair = jax.tree.map(lambda x: jnp.stack([x, x]), pair)
            pair = pair.replace(second=pair.first)
        nested = preserve_identities(outer)(preserve_identities(inner)(f))
        one, other = nested(pair.first, pair.second)
        assert one is other
    gradient = preserve_identities(jax.jit)(
        preserve_identities(jax.grad)(lambda t: (t[0].rows * t[1].rows).sum())
    )
    first, second = gradient((table, table))
    assert first is second
    np.testing.assert_array_equal(first.rows, 2 * table.rows)


def test_gradient_is_at_the_first_occurrence(node):
    def loss(m, part):
        return (m.left.rows * m.right.rows * part.rows).sum()

    gradient = preserve_identities(jax.grad)(loss)(node, node.left)
    assert gradient.left is gradient.right
    # The sum over all three uses.
    np.testing.assert_allclose(gradient.left.rows, 3 * node.left.rows**2)
    both = preserve_identities(jax.grad)(loss, argnums=(0, 1))(node, node.left)
    assert both[0].left is both[0].right is both[1]
    value, again = preserve_identities(jax.value_and_grad)(loss)(node, node.left)
    assert value == loss(node, node.left)
    assert again.left is again.right


def test_gradient_of_one_array_passed_as_two_arguments():
    """The arrays are themselves arguments, so they are the root of the gradient's tree."""
    x = jnp.arange(3.0)

    def loss(one, other):
        assert one is other
        return jnp.sum(one * other)

    assert preserve_identities(jax.grad)(loss)(x, x).tolist() == [0, 2, 4]
    assert preserve_identities(jax.jacfwd)(loss)(x, x).tolist() == [0, 2, 4]
    assert preserve_identities(jax.hessian)(loss)(x, x).tolist() == (2 * jnp.eye(3)).tolist()


def test_argnums_with_only_a_later_occurrence_is_an_error(graph, node, table):
    def loss(a, b):
        return (jax.tree.leaves(a)[0] * jax.tree.leaves(b)[0]).sum()

    for transform in (jax.grad, jax.value_and_grad, jax.hessian, jax.jacrev):
        with pytest.raises(ValueError, match=r"`args\[1\]` and `args\[0\]` are the same object"):
            preserve_identities(transform)(loss, argnums=1)(node, node)
    with pytest.raises(ValueError, match=r"`args\[1\]\.left` and `args\[0\]` are the same object"):
        preserve_identities(jax.grad)(loss, argnums=1)(table, node)
    x = jnp.ones(3)
    with pytest.raises(ValueError, match=r"add it to `argnums`"):
        preserve_identities(jax.grad)(loss, argnums=1)(x, x)
    # In the other order, this argument carries the gradient.
    preserve_identities(jax.grad)(loss, argnums=0)(table, node)


def test_aux_of_value_and_grad_keeps_identities(node):
    def loss(m):
        value = (m.x**2).sum()
        return value, {"loss": value, "model": m, "again": m}

    known = functools.partial(
        preserve_identities(functools.partial(jax.value_and_grad, has_aux=True)), loss
    )
    by_name = functools.partial(preserve_identities(jax.value_and_grad), loss, has_aux=True)
    by_position = functools.partial(preserve_identities(jax.value_and_grad), loss, 0, True)
    mine = functools.partial(
        preserve_identities(lambda f: jax.value_and_grad(f, has_aux=True)), loss
    )
    for make in (known, by_name, by_position, mine):
        (value, aux), gradient = make()(node)
        assert value == aux["loss"] == 3.0
        assert aux["model"] is aux["again"]
        assert aux["model"].left is aux["model"].right
        assert gradient.left is gradient.right


def test_jacobians_and_hessians_of_shared_arrays():
    x, y = jnp.arange(1.0, 4.0), jnp.ones(3)

    def f(v):
        return (v[0] ** 2 * v[1] * v[2]).sum()

    rows = preserve_identities(jax.hessian)(f)((x, y, x))
    assert rows[0] is rows[2]
    assert rows[0][0] is rows[0][2]
    assert rows[1][0] is rows[1][2]
    assert rows[0][0] is not rows[1][0]
    # f is x**3 y as a function of the two different arrays.
    np.testing.assert_allclose(rows[0][0], jnp.diag(6 * x * y))
    np.testing.assert_allclose(rows[0][1], jnp.diag(3 * x**2))
    (first, second), third = preserve_identities(jax.jacrev)(lambda v: ((v[0], v[0]), v[1]))((x, y))
    assert first is second
    assert third is not first


def test_jvp_of_shared_objects(node):
    tangent = node.replace(left=None, right=None).replace(left=node.left.replace(rows=jnp.ones(3)))
    tangent = tangent.replace(x=jnp.zeros(3), right=tangent.left)
    jvp = preserve_identities(lambda f: functools.partial(jax.jvp, f))(lambda m: (m, m.left))
    (m, part), (dm, dpart) = jvp((node,), (tangent,))
    assert part is m.left is m.right
    assert dpart is dm.left is dm.right
    assert dpart is not part


def test_vmap_axis_is_at_the_first_occurrence(node):
    stacked = jax.tree.map(lambda x: jnp.stack([x, 2 * x]), node)
    stacked = stacked.replace(right=stacked.left)
    axes = jax.tree.map(lambda _: 0, node)

    def f(m, part):
        assert m.left is m.right is part
        assert part.rows.shape == (3,)
        return m, part

    for vmapped in (
        preserve_identities(jax.vmap)(f, in_axes=(0, None)),
        preserve_identities(jax.vmap)(f, in_axes=(axes, axes.left), out_axes=(axes, axes.left)),
        preserve_identities(lambda f: jax.vmap(f, in_axes=(axes, axes.left)))(f),
    ):
        m, part = vmapped(stacked, stacked.left)
        assert m.left is m.right is part
        np.testing.assert_array_equal(part.rows, stacked.left.rows)


def test_mapping_one_object_along_two_axes_is_an_error(node):
    x = jnp.arange(4.0).reshape(2, 2)
    with pytest.raises(ValueError, match=r"`args\[1\]` is the same .* `args\[0\]`, .* 1 and 0"):
        preserve_identities(jax.vmap)(lambda a, b: a - b, in_axes=(0, 1))(x, x)
    with pytest.raises(ValueError, match=r"`args\[1\].left` is .*`args\[0\]`"):
        preserve_identities(jax.vmap)(lambda a, _: a, in_axes=(0, -1))(node.left, node)
    assert preserve_identities(jax.vmap)(lambda a, b: a - b, in_axes=(0, 1))(x, x + 0).shape == (
        2,
        2,
    )
    assert (
        preserve_identities(jax.vmap)(lambda a, b: a - b, in_axes=(1, 1))(x, x).tolist()
        == [[0, 0]] * 2
    )


# --- declared sharing inside


def test_declared_shared_parts_of_a_model_keep_their_identity(model):
    """A class without leaves of its own is also distinguished."""

    def f(m, coder, part):
        assert m.encoder is coder
        assert m.table is m.encoder.table is m.decoder.table is coder.table is part
        return [m.decoder, m, coder, m.encoder, part]

    for order in [(0, 1, 2), (1, 0, 2), (2, 1, 0)]:
        arguments = [model, model.encoder, model.table]

        def g(*args, order=order):
            return f(*(args[order.index(i)] for i in range(3)))

        for transform in (jax.jit, unknown_transformation):
            found = preserve_identities(transform)(g)(*(arguments[i] for i in order))
            decoder, m, coder, encoder, part = found
            assert m.encoder is coder is encoder
            assert m.decoder is decoder
            assert m.table is encoder.table is decoder.table is part


# --- Errors


def test_cycle_is_an_error_that_names_the_fields(graph):
    identity = preserve_identities(jax.jit)(lambda m: m)
    node = graph.Node(x=jnp.ones(3), left=[])
    node.left.append(node)
    with pytest.raises(ValueError, match=r"`args\[0\]\.left\[0\]` is the `Node` at `args\[0\]`"):
        identity(node)
    endless: list[object] = []
    endless.append({"a": endless})
    with pytest.raises(ValueError, match=r"`args\[0\]\[0\]\['a'\]` is the `list` at `args\[0\]`"):
        identity(endless)
    x = jnp.ones(3)
    with pytest.raises(ValueError, match=r"`result\.left\[0\]` is the `Node` at `result`"):
        preserve_identities(jax.jit)(lambda _: node)(x)


def test_transformation_that_returns_no_function_is_an_error():
    def make_value(f):
        return 3

    with pytest.raises(TypeError, match=r"functools\.partial\(make_value, f\)"):
        preserve_identities(make_value)(lambda x: x)


# --- behaviour as a transformation


def test_repeated_calls_do_not_retrace(node):
    traces = []

    @preserve_identities(jax.jit)
    def f(m, part):
        traces.append(1)
        return m, part

    for scale in range(1, 4):
        part = node.left.replace(rows=scale * node.left.rows)
        m, found = f(node.replace(left=part, right=part), part)
        assert m.left is m.right is found
        np.testing.assert_array_equal(found.rows, part.rows)
    assert len(traces) == 1


def test_equal_numbers_at_two_places_are_not_identified(graph):
    """An equal number at two places in one call must not merge the places in another call."""
    f = preserve_identities(jax.jit)(lambda *args: args)
    x = jnp.ones(3)
    f(x, 5, 5, x, 5)
    assert [int(jnp.max(each)) for each in f(x, 7, 8, x, 9)] == [1, 7, 8, 1, 9]
    assert [int(jnp.max(each)) for each in f(x, x, 7, 8, 9)] == [1, 1, 7, 8, 9]


def test_wrapped_function_has_name_docstring_and_signature():
    def advance(m, *, steps=1):
        """Advance."""
        return m

    f: Any = preserve_identities(jax.jit)(advance)
    assert f.__name__ == "advance"
    assert f.__doc__ == "Advance."
    assert inspect.signature(f) == inspect.signature(advance)
    assert preserve_identities(jax.vmap).__name__ == "vmap"


def test_wrapped_jit_function_has_lower_and_other_attributes(node):
    def f(m, n):
        assert m is n
        return m, n

    jitted: Any = preserve_identities(jax.jit)(f)
    assert "func.func" in jitted.lower(node, node).as_text()
    one, other = jitted.eval_shape(node, node)
    assert one is other
    jitted(node, node)
    jitted.clear_cache()
    assert not hasattr(preserve_identities(jax.vmap)(jitted), "lower")


def test_transformation_with_options_is_a_decorator(node):
    @preserve_identities(jax.jit)(static_argnames="n")
    def f(m, n):
        return (m,) * n

    one, other = f(node, n=2)
    assert one is other


def test_arguments_are_not_kept_alive(node):
    def f(m):
        return m, m

    jitted = preserve_identities(jax.jit)(f)
    result = jitted(node)
    alive = [weakref.ref(each) for each in (f, node.left.rows, result[0].left)]
    del f, jitted, result
    node = node.replace(left=None, right=None)
    jax.clear_caches()
    gc.collect()
    assert alive[0]() is None
    assert alive[2]() is None


def test_identity_is_kept_over_a_mesh(node):
    mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    rows, none = jax.sharding.PartitionSpec("x"), jax.sharding.PartitionSpec()
    specs = jax.tree.map(lambda _: rows, node)

    def f(m, part):
        assert m.left is m.right is part
        return m, part

    for chosen in ((specs, rows), (none, specs.left)):
        mapped = functools.partial(jax.shard_map, mesh=mesh, in_specs=chosen, out_specs=chosen)
        m, part = preserve_identities(mapped)(f)(node, node.left)
        assert m.left is m.right is part


def test_objects_that_share_parts_with_each_other(graph):
    one = graph.Pair(a=jnp.ones(()), b=jnp.zeros(()))
    crossed = graph.Crossed(one=one, other=one.replace(a=one.a))
    found = preserve_identities(jax.jit)(lambda c: c)(crossed)
    assert found.one is not found.other
    assert found.one.a is found.other.a
    assert found.one.b is found.other.b
    # With one object at both places, neither place has all leaves.
    with pytest.raises(
        ValueError, match=r"`one\.b` of a `Crossed` is .* `other\.b`, .* same object"
    ):
        preserve_identities(jax.jit)(lambda c: c)(graph.Crossed(one=one, other=one))
