# mypy: disable-error-code="untyped-decorator"
"""Functions that write Refs: what they return, and what is refused before anything runs."""

import copy
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from codegen.runtime import jit
from codegen.runtime.in_place import InPlace
from tests.refs import impl


def make(cache: Any, **changes: Any) -> Any:
    return cache.Cache(**{"k": jnp.ones((3, 2)), "u": jnp.ones(3)} | changes)


@pytest.fixture
def run(cache: Any) -> Iterator[Callable[..., Any]]:
    """Call `run` with an implementation; afterwards nothing that the caller had may be lost."""
    objects: list[Any] = []

    def call(implementation: Any, obj: Any = None) -> Any:
        impl.known["test"] = implementation
        cache.run.clear_cache()
        objects.append(make(cache) if obj is None else obj)
        return cache.run(objects[-1], "test")

    yield call
    for obj in objects:
        assert obj.u.tolist() == [1, 1, 1]
        assert obj.k[...].tolist() == [[1, 1]] * 3


def test_result_has_the_callers_ref(cache: Any) -> None:
    obj = make(cache)
    ref, other = obj.k, make(cache)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # There is no DonationWarning.
        for number in range(1, 4):
            old, obj = obj, cache.step(obj, number - 1)
            assert obj.k is old.k is ref
            assert obj.u.tolist() == [1 + number] * 3
        assert ref[...].tolist() == [[2, 2], [3, 3], [4, 4]]
        assert cache.step.donation(obj, 0) == {"cache.u": True}
        assert cache.step.keep(obj, 0).k is ref
        # In the other order, and with Refs of other objects.
        new, one = cache.both(obj, other)
        assert (new.k, one.k) == (other.k, ref)
        assert other.k[1].tolist() == [3, 3]
    with pytest.raises(RuntimeError, match="consumed"):
        old.u + 1


