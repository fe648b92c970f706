# mypy: ignore-errors
"""Test axes, specs, shardings and constraints of generated classes. `test_meshes.py` runs this file."""

import re
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AbstractMesh, AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from benchmarks import scaling
from benchmarks.collectives import collectives, total
from codegen.runtime import DonationWarning, jit, settings
from codegen.runtime.stacks import unstack
from generated.digits import Architecture, Config, train_step
from tests.meshes import impl, package

AUTO, EXPLICIT = AxisType.Auto, AxisType.Explicit


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    assert jax.device_count() == 8
    return package.build(tmp_path_factory.mktemp("meshes"))


def make_mesh(sizes=(4, 2), names=("rows", "cols"), kind=AUTO):
    return jax.make_mesh(sizes, names, axis_types=(kind,) * len(names))


@pytest.fixture(params=[AUTO, EXPLICIT], ids=["auto", "explicit"])
def mesh(request):
    return make_mesh(kind=request.param)


@pytest.fixture
def make_plate(model):
    def make(nx=8, ny=4, **changes):
        values = {
            "u": jnp.arange(nx * ny, dtype=jnp.float32).reshape(nx, ny),
            "alpha": jnp.full((nx, ny), 0.1),
            "edge": jnp.ones(nx + 1),
            "grid": model.Grid(nx, ny),
        }
        return model.Plate(**values | changes)

    return make


@pytest.fixture
def plate(make_plate):
    return make_plate()


def make_mlp(model):
    def linear(n_in, n_out):
        w = np.random.default_rng(n_in).normal(size=(n_in, n_out)).astype(np.float32)
        return model.Linear(jnp.asarray(w), jnp.zeros(n_out))

    return model.Mlp(linear(6, 4), (linear(4, 4),), linear(4, 3))


@pytest.fixture
def mlp(model):
    return make_mlp(model)


@pytest.fixture
def odd(model):
    return model.Odd(
        square=jnp.ones((8, 8)),
        flat=jnp.ones((8, 2)),
        placed=jnp.ones((8, 2)),
        trailing=jnp.ones((3, 5, 8)),
        leading=jnp.ones((2, 2)),
        named={"b": jnp.ones(2), "a": jnp.ones(2)},
        pair=(jnp.ones(8), jnp.ones(2)),
        either=jnp.ones(2, jnp.int32),
        anything=(jnp.ones(3), None),
        rngs=jax.random.split(jax.random.key(0), 8),
    )


def leaves_by_path(tree):
    """Return the leaves of a tree by path, including None."""
    pairs = jax.tree_util.tree_flatten_with_path(tree, is_leaf=lambda x: x is None)[0]
    return {jax.tree_util.keystr(path): leaf for path, leaf in pairs}


# axes


def test_axes_are_positions(plate):
    assert leaves_by_path(plate.axes("nx")) == {
        ".u": 0,
        ".alpha": 0,
        ".edge": None,
        ".source": None,
        ".t": None,
        ".rate": None,
    }
    assert leaves_by_path(plate.replace(source=jnp.ones(4)).axes("ny")) == {
        ".u": 1,
        ".alpha": 1,
        ".edge": None,
        ".source": 0,
        ".t": None,
        ".rate": None,
    }
    assert plate.axes("nx").grid is plate.grid


def test_dimensions_of_parts_are_named_by_the_holder(mlp):
    assert leaves_by_path(mlp.axes("hidden")) == {
        ".first.w": 1,
        ".first.b": 0,
        ".middle[0].w": 0,
        ".middle[0].b": 0,
        ".last.w": 0,
        ".last.b": None,
    }
    assert leaves_by_path(mlp.axes("pixels"))[".first.w"] == 0
    assert mlp.first.axes("n_out").w == 1


def test_a_subclass_has_the_dimensions_of_its_base(model, mlp):
    named = model.Named(jnp.ones((6, 4)), jnp.ones(4), jnp.ones(4))
    assert (named.axes("second").w, named.axes("second").scale) == (1, 0)
    held = mlp.replace(first=named)
    axes = held.axes("hidden").first
    assert (axes.w, axes.b, axes.scale) == (1, 0, 0)
    assert held.specs().first.scale == P("cols")


