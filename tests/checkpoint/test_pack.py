# mypy: disable-error-code="operator, misc, arg-type, no-untyped-call"
"""`pack` and `unpack` round-trip every state, with exact static values."""

import hashlib
import importlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from codegen.runtime.checkpoint import pack, unpack
from tests.checkpoint.foreign import DOUBLE, MAPPED, TRIPLE, Node, Options, Pair, heating, masking
from tests.checkpoint.on_eight_devices import make_plate
from tests.generated.package import Package, forget, rendered, write

NAN = float("nan")
LONG = 10**5000
STATICS: list[dict[str, Any]] = [
    {},
    {
        "number": 2**200,
        "real": NAN,
        "both": complex(-0.0, NAN),
        "flag": True,
        "text": "\ud83d\u00e9",
    },
    {"number": -(2**53) - 1, "real": -0.0, "data": bytes(range(256)), "maybe": 3, "mode": True},
    {
        "real": float("inf"),
        "mode": 1,
        "kind": jnp.bfloat16,
        "table": np.arange(6, dtype=np.float32).reshape(2, 3),
    },
    {"real": 5e-324, "items": (1, 2), "pair": (7, "x"), "names": frozenset("abc")},
    {"anything": (1, True, 1.0, -0.0, None, "1", b"1", range(0, 4, 2), ((),))},
    {"anything": Pair(1, (2, 3))},
    {"anything": (1, (2, 3))},
    {"anything": frozenset({1, "1", None, (1.5, 2j)})},
    {"anything": np.float32(1)},
    {"anything": np.arange(4, dtype=np.int8)},
    {"anything": np.zeros((0, 3), jnp.bfloat16)},
    {"options": Options(0.5, ("a", "b"))},
]


def _statics(values: Any, given: dict[str, Any]) -> Any:
    return values.Statics(**given)


def _everything(values: Any) -> Any:
    """Create a state with a value of each kind."""
    blocks = [values.Block(w=jnp.full((2, 3), i, jnp.float32), count=i) for i in range(2)]
    return values.State(
        blocks=tuple(blocks),
        rng=jax.random.key(3, impl="rbg"),
        t=0.25,
        extras={"b": jnp.arange(2.0), "a": jnp.zeros(2)},
        anything=[Pair(jnp.int8(1), np.arange(3)), (), {1: None, 2: 2.5}, 3j, np.float64(2)],
        optimiser=optax.adam(0.1).init({"w": jnp.ones((2, 3))}),
        statics=values.Statics(
            scheme=values.Scheme.IMPLICIT, parts=values.Parts.A | values.Parts.B
        ),
    )


def _same(one: Any, other: Any) -> None:
    """Check that two states cannot be distinguished."""
    assert jax.tree.structure(one) == jax.tree.structure(other)
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        assert type(a) is type(b)
        assert jax.typeof(a) == jax.typeof(b)
        data = [jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x
                for x in (a, b) if hasattr(x, "dtype")] or [a, b]  # fmt: skip
        assert np.array_equal(*data, equal_nan=np.asarray(data[0]).dtype.kind in "fc")


def _changed(about: str, change: Any) -> str:
    """Return a changed document with a recomputed digest."""
    document = json.loads(about)
    document.pop("sha256")
    change(document)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f'{text[:-1]},"sha256":"{digest}"}}'


def test_every_static_value_round_trips_exactly(values: Any, checkpoint: Any) -> None:
    for given in STATICS:
        made = _statics(values, given)
        packed = checkpoint.pack(made)
        assert packed.arrays == {}
        assert checkpoint.unpack(values.Statics, {}, packed.about) is not None
        back = checkpoint.unpack(values.Statics, {}, packed.about)
        # Each exact combination of values has one trace key object.
        assert back.__codegen_key__ is made.__codegen_key__
        assert checkpoint.pack(back).about == packed.about


