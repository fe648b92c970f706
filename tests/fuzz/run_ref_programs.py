# JAX's stubs leave some things untyped.
# mypy: disable-error-code="no-untyped-call"
"""Run random functions that read and write Refs, donated and dynamic fields, and compare with plain arrays.

    $ python -m tests.fuzz.run_ref_programs 2000       # so many programs
    $ python -m tests.fuzz.run_ref_programs 1 --first 17

A program is a list of steps, such as "write the sum of one field into another", some of them inside a `cond`, a loop,
`checkpoint` or `jit`. A generated function runs it on objects. The reference runs it on a dict of arrays. All numbers
are small integers, so that every dtype is exact.
"""

from __future__ import annotations

import argparse
import functools
import random
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests.generated.package import rendered, write

# Few shapes and dtypes, so that a donated array often has those of a Ref.
SHAPES = ((), (2,), (3,), (2, 3))
DTYPES = {"f32": "float32", "i32": "int32", "bf16": "bfloat16"}
ROLES = ("ref", "ref", "donated", "donated", "dynamic")
SCHEMAS = 10
Place = tuple[str, ...]
Step = tuple[Any, ...]
# What `run` interprets; a test or `main` sets it.
programs: dict[int, list[Step]] = {}


class Layout:
    """Random classes, and the fields of the arguments of a function that takes objects of them."""

    def __init__(self, pick: random.Random) -> None:
        self.leaves: dict[Place, tuple[str, str, tuple[int, ...]]] = {}
        inner = [self._field(pick) for _ in range(pick.randint(1, 4))]
        outer = [self._field(pick) for _ in range(pick.randint(1, 4))]
        self.held = pick.choice(("donated", "dynamic"))
        self.taken = pick.choice(("donated", "dynamic"))
        self.bare = self._field(pick), self._field(pick)
        self.text = "\n".join(
            [
                "from codegen.schema import bf16, donated, dynamic, f32, i32, impl, ref, static",
                "class Inner:",
                *(f"    f{i}: {self._type(one)}" for i, one in enumerate(inner)),
                "class Outer:",
                *(f"    g{i}: {self._type(one)}" for i, one in enumerate(outer)),
                f"    inner: {self.held}[Inner]",
                '@impl("ref_programs:run")',
                f"def run(a: donated[Outer], b: {self.taken}[Inner], x: {self._type(self.bare[0])}, "
                f"y: {self._type(self.bare[1])}, program: static[int]) -> tuple[Outer, Inner, i32]: ...",
                "",
            ]
        )
        for i, one in enumerate(outer):
            self.leaves["a", f"g{i}"] = one
        for i, one in enumerate(inner):
            self.leaves["a", "inner", f"f{i}"] = one
            self.leaves["b", f"f{i}"] = one
        self.leaves["x",], self.leaves["y",] = self.bare

    @staticmethod
    def _field(pick: random.Random) -> tuple[str, str, tuple[int, ...]]:
        return pick.choice(ROLES), pick.choice([*DTYPES]), pick.choice(SHAPES)

    @staticmethod
    def _type(one: tuple[str, str, tuple[int, ...]]) -> str:
        role, dtype, shape = one
        return f"{role}[{dtype}{[*shape] if shape else ''}]"

    def is_donated(self, place: Place) -> bool:
        """Whether a call consumes the array at a place."""
        path = [self.leaves[place][0]]
        path += [self.taken] * (place[0] == "b") + [self.held] * ("inner" in place)
        return {*path} == {"donated"}

    def is_ref(self, place: Place) -> bool:
        return self.leaves[place][0] == "ref"


# --- programs


def make_program(pick: random.Random, layout: Layout) -> list[Step]:
    return [*_steps(pick, layout, [*layout.leaves], depth=0)]


def _steps(pick: random.Random, layout: Layout, targets: list[Place], depth: int) -> Iterator[Step]:
    # A function returns its objects, so a bare array cannot be changed.
    targets = [one for one in targets if len(one) > 1 or layout.is_ref(one)]
    refs = [one for one in targets if layout.is_ref(one)]
    for _ in range(pick.randint(1, 4)):
        kind = pick.choice(
            ("set", "set", "item", "cond", "fori", "scan", "while", "checkpoint", "jit")
        )
        if kind in ("set", "item") or not refs or depth > 1:
            if targets:
                places = [pick.choice([*layout.leaves]) for _ in range(pick.randint(1, 2))]
                yield "item" if kind == "item" else "set", pick.choice(targets), places
        else:
            # Inside of control flow only Refs are written: arrays would have to be carried.
            inside = [*_steps(pick, layout, refs, depth + 1)]
            yield kind, pick.choice([*layout.leaves]), pick.randint(1, 3), inside