def test_dimensions_that_the_holder_does_not_name_are_unknown(model):
    linear = model.Linear(jnp.ones((6, 8)), jnp.ones(8))
    loose = model.Loose(linear, linear)
    axes = loose.axes("nx")
    assert (axes.part.w, axes.either.w) == (None, 1)
    assert loose.specs().part.w == P()
    assert loose.specs().either.b == P("rows")
    assert loose.replace(either=model.Scalars(1.0)).axes("nx").either.loss is None
    with pytest.raises(ValueError, match=r"`Loose` has no dimension `n_in`"):
        loose.axes("n_in")


def test_axes_of_every_kind_of_field(odd):
    axes = odd.axes("nx")
    assert (axes.square, axes.flat, axes.placed, axes.trailing) == (0, None, 0, 2)
    assert (axes.leading, axes.named, axes.pair) == (None, {"a": None, "b": None}, (0, None))
    assert (axes.either, axes.anything, axes.rngs) == (None, None, 0)
    axes = odd.axes("ny")
    assert (axes.leading, axes.named, axes.pair) == (1, {"a": 0, "b": 0}, (None, 0))
    assert axes.either == 0
    assert odd.replace(either=jnp.ones(8)).axes("ny").either is None


def test_axes_as_in_axes_and_out_axes_of_vmap(plate, model):
    axes = plate.axes("nx")

    def lowest(plate):
        assert plate.u.shape == (4,)
        assert plate.edge.shape == (9,)
        return plate.replace(u=plate.u + plate.t, alpha=plate.alpha * 2)

    mapped = jax.vmap(lowest, in_axes=(axes,), out_axes=axes)(plate)
    np.testing.assert_array_equal(mapped.u, plate.u)
    np.testing.assert_array_equal(mapped.alpha, plate.alpha * 2)
    assert mapped.grid is plate.grid


def test_axes_of_a_shared_part_are_those_of_its_owner(model):
    table = model.Table(jnp.ones((8, 2)))
    whole = model.Model(table, model.Coder(table, jnp.ones(4)))
    axes = whole.axes("nx")
    assert axes.coder.table is axes.table
    assert axes.table.rows == 0
    mapped = jax.vmap(lambda m: m.coder.table.rows * 2, in_axes=(axes,))(whole)
    np.testing.assert_array_equal(mapped, jnp.full((8, 2), 2.0))
    specs = whole.specs()
    assert specs.coder.table is specs.table
    assert specs.table.rows == P("rows")


def test_unknown_dimension_is_an_error_that_lists_the_known_ones(plate, mlp, odd):
    with pytest.raises(ValueError, match=r"`Plate` has no dimension `nxs`. It has `nx`, `ny`"):
        plate.axes("nxs")
    with pytest.raises(ValueError, match=r"It has `classes`, `hidden`, `pixels`"):
        mlp.axes("n_in")
    with pytest.raises(ValueError, match=r"`Odd` has no dimension `batch`. It has `\*batch`"):
        odd.axes("batch")


def test_wrong_type_of_dimension_or_mesh_is_an_error(plate):
    with pytest.raises(ValueError, match=r"`Plate` has no dimension `0`"):
        plate.axes(0)
    message = r"argument `mesh` of `Plate` takes a mesh, but was given 'rows' \(str\): create one"
    for refused in (plate.shardings, plate.constrain):
        with pytest.raises(TypeError, match=message):
            refused("rows")


def test_a_stack_of_objects_has_axes_without_names(plate):
    stack = jax.tree.map(lambda x: jnp.stack([x, x]), plate)
    message = r"`Plate.u` is declared as \[nx, ny\], but has the shape \(2, 8, 4\)"
    for ask in (lambda: stack.axes("nx"), stack.specs, lambda: stack.shardings(make_mesh())):
        with pytest.raises(ValueError, match=message):
            ask()
    with pytest.raises(ValueError, match=r"`Plate.edge` is declared as \[nx \+ 1\]"):
        plate.replace(edge=jnp.ones((2, 2))).axes("nx")