def test_value_equal_to_the_default_is_saved_exactly(values: Any, checkpoint: Any) -> None:
    given: list[dict[str, Any]] = [
        {"one": True}, {"none": False}, {"none": (0.0, -0.0)}, {"items": (True, False)},
        {"names": frozenset({True})}, {"mode": True},
    ]  # fmt: skip
    for one in given:
        levels = values.Levels((1.0,) * 5, equal=values.Equal(**one))
        packed = checkpoint.pack(levels)
        back = checkpoint.unpack(values.Levels, *packed)
        assert repr(back) == repr(levels)
        assert checkpoint.pack(back).about == packed.about
        data = checkpoint.to_dict(levels.equal) if "names" not in one else {"names": [True]}
        assert repr(checkpoint.from_dict(values.Equal, data)) == repr(levels.equal)
        with pytest.raises(checkpoint.CheckpointError, match=r"`equal\.\w+(\[\d\])?` was saved as"):
            checkpoint.unpack(values.Levels, *packed, like=values.Levels((1.0,) * 5))


def test_different_values_have_different_texts(values: Any, checkpoint: Any) -> None:
    ones = [1, True, 1.0, 1 + 0j, np.float32(1), np.int32(1), (1,), "1", b"1", np.float64(1),
            np.ones(1), np.ones(()), range(1), frozenset({1}), Pair(1, 1), (1, 1)]  # fmt: skip
    texts = {checkpoint.pack(values.Statics(anything=one)).about for one in ones}
    assert len(texts) == len(ones)


def test_state_round_trips(values: Any, checkpoint: Any) -> None:
    state = _everything(values)
    packed = checkpoint.pack(state)
    assert list(packed.arrays)[:3] == ["blocks[0].w", "blocks[0].count", "blocks[1].w"]
    assert "extras['a']" in packed.arrays
    assert "t" not in packed.arrays
    back = checkpoint.unpack(values.State, packed.arrays, packed.about)
    _same(state, back)
    assert checkpoint.pack(back).about == packed.about
    # Arrays from a file are NumPy arrays.
    plain = {path: np.asarray(array) for path, array in packed.arrays.items()}
    _same(state, checkpoint.unpack(values.State, plain, packed.about))


def test_tuple_of_a_type_parameter_round_trips(values: Any, checkpoint: Any) -> None:
    """The last part of `tuple[f32, T]` is a type, and not a length."""
    weighted = values.Weighted((jnp.float32(1.0), _everything(values)))
    packed = checkpoint.pack(weighted)
    assert checkpoint.unpack(values.Weighted, *packed) == weighted


def test_class_without_fields_round_trips(values: Any, checkpoint: Any) -> None:
    packed = checkpoint.pack(values.Nothing())
    assert checkpoint.unpack(values.Nothing, {}, packed.about) == values.Nothing()

    def share(document: Any) -> None:
        document["classes"]["values.Nothing"]["shares"] = ["a b"]

    about = _changed(packed.about, share)
    assert checkpoint.unpack(values.Nothing, {}, about) == values.Nothing()


def test_weak_types_batches_and_abstract_states_round_trip(values: Any, checkpoint: Any) -> None:
    state = values.State(blocks=(), rng=jax.random.key(0), t=jnp.asarray(1.5))
    batch = jax.vmap(lambda k: state.replace(rng=k, t=2 * state.t))(
        jax.random.split(jax.random.key(1), 3)
    )
    for one in (state, batch, jax.eval_shape(lambda: state), jax.tree.map(lambda x: x, batch)):
        packed = checkpoint.pack(one)
        back = checkpoint.unpack(values.State, packed.arrays, packed.about)
        assert jax.tree.structure(one) == jax.tree.structure(back)
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(back), strict=True):
            assert jax.typeof(a) == jax.typeof(b)
    files = {path: np.asarray(array) for path, array in checkpoint.pack(batch).arrays.items()}
    assert checkpoint.unpack(values.State, files, checkpoint.pack(batch).about).t.weak_type