def interpret(
    steps: Sequence[Step], get: Callable[[Place], Any], put: Callable[..., None], *, traced: bool
) -> None:
    """Run steps. `put(place, value, index)` writes a value at an index, or the whole value."""
    for kind, place, *rest in steps:
        if kind in ("set", "item"):
            old = get(place)
            total = functools.reduce(lambda sum_, one: sum_ + _sum(get(one)), rest[0], 1)
            index = (0,) * old.ndim if kind == "item" else ...
            put(place, ((old[index] * 2 + total) % 7).astype(old.dtype), index)
            continue
        count, inside = rest
        run = functools.partial(interpret, inside, get, put, traced=traced)
        is_taken = kind != "cond" or _sum(get(place)) % 2 == 0
        if traced:
            _control(kind, count, is_taken, run)
        elif kind in ("fori", "scan", "while"):
            for _ in range(count):
                run()
        elif is_taken:
            run()


def _control(kind: str, count: int, is_taken: Any, run: Callable[[], None]) -> None:
    """Run steps inside of control flow, which they write only through Refs."""

    def step(carry: Any, _: Any = None) -> Any:
        run()
        return carry + 1

    if kind == "cond":
        jax.lax.cond(is_taken, run, lambda: None)
    elif kind == "fori":
        jax.lax.fori_loop(0, count, lambda _, carry: step(carry), 0)
    elif kind == "scan":
        jax.lax.scan(lambda carry, _: (step(carry), None), 0, length=count)
    elif kind == "while":
        jax.lax.while_loop(lambda i: i < count, step, 0)
    else:
        (jax.checkpoint(run) if kind == "checkpoint" else jax.jit(run))()


def _sum(value: Any) -> Any:
    return jnp.sum(value.astype("int32"))


def run(a: Any, b: Any, x: Any, y: Any, program: int) -> Any:
    """Run a program on objects: what the schema names."""
    given = {"a": a, "b": b, "x": x, "y": y}
    changed: dict[Place, Any] = {}

    def find(place: Place) -> Any:
        return functools.reduce(getattr, place[1:], given[place[0]])

    def get(place: Place) -> Any:
        value = changed.get(place, find(place))
        return value[...] if isinstance(value, jax.Ref) else value

    def put(place: Place, value: Any, index: Any) -> None:
        held = find(place)
        if isinstance(held, jax.Ref):
            held[index] = value
        else:
            old = get(place)
            changed[place] = old.at[index].set(value) if index != ... else value

    interpret(programs[program], get, put, traced=True)
    inner = a.inner.replace(**{p[2]: v for p, v in changed.items() if p[:2] == ("a", "inner")})
    outer = {p[1]: v for p, v in changed.items() if p[0] == "a" and len(p) == 2}
    b = b.replace(**{p[1]: v for p, v in changed.items() if p[0] == "b"})
    return a.replace(inner=inner, **outer), b, _sum(get(("x",))) + _sum(get(("y",)))


def expected(layout: Layout, program: Sequence[Step], values: dict[Place, Any]) -> dict[Place, Any]:
    """Run a program on a dict of arrays."""
    now = dict(values)

    def put(place: Place, value: Any, index: Any) -> None:
        now[place] = now[place].at[index].set(value) if index != ... else value

    interpret(program, now.__getitem__, put, traced=False)
    return now


# --- one program


def check(module: Any, layout: Layout, number: int, pick: random.Random) -> None:
    """Run a program several times, in several ways, and compare each result."""
    programs[number] = program = make_program(pick, layout)
    values = {place: _array(pick, *one[1:]) for place, one in layout.leaves.items()}
    given = _objects(module, layout, values)
    for _ in range(3):
        way = pick.choice(("call", "call", "keep", "compiled", "jit", "twice"))
        given, values = _call(module, layout, number, given, values, program, way)


def _call(
    module: Any, layout: Layout, number: int, given: Any, values: Any, program: Any, way: str
) -> Any:
    refs = {place: _leaf(given, place) for place in layout.leaves if layout.is_ref(place)}
    if way == "twice":
        _check_twice(module, layout, number, given, values)
        return given, values
    wanted = expected(layout, program, values)
    function = module.run
    if way == "keep":
        function = module.run.keep
    elif way == "compiled":
        function = module.run.lower(**given, program=number).compile()
    if way == "jit":
        # Only arrays can be returned from `jit`; the Refs are the caller's.
        outer = jax.jit(lambda given: _arrays(module.run(**given, program=number)))
        arrays = outer(given)
        found = {p: arrays[p] for p in layout.leaves if len(p) > 1 and not layout.is_ref(p)}
        found |= {place: ref[...] for place, ref in refs.items()}
        total = arrays["total",]
    else:
        a, b, total = function(**given, program=number)
        new = {"a": a, "b": b, "x": given["x"], "y": given["y"]}
        for place in layout.leaves:
            if layout.is_ref(place):
                assert _leaf(new, place) is refs[place], f"{place} is another Ref"
            consumed = hasattr(type(_leaf(given, place)), "__codegen_consumed__")
            consumed |= (
                isinstance(_leaf(given, place), jax.Array) and _leaf(given, place).is_deleted()
            )
            assert consumed == (way != "keep" and layout.is_donated(place)), (
                f"{place} is consumed: {consumed}"
            )
        found = {
            p: _content(_leaf(new, p)) for p in layout.leaves if len(p) > 1 or layout.is_ref(p)
        }
    for place, value in found.items():
        same = value.dtype == wanted[place].dtype and (value == wanted[place]).all()
        assert same, f"{place} is {value}, expected {wanted[place]}"
    assert total == sum(_sum(wanted[name,]) for name in "xy")
    # The next call gets the Refs as they are, and new arrays of the same values.
    fresh = _objects(module, layout, wanted, refs)
    return fresh, wanted