def test_unstack_leaves_arrays_on_their_devices(mesh):
    for spec in (P(None, "rows"), P("cols", "rows")):
        placed = jax.device_put(jnp.arange(16.0).reshape(2, 4, 2), NamedSharding(mesh, spec))
        for i, item in enumerate(unstack({"w": placed})):
            assert item["w"].sharding.spec[0] == "rows"
            assert np.array_equal(item["w"], np.asarray(placed)[i])


# specs and shardings


def test_specs_follow_the_dimensions(model, plate, mlp, odd):
    assert leaves_by_path(plate.specs()) == {
        ".u": P("rows", "cols"),
        ".alpha": P("rows", "cols"),
        ".edge": P(),
        ".source": None,
        ".t": P(),
        ".rate": P(),
    }
    assert leaves_by_path(mlp.specs()) == {
        ".first.w": P(None, "cols"),
        ".first.b": P("cols"),
        ".middle[0].w": P("cols"),  # Both axes have this dimension. The first one is sharded.
        ".middle[0].b": P("cols"),
        ".last.w": P("cols"),
        ".last.b": P(),
    }
    specs = odd.specs()
    assert (specs.square, specs.flat) == (P("rows"), P(("rows", "cols")))
    assert specs.placed == P("cols")
    assert (specs.trailing, specs.leading) == (P(None, None, "rows"), P(None, "cols"))
    assert (specs.either, specs.anything, specs.rngs) == (P("cols"), P(), P("rows"))
    shapeless = jax.tree.map(lambda _: object(), odd)
    with pytest.raises(ValueError, match=r"`Odd.trailing` is of type object, not an array"):
        shapeless.specs()
    whole = model.Whole(jnp.zeros((4, 2, 4))).like(object())
    assert whole.specs().x == P("cols")


def test_undeclared_objects_have_their_own_specs(model, mlp):
    training = model.Training(mlp, {"mu": mlp, "count": jnp.zeros(())}, jax.random.key(0))
    specs = training.specs()
    assert specs.moments == {"mu": mlp.specs(), "count": P()}
    axes = training.axes("hidden")
    assert axes.moments == {"mu": mlp.axes("hidden"), "count": None}


def test_objects_of_another_package_have_their_own_specs(model, mlp, tmp_path):
    other = package.build(tmp_path, "declared_on_meshes_again")
    foreign = make_mlp(other)
    training = model.Training(mlp, foreign, jax.random.key(0))
    assert training.specs().moments == foreign.specs()
    assert training.axes("hidden").moments.first.w == 1
    assert foreign.fingerprint() == mlp.fingerprint()  # the same schema in another package
    mesh = make_mesh()
    placed = jax.device_put(training, training.shardings(mesh))
    assert placed.moments.first.w.sharding.spec == P(None, "cols")


def test_shardings_place_an_object(plate, odd, mesh):
    placed = jax.device_put(plate, plate.shardings(mesh))
    assert placed.u.sharding == NamedSharding(mesh, P("rows", "cols"))
    assert placed.u.addressable_shards[0].data.shape == (2, 2)
    assert placed.edge.sharding.is_fully_replicated
    assert placed == plate
    assert placed.grid is plate.grid
    again = jax.device_put(odd, odd.shardings(mesh))
    assert again.rngs.addressable_shards[0].data.shape == (2,)
    assert again.anything[0].sharding.is_fully_replicated
    with jax.set_mesh(mesh):
        assert jax.device_put(plate, plate.specs()).u.sharding == placed.u.sharding