def test_shared_parts_are_saved_once(values: Any, checkpoint: Any) -> None:
    block = values.Block(w=jnp.ones((2, 3)))
    packed = checkpoint.pack(values.Tied(encoder=block, decoder=block))
    assert [*packed.arrays] == ["encoder.w", "encoder.count"]
    back = checkpoint.unpack(values.Tied, packed.arrays, packed.about)
    assert back.encoder is back.decoder
    wrong = _changed(packed.about, lambda d: d["root"][2].update(encoder=["shared"]))
    with pytest.raises(checkpoint.CheckpointError, match="shared"):
        checkpoint.unpack(values.Tied, {}, wrong)


def test_functions_are_restored_from_statics_or_like(values: Any, checkpoint: Any) -> None:
    made = values.Statics(source=heating)
    about = checkpoint.pack(made).about
    with pytest.raises(checkpoint.CheckpointError, match=r"statics=\{'source'"):
        checkpoint.unpack(values.Statics, {}, about)
    given = checkpoint.unpack(values.Statics, {}, about, statics={"source": heating})
    assert given is not made
    assert given == made
    assert checkpoint.unpack(values.Statics, {}, about, like=made) == made
    with pytest.raises(checkpoint.CheckpointError, match=r"`nothing` is in `statics=`"):
        checkpoint.unpack(values.Statics, {}, about, statics={"source": heating, "nothing": 1})


def test_functions_with_equal_texts_must_be_passed(values: Any, checkpoint: Any) -> None:
    one = object()
    for given in ({}, {"act": TRIPLE}, {"heat": MAPPED}, {"anything": one}):
        made = values.Acting(**given)
        packed = checkpoint.pack(made)
        right = {"act": made.act, **({"heat": MAPPED} if "heat" in given else {})}
        right |= {"anything": one} if "anything" in given else {}
        back = checkpoint.unpack(values.Acting, *packed, statics=right)
        assert back == made
        assert checkpoint.unpack(values.Acting, *packed, statics=right, like=made) == made
        for path in right:
            others = {one: value for one, value in right.items() if one != path}
            # Neither the default, nor functions elsewhere in the state, nor `like` may be used.
            for like in ({}, {"like": made}):
                with pytest.raises(checkpoint.CheckpointError, match=f"`{re.escape(path)}` is "):
                    checkpoint.unpack(values.Acting, *packed, statics=others, **like)
        with pytest.raises(TypeError, match="which `to_dict` cannot represent"):
            checkpoint.to_dict(made)
    about = checkpoint.pack(values.Acting()).about
    with pytest.raises(checkpoint.CheckpointError, match=r"`act` was saved as .*and `like` has"):
        checkpoint.unpack(
            values.Acting, {}, about, statics={"act": DOUBLE}, like=values.Acting(act=TRIPLE)
        )


def test_like_checks_static_values_dtypes_and_structure(values: Any, checkpoint: Any) -> None:
    state = values.State(blocks=(), rng=jax.random.key(0), anything=Node(jnp.ones(2), 3))
    packed = checkpoint.pack(state)
    with pytest.raises(checkpoint.CheckpointError, match="which no schema declares"):
        checkpoint.unpack(values.State, packed.arrays, packed.about)
    abstract = jax.eval_shape(lambda: state)
    back = checkpoint.unpack(values.State, packed.arrays, packed.about, like=abstract)
    _same(state, back)
    assert type(back.t) is float
    wrong = abstract.replace(
        statics=values.Statics(real=0.5), anything=Node(jax.ShapeDtypeStruct((2,), jnp.int32), 3)
    )
    with pytest.raises(checkpoint.CheckpointError) as caught:
        checkpoint.unpack(values.State, packed.arrays, packed.about, like=wrong)
    assert [text.split("`")[1] for text in caught.value.differences] == [
        "anything.value",
        "statics.real",
    ]
    said = "`statics.real` was saved as 0.0, and `like` has 0.5"
    assert caught.value.differences[1] == said