def _check_twice(module: Any, layout: Layout, number: int, given: Any, values: Any) -> None:
    """One Ref in two places is refused, and nothing is lost."""
    alike: dict[Any, list[Place]] = {}
    for place in layout.leaves:
        if layout.is_ref(place):
            alike.setdefault(layout.leaves[place], []).append(place)
    pairs = [places[:2] for places in alike.values() if len(places) > 1]
    if not pairs:
        return
    first, second = pairs[0]
    refs = {p: _leaf(given, p) for p in layout.leaves if layout.is_ref(p)}
    refs[second] = refs[first]
    wrong = _objects(module, layout, values, refs)
    names = sorted(".".join(place) for place in (first, second))
    with pytest.raises(ValueError, match="are the same Ref") as caught:
        module.run(**wrong, program=number)
    assert all(f"`{name}`" in str(caught.value) for name in names), caught.value
    for place in layout.leaves:
        if place != second:
            assert (_content(_leaf(wrong, place)) == values[place]).all(), f"{place} was lost"


def _objects(module: Any, layout: Layout, values: Any, refs: Any = None) -> dict[str, Any]:
    held = {p: (refs or {}).get(p, jnp.copy(one)) for p, one in values.items()}
    bare = {p: jax.new_ref(one) if layout.is_ref(p) and not isinstance(one, jax.Ref) else one
            for p, one in held.items() if len(p) == 1}  # fmt: skip
    inner = module.Inner(**{p[2]: v for p, v in held.items() if p[:2] == ("a", "inner")})
    outer = {p[1]: v for p, v in held.items() if p[0] == "a" and len(p) == 2}
    other = module.Inner(**{p[1]: v for p, v in held.items() if p[0] == "b"})
    return {"a": module.Outer(inner=inner, **outer), "b": other, "x": bare["x",], "y": bare["y",]}


def _arrays(result: Any) -> dict[Place, Any]:
    a, b, total = result
    leaves = jax.tree_util.tree_leaves_with_path({"a": a, "b": b})
    found = {(path[0].key, *(step.name for step in path[1:])): leaf for path, leaf in leaves}
    return {p: leaf for p, leaf in found.items() if not isinstance(leaf, jax.Ref)} | {
        ("total",): total
    }


def _leaf(given: Any, place: Place) -> Any:
    return functools.reduce(getattr, place[1:], given[place[0]])


def _content(leaf: Any) -> Any:
    return leaf[...] if isinstance(leaf, jax.Ref) else leaf


def _array(pick: random.Random, dtype: str, shape: tuple[int, ...]) -> Any:
    count = functools.reduce(lambda a, b: a * b, shape, 1)
    return jnp.array([pick.randint(0, 6) for _ in range(count)], DTYPES[dtype]).reshape(shape)


# --- the command


def build(seed: int, folder: Path) -> tuple[Any, Layout]:
    """Build a random schema as a package, and return its module."""
    # The schema names the functions of this module by another name, also when it is the script.
    sys.modules["ref_programs"] = types.ModuleType("ref_programs")
    sys.modules["ref_programs"].run = run  # type: ignore[attr-defined]
    layout = Layout(random.Random(seed))
    root = folder / f"schemas{seed}"
    root.mkdir()
    (root / "state.pyi").write_text(layout.text)
    return write(rendered(root), folder, f"refs{seed}").load("state"), layout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        built: dict[int, Any] = {}
        for number in range(arguments.first, arguments.first + arguments.count):
            seed = number % SCHEMAS
            module, layout = built[seed] = built.get(seed) or build(seed, Path(folder))
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    # Some programs do not read a donated field.
                    warnings.filterwarnings("ignore", "`run` does not reuse")
                    check(module, layout, number, random.Random(number))
            except Exception as error:  # noqa: BLE001  Any failure is a finding.
                failed += 1
                text = str(error).splitlines() or [""]
                print(f"program {number}: {type(error).__name__}: {text[0][:300]}", flush=True)  # noqa: T201
            done = number - arguments.first + 1
            if done % 100 == 0:
                print(f"{done} programs, {failed} failed", flush=True)  # noqa: T201
            if number % 20 == 19:
                jax.clear_caches()
                module.run.clear_cache()
    print(f"{arguments.count} programs, {failed} failed")  # noqa: T201
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