def test_call_writes_into_the_buffer_of_a_ref(cache: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    obj, other = make(cache), make(cache)
    pointer, early = obj.k.unsafe_buffer_pointer(), obj.k[...]
    for number in range(3):
        obj = cache.step(obj, number)
        cache.peek(obj), cache.step.keep(obj, number)
        assert obj.k.unsafe_buffer_pointer() == pointer
        assert early.tolist() == [[1, 1]] * 3
    x, y = jax.new_ref(jnp.ones(3)), jax.new_ref(jnp.zeros(3))
    pointers = {x.unsafe_buffer_pointer(), y.unsafe_buffer_pointer()}
    for call in (cache.bare, cache.bare.keep):
        call(x, y)
        assert {x.unsafe_buffer_pointer(), y.unsafe_buffer_pointer()} == pointers
    assert (x[...].tolist(), y[...].tolist()) == ([1] * 3, [0] * 3)
    monkeypatch.setattr(InPlace, "_contents", lambda *_: [])  # as if JAX had no such arrays
    for number in range(3):
        other = cache.step(other, number)
        cache.step.keep(other, number)
    assert obj == other
    before = cache.step.traces[-1].number
    monkeypatch.undo()
    assert cache.step(obj, 0).k[0].tolist() == [8, 8]
    assert cache.step.traces[-1].number == before


def test_no_python_runs_between_the_program_and_the_write(cache: Any) -> None:
    """A signal handler, which could raise an error there, runs only between bytecodes."""
    x, y = jax.new_ref(jnp.zeros(3)), jax.new_ref(jnp.ones(3))
    events: list[tuple[str, str, list[float]]] = []

    def note(frame: Any, event: str, arg: Any) -> None:
        name = frame.f_code.co_name if arg is None else getattr(arg, "__name__", "")
        events.append((event, name, x[...].tolist()))

    for call in (cache.bare, cache.bare.keep):
        for _ in range(3):  # Until JAX knows the call, it runs Python. Reading changes a Ref.
            call(x, y)
            assert x[...].tolist() != y[...].tolist()
        events.clear()
        sys.setprofile(note)
        try:
            call(x, y)
        finally:
            sys.setprofile(None)
        contents = [content for *_, content in events]
        written = contents.index(x[...].tolist())
        assert contents[0] != contents[-1]
        assert [each[:2] for each in events[written - 1 : written + 1]] == [
            ("c_call", "extend"),
            ("c_return", "extend"),
        ]


def test_program_that_fails_writes_no_ref(cache: Any) -> None:
    """As in plain JAX, what the program got is deleted. It is not shown as a result."""

    def fail(_: Any) -> Any:
        raise ZeroDivisionError

    def implementation(given: Any) -> Any:
        given.k[0] = jax.pure_callback(fail, jax.ShapeDtypeStruct((2,), "float32"), given.k[0])
        return given.replace(u=given.u + 1)

    impl.known["fail"] = implementation
    obj = make(cache)
    with pytest.raises(jax.errors.JaxRuntimeError, match="ZeroDivisionError"):
        cache.run(obj, "fail")
    for array in (obj.u, obj.k):
        with pytest.raises((RuntimeError, ValueError), match="deleted"):
            array[...] + 1
    assert obj.t == 0


@pytest.mark.parametrize("mode", [jax.debug_nans, jax.debug_infs, jax.disable_jit])
def test_refs_are_written_or_survive_in_modes_of_debugging(cache: Any, mode: Any) -> None:
    x, y = jax.new_ref(jnp.ones(3)), jax.new_ref(jnp.zeros(3))
    obj = cache.step(make(cache), 0)
    with mode(True):
        new = cache.step(obj, 1)
        assert new.k is obj.k
        assert new.k[...].tolist() == [[2, 2], [3, 3], [1, 1]]
        cache.bare(x, y)
        assert (x[...].tolist(), y[...].tolist()) == ([0] * 3, [1] * 3)
        with mode(False):
            x[0] = jnp.nan if mode is jax.debug_nans else jnp.inf
        if mode is not jax.disable_jit:
            for call in (cache.bare, cache.bare.keep):
                with pytest.raises(FloatingPointError):
                    call(x, y)
            assert y[...].tolist() == [1] * 3


def test_stages_take_abstract_refs(cache: Any) -> None:
    abstract, obj = cache.Cache.abstract(n=3, m=2), make(cache)
    shape = cache.step.eval_shape(abstract, 0)
    assert cache.step.eval_shape(shape, 0) == shape == cache.step.eval_shape(obj, 0)
    compiled = cache.step.lower(abstract, 0).compile()
    for _ in range(2):
        ref, obj = obj.k, compiled(obj, 0)
        assert obj.k is ref
    assert ref[0].tolist() == [4, 4]
    assert cache.step.donation(abstract, 0) == {"cache.u": True}
    # Within a trace, too.
    in_trace = make(cache)
    for stage in (cache.step.lower, cache.step.donation, cache.step.memory):
        jax.jit(lambda given, stage=stage: stage(given, 0) and given.u)(in_trace)
    twice = obj.replace(u=obj.u), obj.replace(u=jnp.ones(3))
    both = cache.both.lower(make(cache), make(cache)).compile()
    with pytest.raises(ValueError, match=r"`one\.k` and `other\.k` of `both` are the same Ref"):
        both(*twice)
    assert ref[0].tolist() == [4, 4]


def test_compiled_call_refuses_an_array_instead_of_a_ref(cache: Any) -> None:
    """JAX would write into the array, and delete it."""
    obj, compiled = make(cache), cache.step.lower(make(cache), 0).compile()
    array = obj.k[...]
    with pytest.raises(TypeError, match=r"cache\.k  Ref f32\[3,2\] -> f32\[3,2\]"):
        compiled(obj.like(array, u=obj.u, t=obj.t), 0)
    assert array.tolist() == [[1, 1]] * 3
    assert obj.u.tolist() == [1, 1, 1]


def test_ref_that_is_also_used_from_outside(run: Callable[..., Any], cache: Any) -> None:
    obj = make(cache)
    with pytest.raises(Exception, match="same buffer twice") as caught:
        run(lambda given: given.replace(u=given.u + obj.k[0, 0]), obj)
    assert "use only the argument" in str(getattr(caught.value, "__notes__", ""))


def test_one_ref_twice_is_refused_with_both_paths(cache: Any) -> None:
    for _ in range(3):  # On the call that would trace and on later calls.
        one = make(cache)
        other = make(cache, k=one.k)
        for call in (cache.both, cache.both.keep):
            with pytest.raises(ValueError, match=r"`one\.k` and `other\.k` of `both` are the same"):
                call(one, other)
        with pytest.raises(ValueError, match=r"`x` and `y` of `bare` are the same Ref"):
            cache.bare(one.k, one.k)
        assert one.u.tolist() == other.u.tolist() == [1, 1, 1]
        assert one.k[...].tolist() == [[1, 1]] * 3
        cache.both(make(cache), make(cache))


def test_refs_exchanged_within_their_field_are_returned(cache: Any) -> None:
    pair = cache.Pair(make(cache), make(cache), jax.new_ref(jax.random.key(0)))
    # The Refs of `first` and `second` are exchanged, but stay in their field `Cache.k`.
    assert cache.swap.keep(copy.deepcopy(pair)).first.k is not pair.first.k
    result = cache.swap(pair)
    assert (result.first.k, result.second.k) == (pair.second.k, pair.first.k)
    assert result.rng is pair.rng


RETURNED = {
    "new": (
        lambda obj: obj.replace(k=jax.new_ref(obj.k[...])),
        r"`run` returned result\.k, which is a new Ref.*`ref\[\.\.\.\] = value`",
    ),
    "array": (lambda obj: obj.replace(k=obj.k[...]), r"result\.k, which is a new Ref"),
}


@pytest.mark.parametrize("case", RETURNED)
def test_result_with_another_ref_is_refused(run: Callable[..., Any], case: str) -> None:
    function, message = RETURNED[case]
    with pytest.raises(TypeError, match=message):
        run(function)


def test_ref_in_other_places_is_refused(cache: Any) -> None:
    obj, ref = make(cache), jax.new_ref(jnp.zeros(3))

    @jit(donated="x")
    def consume(x: Any) -> Any:
        return x[...] + 1

    with pytest.raises(TypeError, match=r"`x` is a Ref, but is declared as donated"):
        consume(ref)

    @jit(donated="obj")
    def bare(obj: Any) -> Any:
        return obj.replace(u=obj.u + 1), obj.k

    with pytest.raises(
        TypeError, match=r"`bare` returned result\[1\], which is also result\[0\]\.k"
    ):
        bare(obj)

    @jit(donated="obj")
    def moved(obj: Any) -> Any:
        return obj.replace(u=obj.u + 1, t=0.0).like(1.0, u=obj.u), obj.k

    with pytest.raises(TypeError, match=r"result\[1\], which is the Ref of `obj\.k`, in another"):
        moved(obj)
    assert obj.u.tolist() == [1, 1, 1]
    assert ref[...].tolist() == [0, 0, 0]


def scan(obj: Any) -> Any:
    return jax.lax.scan(lambda carry, _: (carry, None), obj, length=2)[0]


def grad(obj: Any) -> Any:
    return obj.replace(u=jax.grad(lambda k: k[...].sum())(obj.k)[:, 0])


def grad_of_item(obj: Any) -> Any:
    return obj.replace(u=obj.u * jax.grad(lambda k: k[0, 0])(obj.k)[0, 0])


def vmap(obj: Any) -> Any:
    jax.vmap(lambda x: obj.k.__setitem__((0, 0), x))(obj.u)
    return obj


def loop(obj: Any) -> Any:
    def body(i: Any) -> Any:
        obj.k[0, 0] = obj.k[0, 0] + 1
        return i + 1

    jax.lax.while_loop(lambda i: (obj.k[0, 0] < 5) & (i < 9), body, 0)
    return obj


def nested_loop(obj: Any) -> Any:
    jax.lax.fori_loop(0, 2, lambda _, carry: loop(obj) and carry, None)
    return obj


def differentiated(obj: Any) -> Any:
    def loss(u: Any) -> Any:
        obj.k[:, 0] = u
        return u.sum()

    return obj.replace(u=jax.grad(loss)(obj.u))


REFUSED = {
    scan: "`cache.k` of `run` is a Ref: a loop, a branch .* cannot carry or return it",
    grad: "`cache.k` of `run` is a Ref: JAX does not differentiate with respect to it",
    grad_of_item: "`cache.k` of `run` is a Ref: JAX does not differentiate with respect to it",
    vmap: "`cache.k` of `run` is a Ref: `vmap` cannot write it",
    loop: "`cache.k` of `run` is a Ref that the condition of a `while_loop` reads",
    nested_loop: "`cache.k` of `run` is a Ref that the condition of a `while_loop` reads",
    differentiated: r"`cache.k` of `run` is a Ref: it cannot hold .*stop_gradient\(value\)",
}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.__name__)
def test_what_jax_refuses_names_the_field(run: Callable[..., Any], case: Any) -> None:
    with pytest.raises(Exception, match=REFUSED[case]):
        run(case)