def test_difference_does_not_print_a_whole_configuration(values: Any, checkpoint: Any) -> None:
    table = np.arange(8, dtype=np.float32)
    made = values.Statics(
        options=Options(0.5, ("a",) * 99),
        table=table,
        items=(1, 2),
        text="x" * 999,
        anything=LONG,
        names=frozenset("ab"),
    )
    packed = checkpoint.pack(made)
    for other, said in (
        (
            {"options": Options(0.25, ("a",) * 99)},
            "options.rate` was saved as 0.5, and `like` has 0.25",
        ),
        ({"options": None}, "options` was saved as an `Options`, and `like` has None"),
        ({"table": table * 2}, "has float32[8], first at [1]: 1.0 != 2.0"),
        (
            {"items": (1, 2, 3)},
            "items` was saved as a tuple of length 2, and `like` has a tuple of length 3",
        ),
        ({"items": (1, 3)}, "items[1]` was saved as 2, and `like` has 3"),
        ({"names": frozenset("az")}, "has a frozenset of length 2, with 'z' instead of 'b'"),
        ({"names": frozenset("abc")}, "has a frozenset of length 3, with 'c' instead of nothing"),
        ({"text": "y" * 999}, "has 'yyy"),
        ({"anything": LONG + 1}, "anything` was saved as <int>, and `like` has <int>"),
        ({"anything": np.float32(1)}, "and `like` has float32[]"),
    ):
        with pytest.raises(checkpoint.CheckpointError) as caught:
            checkpoint.unpack(values.Statics, *packed, like=made.replace(**other))
        assert len(caught.value.differences) == 1
        assert said in caught.value.differences[0]
        assert len(caught.value.differences[0]) < 200
    keys = {f"key{i}": jnp.zeros(1) for i in range(99)}
    state = values.State(blocks=(), rng=jax.random.key(0), extras=keys)
    like = state.replace(extras={**keys, "more": jnp.zeros(1)})
    with pytest.raises(checkpoint.CheckpointError, match="`like` has a dict with the keys 'more'"):
        checkpoint.unpack(values.State, *checkpoint.pack(state), like=like)


def test_difference_of_a_long_table_is_shortened(values: Any, checkpoint: Any) -> None:
    packed = checkpoint.pack(values.Statics(items=tuple(range(500))))
    with pytest.raises(checkpoint.CheckpointError) as caught:
        checkpoint.unpack(values.Statics, *packed, like=values.Statics(items=(7,) * 500))
    *first, last = caught.value.differences
    assert first[0] == "`items[0]` was saved as 0, and `like` has 7"
    assert len(first) == 20
    assert last == (
        "`items` was saved as a tuple of length 500, and `like` has a tuple of length 500, "
        "with 479 more differences"
    )


def test_like_of_another_optimiser_is_an_error_that_names_both(
    values: Any, checkpoint: Any
) -> None:
    model = values.Model(w=jnp.ones(2), b=jnp.ones(2))
    packed = checkpoint.pack(values.Training(model, optax.adam(0.1).init(model)))
    like = values.Training(model, optax.sgd(0.1).init(model))
    with pytest.raises(checkpoint.CheckpointError, match=r"ScaleByAdamState.*EmptyState"):
        checkpoint.unpack(values.Training, *packed, like=like)


