# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ARG005
"""Invalid uses of a draft are errors that name the field and the alternative."""

import copy
import functools
import pickle
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import DraftError, lift

X = jnp.arange(3.0)


@pytest.fixture
def draft(model):
    return model.State(u=jnp.arange(3.0), rng=jax.random.key(0)).draft()


# Each entry traces a function of one array, which closes over a draft.
TRACES = {
    "jit": lambda f: jax.jit(f)(X),
    "vmap": lambda f: jax.vmap(f)(X),
    "grad": lambda f: jax.grad(lambda x: f(x).sum())(X),
    "scan": lambda f: jax.lax.scan(lambda carry, x: (carry, f(x)), 0.0, X),
    "while_loop": lambda f: jax.lax.while_loop(lambda x: x.sum() < 9, lambda x: f(x) + 1, X),
    "cond": lambda f: jax.lax.cond(True, f, f, X),
    "checkpoint": lambda f: jax.checkpoint(f)(X),
    "eval_shape": lambda f: jax.eval_shape(f, X),
    "make_jaxpr": lambda f: jax.make_jaxpr(f)(X),
}


@pytest.mark.parametrize("trace", TRACES.values(), ids=TRACES)
@pytest.mark.parametrize(
    ("use", "name", "done"),
    [
        (lambda draft, x: draft.t, r"`State\.t`", "read"),
        (lambda draft, x: setattr(draft, "t", x.sum()), r"`State\.t`", "written"),
        (lambda draft, x: draft.at.u.__setitem__(0, 1.0), r"`State\.u`", "written"),
        (lambda draft, x: draft.at.u[0], r"`State\.u`", "read"),
        (lambda draft, x: draft.size, r"`State\.size`", "read"),
        (lambda draft, x: draft.next_key(), "a draft of `State`", "split"),
        (lambda draft, x: draft.freeze(), "a draft of `State`", "frozen"),
    ],
)
def test_use_in_a_trace_without_passing_the_draft(draft, trace, use, name, done):
    def program(x):
        use(draft, x)
        return x

    package = DraftError.__module__.rpartition(".drafts")[0]
    lift = rf"`lift\.jit\(f\)\(draft\)`.* \(`from {package} import lift`"
    with pytest.raises(DraftError, match=rf"{name} was {done} in another trace .*{lift}"):
        trace(program)
    draft.t += 1.0
    assert float(draft.freeze().t) == 1.0


def test_use_in_another_trace_than_its_own(model, draft):
    made = []

    def program(state):
        made.append(state.draft())
        made[0].t += 1.0
        return made[0].t

    jax.jit(program)(draft.freeze())
    with pytest.raises(
        DraftError, match=r"`State\.t` was read in another trace .*`draft\.freeze\(\)`"
    ):
        _ = made[0].t


def test_use_after_freeze(draft):
    draft.freeze()
    for use in (lambda: draft.t, lambda: setattr(draft, "t", 1.0), lambda: draft.at.t[...]):
        with pytest.raises(
            DraftError, match=r"`State\.t` .*frozen before: create another with `dr"
        ):
            use()
    again = r"a draft of `State` was frozen, but the whole draft was frozen before: create another"
    with pytest.raises(DraftError, match=again):
        draft.freeze()


def test_use_while_passed_to_a_lift(draft):
    def closes_over(inner):
        return draft.t

    with pytest.raises(DraftError, match=r"`State\.t` was read while `lift\.jit` uses"):
        lift.jit(closes_over)(draft)
    with pytest.raises(DraftError, match=r"`State` was frozen while `lift"):
        lift.jit(lambda inner: draft.freeze())(draft)
    assert float(draft.t) == 0.0, "an error ends the loan"


def test_use_after_the_end_of_the_lifted_function(draft):
    kept: list[Any] = []
    lift.jit(kept.append)(draft)
    with pytest.raises(DraftError, match=r"`State\.t` was read, but the draft ended when the fu"):
        _ = kept[0].t


@pytest.mark.parametrize("name", ["jit", "checkpoint", "vmap"])
def test_draft_returned_from_a_lifted_function(draft, name):
    options = {"in_axes": None, "axis_size": 2} if name == "vmap" else {}
    with pytest.raises(DraftError, match=r"a draft of `State` \(of `u`, `t`.*`draft\.freeze\(\)`"):
        getattr(lift, name)(lambda inner: inner, **options)(draft)


@pytest.mark.parametrize("name", [name for name in TRACES if name not in ("while_loop", "grad")])
def test_draft_returned_from_a_traced_function(draft, name):
    state = draft.freeze()
    with pytest.raises(DraftError, match=r"a draft of `State` \(of `u`, `t`, `count`, `rng`\)"):
        TRACES[name](lambda x: [state.draft()])


@pytest.mark.parametrize("transform", [jax.jit, jax.vmap, jax.eval_shape, jax.make_jaxpr])
def test_draft_passed_to_a_plain_transformation(draft, transform):
    called = functools.partial(transform, lambda inner: inner.t)
    call = called if transform is jax.eval_shape else called()
    with pytest.raises(DraftError, match=r"pass the draft first, as in `lift\.jit\(f\)\(draft\)`"):
        call(draft)


def test_draft_copied_or_pickled(draft):
    for use in (copy.copy, copy.deepcopy):
        with pytest.raises(DraftError, match=r"`State` \(of `u`.*was copied"):
            use(draft)
    with pytest.raises(DraftError, match=r"`State` \(of `u`.*was copied or pickled"):
        pickle.dumps(draft)