def test_shard_map_takes_specs(plate, mesh):
    axes = plate.specs()

    def add(plate):
        assert plate.u.shape == (2, 2)
        assert plate.edge.shape == (9,)
        return plate.replace(u=plate.u + jax.lax.axis_index("rows"))

    add = jax.jit(jax.shard_map(add, mesh=mesh, in_specs=(axes,), out_specs=axes))
    mapped = add(jax.device_put(plate, plate.shardings(mesh)))
    np.testing.assert_array_equal(mapped.u - plate.u, np.arange(8)[:, None] // 2 * np.ones(4))


def test_an_axis_that_the_mesh_lacks_shards_nothing(plate, odd):
    rows = make_mesh((8,), ("rows",))
    assert plate.shardings(rows).u.spec == P("rows")
    assert odd.shardings(rows).flat.spec == P("rows")
    cols = make_mesh((4, 2), ("other", "cols"))
    assert plate.shardings(cols).u.spec == P(None, "cols")
    assert odd.shardings(cols).flat.spec == P("cols")
    assert odd.shardings(cols).placed.spec == P("cols")


def test_a_mesh_without_any_of_the_axes_is_an_error(plate, model):
    other = make_mesh((8,), ("data",))
    message = r"`Plate` is sharded over \['cols', 'rows'\], but the mesh has \['data'\]"
    for ask in (plate.shardings, plate.constrain):
        with pytest.raises(ValueError, match=message):
            ask(other)
    scalars = model.Scalars(1.0)
    # Its schema names no mesh axis, so any mesh is accepted.
    assert not hasattr(scalars, "shardings")


def test_a_size_that_the_mesh_does_not_divide_is_an_error(make_plate, odd, mesh):
    plate = make_plate(nx=6)
    message = (
        r"axis 0 of `Plate.u` \(`nx`\) has the size 6, but must be a multiple of 4, the number of "
        r"devices along rows: change the size, the mesh, or `field\(spec=...\)`"
    )
    with pytest.raises(ValueError, match=message):
        plate.shardings(mesh)
    with jax.set_mesh(mesh), pytest.raises(ValueError, match=message):
        jax.jit(lambda plate: plate.constrain())(plate)
    odd = odd.replace(flat=jnp.ones((4, 2)))
    with pytest.raises(
        ValueError, match="must be a multiple of 8, the number of devices along rows, cols"
    ):
        odd.shardings(mesh)


def test_an_abstract_mesh_needs_no_devices(plate):
    mesh = AbstractMesh((64, 2), ("rows", "cols"), axis_types=(AUTO, AUTO))
    wide = jax.ShapeDtypeStruct((64, 4), jnp.float32)
    shardings = plate.replace(u=wide, alpha=wide).shardings(mesh)
    assert shardings.u == NamedSharding(mesh, P("rows", "cols"))
    with pytest.raises(ValueError, match=r"axis 0 of `Plate.u` \(`nx`\) has the size 8"):
        plate.shardings(mesh)


# constrain


def test_constrain_shards_inside_jit(plate, odd, mesh):
    @jax.jit
    def grow(plate, odd):
        return jax.tree.map(lambda x: x * 2, plate).constrain(), odd.constrain()

    with jax.set_mesh(mesh):
        grown, other = grow(plate, odd)
        assert grown.u.sharding == NamedSharding(mesh, P("rows", "cols"))
        assert other.flat.sharding.spec[0] == ("rows", "cols")
        assert other.rngs.addressable_shards[0].data.shape == (2,)
        assert plate.constrain().u.sharding == grown.u.sharding  # also outside of jit
    np.testing.assert_array_equal(grown.u, plate.u * 2)


def test_constrain_takes_a_mesh(plate):
    mesh = make_mesh()
    constrained = jax.jit(lambda plate: plate.constrain(mesh))(plate)
    assert constrained.u.sharding == NamedSharding(mesh, P("rows", "cols"))
    mesh = make_mesh(kind=EXPLICIT)
    assert plate.constrain(mesh).u.sharding == NamedSharding(mesh, P("rows", "cols"))
    with jax.set_mesh(mesh):
        jax.jit(lambda plate: plate.constrain(mesh))(plate)


MIXED = pytest.mark.parametrize("kinds", [(AUTO, EXPLICIT), (EXPLICIT, AUTO)], ids=str)


def make_mixed(kinds):
    return jax.make_mesh((4, 2), ("rows", "cols"), axis_types=kinds)


def make_flat(model):
    return model.Flat(u=jnp.ones((8, 4)), cells=jnp.arange(16.0), placed=jnp.ones((8, 4)))


def assert_as_declared(obj, mesh):
    pairs = zip(jax.tree.leaves(obj), jax.tree.leaves(obj.shardings(mesh)), strict=True)
    for leaf, declared in pairs:
        assert leaf.sharding.is_equivalent_to(declared, leaf.ndim), (leaf.sharding, declared)


@MIXED
def test_mesh_with_auto_and_explicit_axes(model, plate, odd, kinds):
    mesh = make_mixed(kinds)
    for obj in (plate.replace(rate=jnp.ones(())), odd.replace(anything=None), make_flat(model)):
        with jax.set_mesh(mesh):
            assert_as_declared(jax.jit(lambda obj: obj.constrain())(obj), mesh)
            assert_as_declared(jax.jit(lambda obj: obj.constrain())(place(obj, mesh)), mesh)
            assert_as_declared(obj.constrain(), mesh)
        assert_as_declared(obj.constrain(mesh), mesh)
    assert plate.shardings(mesh).u.spec == P("rows", "cols")
    assert odd.shardings(mesh).placed.spec == P("cols")


@MIXED
def test_an_axis_of_an_array_is_sharded_over_axes_of_one_type(model, odd, kinds):
    # JAX has no type for both, so results are sharded over the Explicit axis.
    mesh = make_mixed(kinds)
    explicit = mesh.axis_names[kinds.index(EXPLICIT)]
    flat = make_flat(model)
    assert flat.specs().cells == P(("rows", "cols"))
    assert flat.shardings(mesh).cells.spec == P(explicit)
    whole = flat.globalize(mesh)
    assert_as_declared(whole, mesh)
    typed = jax.device_put(flat.cells, NamedSharding(mesh, P(("rows", "cols"))))
    assert jax.jit(lambda x: x * 2)(typed).sharding.spec == P(explicit)


def test_constrain_ignores_manual_axes_and_undeclared_parts(plate, odd):
    mesh = make_mesh()
    replicated = NamedSharding(mesh, P())

    def inside(u, plate):
        # "rows" is manual here, so `u` is the part of this device. "cols" is not manual.
        constrained = plate.replace(u=u, alpha=u).constrain()
        assert constrained.u.shape == (2, 4)
        return constrained.u * 2

    mapped = jax.shard_map(
        inside, in_specs=(P("rows"), P()), out_specs=P("rows"), axis_names={"rows"}
    )
    with jax.set_mesh(mesh):
        doubled = jax.jit(mapped)(plate.u, jax.device_put(plate, replicated))
        assert doubled.addressable_shards[0].data.shape == (2, 2)
        odd = jax.device_put(odd, replicated)
        rows = jax.device_put(jnp.ones(8), NamedSharding(mesh, P("rows")))
        moved = jax.jit(lambda odd: odd.constrain())(odd.replace(anything=rows))
        assert moved.anything.sharding.spec == P("rows")
    np.testing.assert_array_equal(doubled, plate.u * 2)


def test_constrain_needs_a_mesh(plate):
    with pytest.raises(ValueError, match=r"`Plate.constrain\(\)` needs a mesh: call it under"):
        plate.constrain()


# functions under a mesh


def aliases(compiled):
    """Return, by number, which results alias which arguments in a compiled program."""
    head = compiled.as_text().partition("\n")[0]
    found = re.findall(r"\{(\d*)\}: \((\d+), \{\}, (?:may|must)-alias\)", head)
    return {int(result or 0): int(argument) for result, argument in found}


def place(obj, mesh):
    """Return a copy, sharded as declared. `device_put` would share replicated buffers."""
    return jax.tree.map(jnp.copy, jax.device_put(obj, obj.shardings(mesh)))


def test_function_follows_the_schema(model, make_plate, mesh):
    alone = model.advance(make_plate(), 0.1, n=3)
    with jax.set_mesh(mesh):
        plate = place(make_plate(), mesh)
        pointers = [shard.data.unsafe_buffer_pointer() for shard in plate.u.addressable_shards]
        compiled = model.advance.lower(plate, 0.1, n=3).compile()
        # Only the buffer of u can be donated, not those of alpha, t and dt.
        assert aliases(compiled) == {0: 0}
        assert compiled.memory_analysis().alias_size_in_bytes == plate.u.nbytes // 8
        assert model.advance.donation(plate, 0.1, n=3) == {"plate.u": True}
        new = model.advance(plate, 0.1, n=3)
    assert new.u.sharding == NamedSharding(mesh, P("rows", "cols"))
    assert [x.data.unsafe_buffer_pointer() for x in new.u.addressable_shards] == pointers
    assert new.t.sharding.is_fully_replicated
    assert new.alpha is plate.alpha
    assert new.grid is plate.grid
    with pytest.raises(RuntimeError, match=r"`Plate.u` was consumed by `advance`"):
        plate.u + 1
    np.testing.assert_allclose(new.u, alone.u, rtol=1e-6)


def test_arrays_with_one_buffer_are_an_error_when_traced(mesh):
    # Otherwise jax 0.10 ends the process. `device_put` keeps the buffer on one device.
    @jit(donated=("state",))
    def double(state, other):
        return jax.tree.map(lambda x: 2 * x, state), other

    x = jnp.arange(8.0)
    everywhere = NamedSharding(mesh, P())
    twice = jax.device_put({"params": x, "average": x}, everywhere)
    assert twice["params"] is not twice["average"]
    with pytest.raises(
        ValueError, match=r"`state\['average'\]` and `state\['params'\]` of .* share"
    ):
        double(twice, x)
    with pytest.raises(ValueError, match=r"`state` and `other` of .* donates and also reads"):
        double(jax.device_put(x, everywhere), x)
    empty = jax.device_put({"a": jnp.zeros(0), "b": jnp.zeros(0)}, everywhere)
    double(empty, jnp.zeros(0))
    state, _ = double(jax.tree.map(jnp.copy, twice), jnp.copy(x))
    np.testing.assert_array_equal(state["params"], 2 * x)


MESHES = {
    (4, 2): ("rows", "cols"),
    (2, 2, 2): ("rows", "cols", "other"),
    (8,): ("rows",),
}


def place_at(plate, mesh, where):
    """Return a copy of an object with this placement."""
    plate = jax.tree.map(jnp.copy, plate)
    if where == "elsewhere":
        return plate
    shardings = NamedSharding(mesh, P()) if where == "replicated" else plate.shardings(mesh)
    return jax.device_put(plate, shardings)


@pytest.mark.filterwarnings("ignore::UserWarning")  # Warning: a donation cannot be used.
@pytest.mark.parametrize(
    ("sizes", "kind"), [((4, 2), AUTO), ((2, 2, 2), EXPLICIT), ((8,), EXPLICIT)], ids=str
)
def test_sharded_results_equal_those_of_one_device(model, make_plate, sizes, kind):
    mesh = make_mesh(sizes, MESHES[sizes], kind)
    for how, change in impl.CHANGES.items():
        wanted = change(make_plate(nx=16).u)
        for where in ("elsewhere", "replicated", "as declared"):
            with jax.set_mesh(mesh):
                found = model.change(place_at(make_plate(nx=16), mesh, where), how)
            np.testing.assert_array_equal(found.u, wanted, err_msg=f"{how}, {where}")


def call_compiled(model, plate, how):
    return model.change.lower(plate, how).compile()(plate, how)


def ways_to_call(model, how):
    """Return all ways in which a function, or `constrain`, shards data from elsewhere."""
    jitted = jit(impl.change, static="how", donated="plate")

    def stacked(plate):
        stack = jax.tree.map(lambda x: jnp.stack([x, x]), plate)
        changed = jax.vmap(lambda plate: model.change(plate, how))(stack)
        return jax.tree.map(lambda x: x[1], changed)

    def scanned(plate):
        # A carry with an explicitly sharded type is sharded from the start.
        plate = plate.constrain()
        return jax.lax.scan(lambda p, _: (model.change(p, how), None), plate, length=1)[0]

    return {
        "keep": lambda plate: model.change.keep(plate, how),
        "jit of the package": lambda plate: jitted(plate, how),
        "compiled before": lambda plate: call_compiled(model, plate, how),
        "in jit": jax.jit(lambda plate: model.change(plate, how)),
        "in jit, then": jax.jit(lambda plate: impl.change(model.double.keep(plate), how)),
        "constrain": jax.jit(lambda plate: impl.change(plate.constrain(), how).constrain()),
        "scan": jax.jit(scanned),
        "vmap": jax.jit(stacked),
        "vmap alone": stacked,
    }


@pytest.mark.filterwarnings("ignore::UserWarning")  # Warning: a donation cannot be used.
def test_resharded_arguments_give_right_results(model, make_plate, mesh):
    for how in ("set a row", "set a row, transposed", "roll"):
        for way, call in ways_to_call(model, how).items():
            plate = make_plate()
            wanted = impl.CHANGES[how](plate.u * 2 if way == "in jit, then" else plate.u)
            with jax.set_mesh(mesh):
                found = call(jax.tree.map(jnp.copy, plate))
            np.testing.assert_array_equal(found.u, wanted, err_msg=f"{how}: {way}")


@pytest.mark.parametrize("kind", [AUTO, EXPLICIT])
@pytest.mark.parametrize("where", ["on one device", "replicated"])
def test_wrongly_placed_donated_array_is_reported(model, make_plate, kind, where):
    mesh = make_mesh(kind=kind)
    plates = [jax.tree.map(jnp.copy, make_plate()) for _ in range(2)]
    if where == "replicated":
        plates = jax.device_put(plates, NamedSharding(mesh, P()))
    with jax.set_mesh(mesh), warnings.catch_warnings():
        warnings.simplefilter("error")
        model.advance(place(make_plate(), mesh), 0.1, n=2)
        assert model.advance.donation(plates[0], 0.1, n=2) == {"plate.u": False}
        # A trace gives one warning, with the field and how to place it.
        model.advance.clear_cache()
        with pytest.warns(DonationWarning, match=r"`plate.u` .* `jax.device_put\(obj, ") as said:
            model.advance(plates[1], 0.1, n=2)
        assert len(said) == 1


def test_one_function_has_a_program_for_every_mesh(model, make_plate):
    meshes = [make_mesh(), make_mesh(kind=EXPLICIT), make_mesh((8,), ("rows",))]
    for mesh in [*meshes, *meshes]:
        with jax.set_mesh(mesh):
            new = model.advance(place(make_plate(), mesh), 0.1)
            assert new.u.sharding.is_equivalent_to(make_plate().shardings(mesh).u, 2)
            assert "sdy.sharding" in model.advance.lower(place(make_plate(), mesh), 0.1).as_text()
    # Without a mesh, the program contains no sharding.
    assert "sdy.sharding" not in model.advance.lower(make_plate(), 0.1).as_text()
    assert len(model.advance(make_plate(), 0.1).u.devices()) == 1


def test_mesh_with_none_of_the_axes_changes_no_sharding(model, make_plate):
    mesh = make_mesh((8,), ("other",))
    with jax.set_mesh(mesh):
        plate = jax.tree.map(jnp.copy, make_plate())
        placed = jax.device_put(plate, NamedSharding(mesh, P()))
        placed = placed.replace(u=jax.device_put(plate.u, NamedSharding(mesh, P("other"))))
        new = model.advance(placed, 0.1)
    assert new.u.sharding.spec[0] == "other"


@pytest.mark.parametrize("kind", [AUTO, EXPLICIT])
def test_advice_of_donation_warning_works_on_any_mesh(model, make_plate, kind):
    mesh = make_mesh((8,), ("other",), kind)
    plate = jax.tree.map(jnp.copy, make_plate())
    with jax.set_mesh(mesh), warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.warns(DonationWarning) as said:
            model.advance(plate, 0.1, n=4)
        advice = "If the mesh has none of the schema's axes, that is an error: use `"
        (expression,) = re.findall(f"{advice}([^`]*)`", str(said[0].message))
        names = {"jax": jax, "mesh": mesh, "obj": make_plate()}
        placed = jax.tree.map(jnp.copy, eval(expression, names))
        assert model.advance.donation(placed, 0.1, n=4) == {"plate.u": True}
        model.advance(placed, 0.1, n=4)


def test_indivisible_size_is_an_error_before_consuming(model, make_plate, mesh):
    plate = make_plate(nx=6)
    with (
        jax.set_mesh(mesh),
        pytest.raises(ValueError, match=r"axis 0 of `Plate.u` \(`nx`\) has the size 6"),
    ):
        model.advance(plate, 0.1)
    assert not plate.u.is_deleted()


def make_film(model):
    frames = np.arange(48, dtype=np.float32).reshape(3, 2, 8)
    return model.Film(jnp.ones((8, 4)), jnp.asarray(frames), jnp.ones((8, 4)))


@pytest.fixture(params=[4, 2], ids=lambda rows: f"rows={rows}")
def rows_mesh(request):
    return make_mesh((request.param, 8 // request.param), ("rows", "other"))


def lowered(function, *arguments):
    """Return the shardings in the text of a lowered program."""
    text = jax.jit(function).lower(*arguments).as_text()
    return [line for line in text.splitlines() if "sharding_constraint" in line]


def test_vmap_over_a_dimension_skips_arrays_that_may_lack_it(model, rows_mesh):
    axes = make_film(model).axes("nx")
    assert (axes.frames, axes.either) == (2, 0)
    mapped = jax.vmap(model.run, in_axes=(axes,), out_axes=axes)
    alone = mapped(make_film(model))
    with jax.set_mesh(rows_mesh):
        # Inside, `frames` is [3, 2] and its last axis is not `nx`. `either` is [ny].
        assert lowered(mapped, make_film(model)) == []
        assert mapped(make_film(model)) == alone
    assert alone.frames.shape == (3, 2, 8)


def test_arrays_of_any_rank_are_sharded_as_declared(model, rows_mesh):
    with jax.set_mesh(rows_mesh):
        film = model.run.keep(make_film(model))
        frames = model.play.keep(model.Frames(jnp.ones((3, 2, 8))))
        assert_as_declared(film, rows_mesh)
        assert_as_declared(frames, rows_mesh)
        # The last axis of `frames` is not the `nx` of the others.
        odd = film.replace(
            frames=jax.device_put(jnp.ones((3, 2, 4)), NamedSharding(rows_mesh, P()))
        )
        with settings(checks=False):
            assert model.run.keep(odd).frames.sharding.is_fully_replicated


@pytest.mark.parametrize(("axis", "devices"), [("data", 8), ("model", 2)])
def test_training_communicates_the_minimum(axis, devices):
    config = Config(architecture=Architecture(hidden=32, middle_layers=1), batch_size=16)
    mesh = scaling.make_mesh(axis, devices)
    with jax.set_mesh(mesh):
        compiled = train_step.lower(*scaling.placed(config, mesh)).compile()
    found = total(collectives(compiled))
    assert found == scaling.least_traffic(config, axis, devices)


def test_trace_lists_another_sharding():
    """JAX does not trace again only for that."""
    mesh = make_mesh((8,), ("rows",))
    add = jit(lambda x, y: x + y)
    whole, rows = (NamedSharding(mesh, P(*axes)) for axes in ((), ("rows",)))
    y = jax.device_put(jnp.ones(8), whole)
    for sharding, dtype in ((whole, "float32"), (rows, "float32"), (rows, "bfloat16")):
        add(jax.device_put(jnp.ones(8, dtype), sharding), y)
    (_, trace) = add.traces
    assert [(change.path, change.kind) for change in trace.changes] == [
        ("x", "dtype"),
        ("x", "sharding"),
    ]
    assert trace.changes[1].before == "P() on rows: 8"
    assert trace.changes[1].after == "P('rows',) on rows: 8"