def test_like_is_compared_in_all_its_parts(values: Any, checkpoint: Any) -> None:
    key = jax.random.key(0)
    extras = {"a": jnp.zeros(2)}
    state = values.State(blocks=(), rng=key, t=0.25, extras=extras, anything=(1.5, [jnp.ones(2)]))
    packed = checkpoint.pack(state)

    def held(field: str, other: Any) -> Any:
        like = jax.tree.map(lambda leaf: leaf, state)
        object.__setattr__(like, field, other)
        return checkpoint.unpack(values.State, *packed, like=like)

    # A Python number and an array of its kind are interchangeable.
    for t in (1.0, jnp.float32(1), jax.ShapeDtypeStruct((), jnp.float32)):
        _same(state, held("t", t))
    number = checkpoint.pack(state.replace(t=jnp.asarray(0.25)))
    assert checkpoint.unpack(values.State, *number, like=state).t == 0.25
    sharding = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    _same(state, held("rng", sharding))
    for field, others in {
        "t": (1, True, None, jnp.ones(1)), "extras": (None, {}, {"b": extras["a"]}), "rng": (3,),
        "anything": (None, sharding, (1.5,), [1.5, [jnp.ones(2)]], (1.5, (jnp.ones(2),)), (1.5, None)),
    }.items():  # fmt: skip
        for other in others:
            with pytest.raises(checkpoint.CheckpointError, match=rf"`{field}.* and `like` has"):
                held(field, other)


def test_masked_states_round_trip(values: Any, checkpoint: Any) -> None:
    model = values.Model(jnp.ones(3), jnp.ones(3))
    training = values.Training(model, masking().init(model))
    expected = values.descend.keep(values.descend.keep(training))
    training = values.descend(training)
    packed = checkpoint.pack(training)
    back = checkpoint.unpack(values.Training, packed.arrays, packed.about)
    _same(training, back)
    _same(training, checkpoint.unpack(values.Training, *packed, like=jax.eval_shape(lambda: back)))
    assert all(values.descend.donation(back).values())
    _same(values.descend(back), expected)
    assert len(values.descend.traces) == 2  # One for `keep`.


def test_every_difference_is_listed(values: Any, checkpoint: Any) -> None:
    packed = checkpoint.pack(_everything(values))
    arrays = {**packed.arrays, "blocks[0].w": np.zeros((2, 3), np.float64), "more": np.zeros(1)}
    del arrays["rng"]
    arrays["blocks[1].w"] = np.zeros((3, 2), np.float32)
    with pytest.raises(checkpoint.CheckpointError) as caught:
        checkpoint.unpack(values.State, arrays, packed.about)
    paths = [text.split("`")[1] for text in caught.value.differences]
    assert paths == ["blocks[0].w", "blocks[1].w", "more", "rng"]


def test_bytes_are_not_read_as_another_dtype(values: Any, checkpoint: Any) -> None:
    half = optax.adam(0.1).init({"w": jnp.arange(6, dtype=jnp.bfloat16)})
    state = _everything(values).replace(optimiser=half)
    packed = checkpoint.pack(state)
    path = "optimiser[0].mu['w']"
    # `np.load` returns this dtype for bfloat16.
    plain = {**packed.arrays, path: np.asarray(packed.arrays[path]).view("V2")}
    _same(state, checkpoint.unpack(values.State, plain, packed.about))
    for name, wrong in (
        ("blocks[0].w", np.ones((2, 6), jnp.bfloat16)),
        ("blocks[0].w", np.ones((2, 3), "V4")),
        (path, np.ones(3, "V4")),
        (path, np.ones(6, jnp.float8_e4m3fn)),
    ):
        with pytest.raises(checkpoint.CheckpointError, match="was given"):
            checkpoint.unpack(values.State, {**packed.arrays, name: wrong}, packed.about)


def test_arrays_of_another_byte_order_are_converted(values: Any, checkpoint: Any) -> None:
    state = values.State(
        blocks=(), rng=jax.random.key(0), anything=(np.arange(3.0), jnp.arange(3.0), np.int32(7))
    )
    arrays, about = checkpoint.pack(state)
    swapped = {
        path: np.asarray(one).astype(np.asarray(one).dtype.newbyteorder(">"))
        for path, one in arrays.items()
    }
    _same(state, checkpoint.unpack(values.State, swapped, about))