def test_lift_with_another_object_than_a_draft(draft, model):
    with pytest.raises(TypeError, match=r"first argument of `lift\.scan` must be a draft.*State"):
        lift.scan(lambda inner, x: x, draft.freeze(), X)
    with pytest.raises(TypeError, match=r"cannot create a `State\.Draft` from"):
        model.State.Draft(3)
    with pytest.raises(TypeError, match=r"takes a `Linear`, .*`draft\.freeze\(\)` returns"):
        model.Holder(part=model.Linear(w=X).draft())


def shrink(draft, *_):
    draft.u = draft.u[:2]


@pytest.mark.parametrize("name", ["scan", "while_loop", "cond"])
def test_changed_shape_error_names_the_field(draft, name):
    runs = {
        "scan": lambda: lift.scan(shrink, draft, X),
        "while_loop": lambda: lift.while_loop(lambda inner: inner.t < 1, shrink, draft),
        "cond": lambda: lift.cond(True, shrink, lambda inner: None, draft),
    }
    with pytest.raises(TypeError, match=r"\.u has type float32\[[23]\] .* shapes do not match"):
        runs[name]()
    lift.cond(True, shrink, shrink, draft)
    assert draft.u.shape == (2,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: setattr(d, "extra", d.first), r"draft\.extra is a .*NoneType"),
        (lambda d: setattr(d, "layers", ()), r"draft\.layers is a tuple of length 1"),
        (lambda d: setattr(d, "arrays", {}), r"draft\.arrays is a .*dict.* with 1 child"),
        (lambda d: setattr(d.layers[0], "w", jnp.ones(3)), r"draft\.layers\[0\]\.w has type"),
        (lambda d: setattr(d, "anything", 3), r"draft\.anything has type float32\[\]"),
    ],
)
def test_changed_structure_error_names_the_field(model, change, message):
    linear = model.Linear(w=jnp.ones(2))
    draft = model.Model(
        first=linear,
        layers=(linear,),
        several=[],
        named={},
        arrays={"x": jnp.zeros(2)},
        layer=model.Shift(),
        anything=jnp.float32(1.0),
        grid=model.Grid(nx=4),
    ).draft()
    with pytest.raises(TypeError, match=message):
        lift.scan(lambda inner, x: change(inner), draft, X)


def test_condition_that_writes_is_an_error(draft):
    message = r"`State\.%s` was written, but the condition of `lift\.while_loop` may not write"
    with pytest.raises(DraftError, match=message % "rng"):
        lift.while_loop(lambda inner: inner.next_key() is None, lambda inner: None, draft)
    with pytest.raises(DraftError, match=message % "u"):
        lift.while_loop(lambda inner: inner.at.u.__setitem__(0, 1.0), lambda inner: None, draft)


def test_body_that_returns_a_value_is_an_error(draft):
    with pytest.raises(TypeError, match=r"must return None, but returned a State\.Draft"):
        lift.while_loop(lambda inner: inner.t < 1, lambda inner: inner, draft)


def test_different_parts_at_shared_paths_are_an_error(model):
    tied = [model.Table(rows=jnp.full(3, float(i))) for i in range(2)]
    one, other = (model.Tied(t, model.Coder(t), model.Coder(t)) for t in tied)
    outer = model.Outer(table=one.table, tied=one)
    both = model.Forest(trees=(outer, outer)).draft()
    broken = object.__new__(model.Outer)
    for name, value in (("table", one.table), ("tied", other)):
        object.__setattr__(broken, name, value)
    object.__setattr__(broken, "__codegen_key__", outer.__codegen_key__)
    with pytest.raises(ValueError, match=r"`Forest\.trees`.*table and tied\.encoder\.table"):
        both.trees = (broken, outer)
    assert both.trees[0].table.rows.tolist() == [0, 0, 0]


def trainer(model):
    state = model.State(u=jnp.arange(3.0), rng=jax.random.key(0))
    return model.Trainer(state=state)


def test_items_of_a_part_are_an_error_with_advice(model, draft):
    with pytest.raises(
        AttributeError, match=r"has no attribute `u`\. .* `draft\.state\.at\.u\[\.\.\.\]`"
    ):
        trainer(model).draft().at.state.u[0] = 1.0
    with pytest.raises(AttributeError, match=r"has no attribute `shape`"):
        _ = draft.at.u.shape


def test_deleting_a_field_is_an_error(draft):
    for name in ("t", "size"):
        with pytest.raises(AttributeError, match=rf"`State\.{name}` cannot be deleted"):
            delattr(draft, name)
    with pytest.raises(AttributeError, match=r"a draft of `State` has no `x`\. It has `u`"):
        del draft.x


@pytest.mark.parametrize("in_axes", [0, -1, (0, 0)])
def test_missing_axis_of_a_field_is_an_error(model, in_axes):
    drafted = trainer(model).draft()
    message = (
        r"`Trainer\.state\.t` is float32\[\], and has no axis .*`lift\.vmap`: .*"
        r'`\(obj\.axes\("n"\), \.\.\.\)`'
    )
    with pytest.raises(DraftError, match=message):
        lift.vmap(lambda inner, x: None, in_axes)(drafted, X)
    assert float(drafted.state.t) == 0.0, "an error ends the loan"


def test_raw_uint32_key_is_an_error(draft):
    message = r"`State\.rng` takes an array of keys.*with `jax\.random\.key`, or convert .* `jax\.random\.wrap_key_"
    for key in (jax.random.PRNGKey(0), X):
        with pytest.raises(TypeError, match=message):
            draft.rng = key


def test_next_key_of_a_part_is_an_error_with_advice(model):
    outer = trainer(model)
    with pytest.raises(DraftError, match=r'`Trainer` .*`draft\.state\.next_key\(field="rng"\)`'):
        outer.draft().next_key()
    run = model.Run(trainer=outer).draft()
    with pytest.raises(DraftError, match=r"`draft\.trainer\.state\.next_key\("):
        run.next_key()
