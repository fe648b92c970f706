# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ARG005
"""Reading, assigning and freezing the fields of a draft."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import DraftError, lift


@pytest.fixture
def state(model):
    return model.State(u=jnp.arange(3.0), rng=jax.random.key(0))


@pytest.fixture
def linear(model):
    return model.Linear(w=jnp.arange(2.0))


@pytest.fixture
def whole(model, linear):
    """An object with every kind of field."""
    other = model.Linear(w=jnp.ones(2))
    return model.Model(
        first=linear,
        layers=(linear, other),
        several=[other],
        named={"a": linear},
        arrays={"x": jnp.zeros(2)},
        pair=(1.0, other),
        layer=model.Shift(by=2.0),
        anything={"inside": linear},
        grid=model.Grid(nx=4),
    )


def test_freeze_without_changes_returns_an_equal_object(whole, state):
    assert whole.draft().freeze() == whole
    frozen = state.draft().freeze()
    assert frozen == state
    assert frozen.u is state.u


def test_fields_convert_as_the_constructor_does(state):
    draft = state.draft()
    draft.t = 1
    draft.count = np.int32(3)
    draft.u = np.ones(3, np.float32)
    draft.t += 0.5
    assert isinstance(draft.count, jax.Array)
    assert (draft.t.dtype, float(draft.t), int(draft.count)) == (jnp.float32, 1.5, 3)
    assert draft.freeze().u.tolist() == [1, 1, 1]
    assert (float(state.t), int(state.count)) == (0, 0)


@pytest.mark.parametrize(
    ("field", "value", "expected", "found"),
    [
        ("t", jnp.ones((), jnp.int32), "float32", r"int32\[\]"),
        ("t", np.float64(1.0), "float32", "float64"),
        ("u", jnp.ones(3, jnp.bfloat16), "float32", r"bfloat16\[3\]"),
        ("count", jnp.ones(()), "int32", r"float32\[\]"),
        ("count", 1.5, "int32", "1.5"),
        ("rng", jnp.zeros(2, jnp.uint32), "key", "uint32"),
        ("u", jax.random.key(0), "float32", "key<fry>"),
        ("u", [1.0, 2.0], "float32", r"\[1.0, 2.0\]"),
        ("u", None, "float32", "None"),
        ("u", "x", "float32", "'x'"),
    ],
)
def test_assigning_another_dtype_is_an_error_that_names_the_field(
    state, field, value, expected, found
):
    draft = state.draft()
    before = getattr(draft, field)
    with pytest.raises(TypeError, match=rf"`State\.{field}` takes .*{expected}.*{found}"):
        setattr(draft, field, value)
    assert getattr(draft, field) is before


def test_scalar_of_another_dtype_is_rejected(model):
    draft = model.Counter().draft()
    message = r"`Counter\.{}` takes an? `{}` or a 0-d array of that kind( or None)?, but was given"
    for name, kind, value in (
        ("whole", "int", 2.5),
        ("real", "float", 1j),
        ("maybe", "int", True),
        ("flag", "bool", 1),
    ):
        with pytest.raises(TypeError, match=message.format(name, kind)):
            setattr(draft, name, jnp.asarray(value))

    @jax.jit
    def counted(counter):
        inner = counter.draft()
        inner.whole += 1
        inner.real = inner.real + jnp.int32(1)
        with pytest.raises(TypeError, match=message.format("whole", "int")):
            inner.whole += 1.5
        return inner.freeze()

    frozen = counted(model.Counter(whole=1, real=0.5))
    assert (int(frozen.whole), float(frozen.real)) == (2, 1.5)
    frozen.check()


def test_nested_drafts_write_to_the_outer_object(model, whole):
    draft = whole.draft()
    draft.first.b += 1
    draft.layers[1].at.w[0] = 7.0
    draft.several[0].b = 3.0
    draft.named["a"].b = 4.0
    draft.pair[1].b = 5.0
    draft.layer.scale *= 3
    assert type(draft.layer) is model.Shift.Draft
    frozen = draft.freeze()
    assert float(frozen.first.b) == 1
    assert float(frozen.layers[0].b) == 0, "aliasing that is not declared is not kept"
    assert frozen.layers[1].w.tolist() == [7, 1]
    assert [float(frozen.several[0].b), float(frozen.named["a"].b)] == [3, 4]
    assert [float(frozen.pair[1].b), float(frozen.layer.scale)] == [5, 3]
    assert frozen.anything == whole.anything


CHANGES = {
    "append": ("several", lambda draft: draft.several.append(draft.first)),
    "clear": ("several", lambda draft: draft.several.clear()),
    "replace": ("several", lambda draft: draft.several.__setitem__(0, draft.first)),
    "add a key": ("arrays", lambda draft: draft.arrays.update(y=jnp.ones(2))),
    "replace at a key": ("arrays", lambda draft: draft.arrays.update(x=jnp.ones(2))),
    "remove a key": ("arrays", lambda draft: draft.arrays.clear()),
}
NOTICED = {
    "freeze": lambda draft, name: draft.freeze(),
    "read": getattr,
    "lift": lambda draft, name: lift.jit(lambda lent: None)(draft),
}


@pytest.mark.parametrize("notice", NOTICED.values(), ids=NOTICED)
@pytest.mark.parametrize(("name", "change"), CHANGES.values(), ids=CHANGES)
def test_in_place_change_of_a_container_is_an_error(whole, name, change, notice):
    draft = whole.draft()
    change(draft)
    with pytest.raises(DraftError, match=rf"`Model\.{name}` is a copy.*`draft\.{name} ="):
        notice(draft, name)


def test_containers_are_read_as_copies_and_assigned_whole(whole, linear):
    draft = whole.draft()
    assert draft.several is draft.several
    assert draft.several is not whole.several
    draft.arrays = {"y": jnp.ones(3)}
    draft.several = [linear, draft.first]
    draft.layers = (draft.layers[1], linear, *draft.layers[:1])
    frozen = draft.freeze()
    assert list(frozen.arrays) == ["y"]
    assert [item.w.tolist() for item in frozen.layers] == [[1, 1], [0, 1], [0, 1]]
    assert len(frozen.several) == 2
    with pytest.raises(TypeError, match=r"`Model\.arrays\['y'\]` takes an array of float32"):
        whole.draft().arrays = {"y": jnp.ones(3, jnp.int32)}


def test_part_of_another_class_or_none_changes_the_structure(model, whole):
    draft = whole.draft()
    old = draft.layer
    draft.layer = model.Stretch(scale=4.0)
    draft.extra = whole.first
    with pytest.raises(
        DraftError, match=r"`Shift\.by` was read, but this draft ended when another"
    ):
        _ = old.by
    frozen = draft.freeze()
    assert isinstance(frozen.layer, model.Stretch)
    assert frozen.extra == whole.first
    draft = frozen.draft()
    draft.extra = None
    assert draft.freeze().extra is None


def test_part_of_a_wrong_class_is_rejected(model, state, whole):
    for value in (state, state.draft(), None, 1.0):
        with pytest.raises(TypeError, match=r"`Model\.first` takes a `Linear`"):
            whole.draft().first = value
    narrow = model.NarrowHolder(part=model.Bilinear(w=jnp.ones(2), v=jnp.ones(2)))
    with pytest.raises(TypeError, match=r"`NarrowHolder\.part` takes a `Bilinear`"):
        narrow.draft().part = whole.first
    holder = model.Holder(part=whole.first).draft()
    holder.part = narrow.part
    assert isinstance(holder.freeze().part, model.Bilinear)


def test_subclasses_derive_from_the_drafts_of_their_bases(model):
    assert issubclass(model.Bilinear.Draft, model.Linear.Draft)
    assert issubclass(model.Shift.Draft, model.Layer.Draft)
    draft = model.Bilinear(w=jnp.ones(2), v=jnp.ones(2)).draft()
    draft.at.w[0] = 0.0
    draft.at.v[1] = 0.0
    assert [draft.w.tolist(), draft.v.tolist(), float(draft.b)] == [[0, 1], [1, 0], 1]


def test_only_arrays_have_items(model, whole):
    draft = whole.draft()
    for name in ("layers", "several", "named", "arrays"):
        held = getattr(draft.at, name)
        with pytest.raises(
            DraftError, match=rf"`Model\.{name}` is not an array, .* the whole value"
        ):
            held[0] = 1.0
        with pytest.raises(DraftError, match=rf"`draft\.{name} = \.\.\.`"):
            held[0] += 1.0
    with pytest.raises(
        DraftError, match=r"`Model\.first` is not an array, .*`draft\.first\.at\.FIELD"
    ):
        draft.at.first[0] = 1.0
    assert draft.freeze() == whole


def test_drafts_of_recursive_classes(model, drafted):
    leaf = model.Tree(value=1.0)
    late = drafted.late.Late(tree=leaf, trees=[leaf])
    draft = model.Tree(value=2.0, children=(leaf,), late=late).draft()
    draft.children[0].value += 1
    draft.children = (*draft.children, leaf)
    draft.late.trees[0].value = 9.0
    draft.late.tree = model.Tree(value=4.0)
    frozen = draft.freeze()
    assert [float(tree.value) for tree in frozen.children] == [2, 1]
    assert float(frozen.late.trees[0].value) == 9
    assert float(frozen.late.tree.value) == 4
    with pytest.raises(TypeError, match=r"`Late\.tree` takes a `Tree`"):
        late.draft().tree = late


def test_value_of_a_type_parameter_is_a_nested_draft(model, linear):
    draft = model.Box((linear, {"a": linear})).draft()
    draft.item[0].at.w[0] = 5.0
    draft.item[1]["a"].b = jnp.zeros_like(linear.b)
    first = draft.item[0]
    draft.item = (linear, *draft.item[1:])
    first.at.w[1] = 7.0
    one, rest = draft.freeze().item
    assert one.w.tolist() == linear.w.at[1].set(7.0).tolist()
    assert rest["a"].w.tolist() == linear.w.tolist()
    assert not rest["a"].b.any()
    draft = model.Box(jnp.zeros(2)).draft()
    draft.at.item[0] += 1
    assert draft.freeze().item.tolist() == [1, 0]


def test_static_fields_are_read_only(state, whole):
    draft = state.draft()
    assert draft.size == 3
    assert whole.draft().grid is whole.grid
    with pytest.raises(AttributeError, match=r"`State\.size` is static.*replace\(size"):
        draft.size = 4


def test_unknown_attribute_is_an_error_that_lists_the_fields(state):
    draft = state.draft()
    with pytest.raises(AttributeError, match=r"has no `v`\. It has `u`, `t`, `count`, `rng`"):
        draft.v = 1.0
    with pytest.raises(AttributeError, match="has no `v`"):
        _ = draft.v
    with pytest.raises(AttributeError, match="no array `v`"):
        _ = draft.at.v
    with pytest.raises(AttributeError, match=r"`draft\.at\.u\[i\]"):
        draft.at.u = 1.0
    with pytest.raises(AttributeError):
        del draft.u


# --- keys


def test_next_key_is_equal_to_jax_random_split(state):
    draft = state.draft()
    rng, key = jax.random.split(state.rng)
    assert draft.next_key() == key
    assert draft.rng == rng
    assert draft.next_key() == jax.random.split(rng)[1]


def test_key_streams_in_separate_fields_are_independent(model):
    streams = model.Streams(dropout=jax.random.key(1), noise=jax.random.key(2))
    alone = streams.draft().next_key(field="noise")
    draft = streams.draft()
    for _ in range(3):
        draft.next_key(field="dropout")
    assert draft.next_key("noise") == alone
    one, other = (rf'`draft\.next_key\(field="{name}"\)`' for name in ("dropout", "noise"))
    with pytest.raises(
        DraftError, match=f"`Streams` does not contain a single key, .*{one} or {other}"
    ):
        draft.next_key()
    with pytest.raises(
        DraftError, match=rf"`Streams\.other` does not contain a single key, .*{one} or"
    ):
        draft.next_key(field="other")


def test_keys_that_cannot_be_split(model, linear):
    keys = model.Keys(many=jax.random.split(jax.random.key(0), 4))
    with pytest.raises(DraftError, match=r"`Keys` does not contain a single key"):
        keys.draft().next_key()
    with pytest.raises(DraftError, match=r"`Linear` does not contain a single key.*: declare `rng"):
        linear.draft().next_key()
    draft = keys.draft()
    draft.maybe = jax.random.key(3)
    assert draft.next_key(field="maybe") == jax.random.split(jax.random.key(3))[1]


# --- shared parts


@pytest.fixture
def tied(model):
    table = model.Table(rows=jnp.arange(3.0))
    return model.Tied(table, model.Coder(table), model.Coder(table))


def is_shared(tied):
    return tied.table is tied.encoder.table is tied.decoder.table


@pytest.mark.parametrize("path", ["table", "encoder.table", "decoder.table"])
def test_write_to_a_shared_part_is_visible_at_all_paths(tied, path):
    draft = tied.draft()
    part = draft
    for name in path.split("."):
        part = getattr(part, name)
    part.rows = part.rows + 1
    part.at.rows[0] = 9.0
    assert draft.decoder.table is draft.table
    frozen = draft.freeze()
    assert is_shared(frozen)
    assert frozen.table.rows.tolist() == [9, 2, 3]


def test_replacing_a_shared_part_changes_all_paths(model, tied):
    new = model.Table(rows=jnp.ones(3))
    draft = tied.draft()
    draft.decoder.table = new
    assert draft.table.rows.tolist() == [1, 1, 1]
    draft.encoder = model.Coder(model.Table(rows=jnp.zeros(3)))
    draft.decoder.table.at.rows[1] = 5.0
    frozen = draft.freeze()
    assert is_shared(frozen)
    assert frozen.table.rows.tolist() == [0, 5, 0]


def test_sharing_through_a_nested_class_that_shares(model, tied):
    outer = model.Outer(table=tied.table, tied=tied)
    draft = outer.draft()
    draft.tied = outer.tied.replace(table=model.Table(rows=jnp.ones(3)))
    draft.table.at.rows[0] = 4.0

    def write(draft):
        draft.tied.decoder.table.at.rows[2] = 6.0

    lift.jit(write)(draft)
    assert draft.tied.encoder.table is draft.table
    frozen = draft.freeze()
    assert is_shared(frozen.tied)
    assert frozen.tied.table is frozen.table
    assert frozen.table.rows.tolist() == [4, 1, 6]


def test_a_shared_array(model, linear):
    pair = model.Pair(u=linear.w, linear=linear)
    draft = pair.draft()
    draft.linear.at.w[0] = 5.0
    assert draft.u is draft.linear.w
    frozen = draft.freeze()
    assert frozen.u is frozen.linear.w
    assert frozen.u.tolist() == [5, 1]


# --- freezing, and objects from before


def test_consumed_fields_pass_through(model, state):
    new = model.advance(state, 0.5)
    draft = state.draft()
    with pytest.raises(RuntimeError, match=r"`State\.u` was consumed by `advance`"):
        _ = draft.u + 1
    with pytest.raises(RuntimeError, match=r"`State\.u` was consumed by `advance`"):
        draft.at.u[0] = 1.0
    draft.u = new.u
    assert draft.freeze().u.tolist() == [0.5, 1.5, 2.5]
    stream = model.Stream(jax.random.key(0))
    model.drawn(stream)
    with pytest.raises(RuntimeError, match=r"`Stream\.rng` was consumed by `drawn`"):
        stream.draft().next_key()


def test_donating_function_inside_a_lift_donates_nothing(model, state):
    def twice(draft):
        now = model.State(u=draft.u, t=draft.t, count=draft.count, rng=draft.rng)
        draft.u = model.advance(now, 0.5).u + draft.u

    draft = state.draft()
    lift.jit(twice)(draft)
    assert draft.u.tolist() == [0.5, 2.5, 4.5]
    assert not state.u.is_deleted()


def test_leaves_that_are_not_arrays_pass_through(state):
    """JAX itself replaces leaves by other objects at times."""
    leaves, treedef = jax.tree.flatten(state)
    marks = [object() for _ in leaves]
    draft = jax.tree.unflatten(treedef, marks).draft()
    assert jax.tree.leaves(draft.freeze()) == marks
    abstract = jax.eval_shape(lambda: state).draft()
    assert abstract.u.shape == (3,)