def test_files_store_every_dtype(values: Any, checkpoint: Any) -> None:
    names = ("int4", "uint4", "int2", "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "bfloat16")
    arrays = {name: jnp.array([-1, 0, 1, 3.0]).astype(name) for name in names}
    state = values.State(
        blocks=(), rng=jax.random.key(0),
        anything=(arrays, {name: np.asarray(one) for name, one in arrays.items()}, jnp.asarray(0.5)),
    )  # fmt: skip
    packed = checkpoint.pack(state)
    assert {one.dtype.name for one in packed.arrays.values()} <= {
        "uint8", "uint32", "float32", "bfloat16",
    }  # fmt: skip
    file = io.BytesIO()
    np.savez(file, **packed.arrays)
    file.seek(0)
    loaded = dict(np.load(file))
    for each in (loaded, {**loaded, "anything[0]['int4']": arrays["int4"]}):
        _same(state, checkpoint.unpack(values.State, each, packed.about))
    abstract = jax.eval_shape(lambda: state.replace(anything=arrays))
    back = checkpoint.unpack(values.State, *checkpoint.pack(abstract))
    assert jax.tree.leaves(back) == jax.tree.leaves(abstract)
    with jax.enable_x64(True):
        _same(state, checkpoint.unpack(values.State, loaded, packed.about))


SCHEMA = """
from typing import Any
from codegen.schema import dynamic, static
from generated.heat import Grid, Plate
class Holder:
    plate: dynamic[Plate]
    grid: static[Grid]
    anything: dynamic[Any] = None
"""


def test_objects_of_another_package_round_trip(package: Package, tmp_path: Path) -> None:
    (tmp_path / "holding.pyi").write_text(SCHEMA)
    files = rendered(tmp_path, runtime="package")  # as that of `generated`
    holding = write(files, package.folder.parent, "holding").load("holding")
    plate = make_plate()
    holder = holding.Holder(plate=plate, grid=plate.grid, anything=(plate,))
    packed = pack(holder)
    assert unpack(holding.Holder, *packed) == holder
    assert unpack(holding.Holder, *packed, like=jax.eval_shape(lambda: holder)) == holder
    forget("holding")


def test_objects_created_before_a_reload_are_saved(values: Any, checkpoint: Any) -> None:
    names = dict(vars(values))
    state = _everything(values)
    tied = values.Tied(encoder=state.blocks[0], decoder=state.blocks[0])
    try:
        importlib.reload(values)
        for one in (state, tied):
            packed = checkpoint.pack(one)
            back = checkpoint.unpack(getattr(values, type(one).__name__), *packed)
            assert type(back) is not type(one)
            assert checkpoint.pack(back).about == packed.about
    finally:
        # The other tests continue with the original classes.
        vars(values).update(names)


def test_single_part_is_unpacked(values: Any, checkpoint: Any) -> None:
    packed = checkpoint.pack(_everything(values))
    block = checkpoint.unpack(values.Block, packed.arrays, packed.about, at="blocks[1]")
    assert int(block.count) == 1
    with pytest.raises(checkpoint.CheckpointError, match=r"^nothing was saved at"):
        checkpoint.unpack(values.Block, packed.arrays, packed.about, at="blocks[2]")
    with pytest.raises(checkpoint.CheckpointError, match="does not accept"):
        checkpoint.unpack(values.Grid, packed.arrays, packed.about, at="blocks[1]")
    for said in ("donated )(", "donated " + "(" * 9999, "donated " + "-" * 9999):
        about = packed.about.replace('"t":"dynamic float"', f'"t":"{said}"')
        about = _changed(about, lambda _: None)
        with pytest.raises(checkpoint.CheckpointError, match="`t` was changed from"):
            checkpoint.unpack(values.State, packed.arrays, about)


def test_unsupported_value_is_an_error_that_names_the_path(values: Any, checkpoint: Any) -> None:
    state = values.State(blocks=(), rng=jax.random.key(0))
    with pytest.raises(TypeError, match=r"`anything\[0\]`"):
        checkpoint.pack(state.replace(anything=[object()]))
    for odd in (state.like(None), state.replace(extras={"a": jnp.zeros(2)}).like("label")):
        with pytest.raises(TypeError, match=r"`t`|`rng`|`extras`.* does not accept"):
            checkpoint.pack(odd)

    class Local(values.Grid):
        pass

    with pytest.raises(TypeError, match=r"`anything`: no schema .* its class .*<locals>.Local`"):
        checkpoint.pack(values.Statics(anything=Local(nx=3)))
    for odd, said in (
        (np.arange(3, dtype=">f8"), "arrays of dtype >f8"),
        (np.array("text"), "arrays of dtype <U4"),
        (np.str_("text"), "arrays of dtype <U4"),
        (np.datetime64(1, "s"), r"arrays of dtype datetime64\[s\]"),
        (np.ma.masked_array([1.0, 2.0], [True, False]), "arrays of class MaskedArray"),
        # `unpack` would return an array: only a field that is declared so contains a Ref.
        (jax.new_ref(jnp.ones(2)), "a Ref is not an array"),
    ):
        with pytest.raises(TypeError, match=f"cannot pack `anything`: {said}"):
            checkpoint.pack(state.replace(anything=odd))
    (gone := jnp.zeros(2)).delete()
    with pytest.raises(TypeError, match=r"`extras\['a'\]`: it was deleted"):
        checkpoint.pack(state.replace(extras={"a": gone}))
    with pytest.raises(TypeError, match="it is a tracer"):
        jax.jit(checkpoint.pack)(state)
    with pytest.raises(TypeError, match="is not a generated class"):
        checkpoint.pack({"a": 1})
    with pytest.raises(TypeError, match="`str` is not a generated class"):
        checkpoint.unpack("values.State", {}, checkpoint.pack(state).about)


def test_format_is_unchanged(values: Any, checkpoint: Any) -> None:
    """Saved files must stay readable: a change of this text needs a new format number."""
    about = checkpoint.pack(values.Grid(nx=3, dx=-0.0)).about
    classes, rest = about.split(',"fingerprint":"')
    assert (
        classes == '{"classes":{"values.Grid":{"fields":{"dx":"static float","nx":"static int"}}}'
    )
    root = '["object","values.Grid",{"dx":["float","-0x0.0p+0"],"nx":3}]'
    assert rest[64:].split(',"sha256":"')[0] == f'","format":1,"root":{root}'


SAVE = """
import sys
sys.path[:0] = [{folder!r}, {project!r}]
import jax, jax.numpy as jnp
from checkpointed.values import State, Statics, Scheme
from {checkpoint} import pack
names = frozenset("abcdefgh")
state = State(blocks=(), rng=jax.random.key(0), extras={{"b": jnp.ones(2), "a": jnp.ones(2)}},
              statics=Statics(names=names, anything=frozenset({{1, "x", (2.0,)}})))
print(pack(state).about)
"""


def test_equal_states_have_equal_bytes_in_every_process(values: Any, checkpoint: Any) -> None:
    folder = str(Path(values.__file__).parent.parent)
    project = str(Path(__file__).parents[2])
    code = SAVE.format(folder=folder, project=project, checkpoint=checkpoint.__name__)
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": str(seed), "JAX_PLATFORMS": "cpu"},
            check=True, capture_output=True, text=True,
        ).stdout
        for seed in range(2)
    }  # fmt: skip
    assert len(texts) == 1
    about = texts.pop().strip()
    document = json.loads(about)
    assert list(document) == sorted(document)
    assert list(document)[-1] == "sha256"
    assert " " not in about.replace("f32[nx, ny]", "").split('"root"')[1]


HOSTILE: list[Any] = [
    lambda d: d.update(root=None),
    lambda d: d.update(root=["object"]),
    lambda d: d.update(root=["object", "values.Nothing", {}]),
    lambda d: d.update(classes=[]),
    lambda d: d["classes"]["values.Statics"].update(fields=[]),
    lambda d: d["classes"]["values.Statics"].update(parameters=3),
    lambda d: d["root"][2].update(number=["float", "0x1.0p+0"]),
    lambda d: d["root"][2].update(number=["float", "0x1.0p+99999"]),
    lambda d: d["root"][2].update(number=["int", "0x1"]),
    lambda d: d["root"][2].update(number=["tuple", [[[[[]]]]]]),
    lambda d: d["root"][2].update(number=[[["x"]]]),
    lambda d: d["root"][2].update(number={"a": 1}),
    lambda d: d["root"][2].update(real=["float", "nAn"]),
    lambda d: d["root"][2].update(anything=["enum", "os:system", "A"]),
    lambda d: d["root"][2].update(anything=["dataclass", "subprocess:Popen", {"args": "ls"}]),
    lambda d: d["root"][2].update(anything=["namedtuple", "values:__dict__", {}]),
    lambda d: d["root"][2].update(anything=["named", "os:system"]),
    lambda d: d["root"][2].update(anything=["constant", "float32", [2**52, 0], "AAAA"]),
    lambda d: d["root"][2].update(anything=["constant", "object", [1], "AAAAAAAAAAA="]),
    lambda d: d["root"][2].update(anything=["constant", "float32", [True], "AAAAAA=="]),
    lambda d: d["root"][2].update(anything=["dtype", "O"]),
    lambda d: d["root"][2].update(anything=["dtype", "03501"]),
    lambda d: d["root"][2].update(anything=["frozenset", [1, 1]]),
    lambda d: d["root"][2].update(anything=["range", 1, 2, 0]),
    lambda d: d["root"][2].update(anything=["bytes", "A"]),
    lambda d: d["root"][2].update(scheme=["enum", "values.Scheme", "NOTHING"]),
    lambda d: d["root"][2].update(scheme="explicit"),
    lambda d: d["root"][2].pop("number"),
    lambda d: d["root"][2].update(more=1),
    lambda d: d.update(format=2),
    lambda d: d.update(root=["array", "float32", [1], {}]),
    lambda d: d["root"][2].update(anything=["tuple", {"a": 1}]),
    lambda d: d["root"][2].update(anything=["scalar", "int8", [1], "AA=="]),
    lambda d: d["root"][2].update(rates=["frozendict", [["a", 1], ["a", 2]]]),
]


def test_hostile_documents_are_rejected(values: Any, checkpoint: Any) -> None:
    about = checkpoint.pack(values.Statics()).about
    modules = {*sys.modules}
    for change in HOSTILE:
        with pytest.raises(checkpoint.CheckpointError):
            checkpoint.unpack(values.Statics, {}, _changed(about, change))
    end = about[-80:]
    plain = ["", "{}", about[:-1], about.replace("values.Grid", "values.Grit"), "[" * 10**5 + end,
             about.replace(":0,", ":-0,"), about + " ", " " + about, "\ud800" + about]  # fmt: skip
    for text in [*plain, None, about.encode()]:
        with pytest.raises(checkpoint.CheckpointError):
            checkpoint.unpack(values.Statics, {}, text)
    for body in [
        "[" * 10**5 + "]" * 10**5,
        '{"a":1,"a":2}',
        '{"a":NaN}',
        '{"a":1e9}',
        "1",
        '{"a":' + "9" * 5000 + "}",
    ]:
        text = f'{body[:-1]},"sha256":"{hashlib.sha256(body.encode()).hexdigest()}"}}'
        with pytest.raises(checkpoint.CheckpointError):
            checkpoint.unpack(values.Statics, {}, text)
    assert {*sys.modules} == modules
