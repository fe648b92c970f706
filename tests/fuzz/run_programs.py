# mypy: disable-error-code="no-untyped-def, no-any-return"
"""Run random functions of random schemas, and compare everything that can be observed with plain arrays.

    $ python -m tests.fuzz.run_programs 2000                    # so many programs
    $ python -m tests.fuzz.run_programs 1 --first 17 --trace    # one, and its traceback

A program is a list of steps (`random_steps.py`). A generated function runs it on objects (`random_schemas.py`)
in several ways: by a call, with `keep`, compiled ahead of time, and within `jit`, `scan`, `vmap`, `grad` and
others. The reference runs it on trees of NumPy arrays. After each call, every object that the program has is
compared with its tree: its values, which fields are consumed and what their errors say. The arrays that pass
through must be the caller's own, and the number of traces must be that of the static values and structures.
"""

from __future__ import annotations

import argparse
import collections
import copy
import functools
import random
import sys
import tempfile
import traceback
import types
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import ConsumedError, DonationWarning, jit
from tests.fuzz.random_schemas import (
    IMPL,
    Array,
    Field,
    Function,
    Leaf,
    Maker,
    Node,
    Place,
    Schema,
    at,
    define,
    exact,
    has_refs,
    items_of,
    keystr,
    mirror,
    realize,
    realize_static,
    require_shared,
    shape_of,
    survey,
)
from tests.fuzz.random_steps import Boom, Live, Reference, Step, bump, make_steps, run_steps
from tests.generated.package import Package, rendered, write

# The programs of a schema, the schemas of a build, and the steps of a program.
PROGRAMS = 40
SCHEMAS = 10
CALLS = 5


class Program(NamedTuple):
    steps: tuple[Step, ...]
    # The size of the dimension of new arrays.
    n: int
    # Whether the result has the wrong dtype.
    is_wrong: bool = False


# What implementations run, and how often each was traced.
programs: dict[int, Program] = {}
traces: collections.Counter[str] = collections.Counter()
# How many calls there were of each way, and how they ended.
calls: collections.Counter[str] = collections.Counter()


class World:
    """A schema, and its generated module."""

    def __init__(self, schema: Schema, package: Package) -> None:
        self.schema = schema
        self.module = define(schema, package.load(schema.name))
        self.functions = {one.name: getattr(self.module, one.name) for one in schema.functions}
        self.declared = {one.name: one for one in schema.functions}
        runs = sys.modules[IMPL]
        for one in schema.functions:
            setattr(runs, one.name, self._implementation(one))
        # The same functions without a schema.
        for one in schema.functions[:-1]:
            name = f"{one.name}_plain"
            plain = jit(
                self._implementation(one, name),
                static=[*(each.name for each in one.statics), "program"],
                donated=[each.name for each in one.parameters if each.role == "donated"],
            )
            self.functions[name], self.declared[name] = plain, one

    def _implementation(self, function: Function, name: str = "") -> Any:
        names = ", ".join([*(one.name for one in function.parameters), "program"])
        given = "".join(f"{one.name!r}: {one.name}, " for one in function.parameters)
        scope: dict[str, Any] = {
            "run": functools.partial(self.run, function, name or function.name)
        }
        exec(f"def {name or function.name}({names}): return run({{{given}}}, program)", scope)
        return scope[name or function.name]

    def run(self, function: Function, name: str, given: dict[str, Any], program: int) -> Any:
        """Run a program on objects: what every implementation does."""
        traces[name] += 1
        if program < 0:
            return bump(given["part"], -1 - program), jnp.int32(0)
        state = self.state(Live, function, given, programs[program])
        run_steps(programs[program].steps, state)
        total = jnp.asarray(state.grand_total())
        if programs[program].is_wrong:
            total = total.astype("float32")
        return *(state.args[one] for one in function.returned), total

    def state(self, kind: Any, function: Function, given: dict[str, Any], program: Program) -> Any:
        return kind(
            self.schema,
            self.module,
            {one.name: given[one.name] for one in function.traced},
            program.n,
            parameters={one.name: (one.role, one.type) for one in function.traced},
            statics={one.name: given[one.name] for one in function.statics},
        )

    def expected(self, function: Function, given: dict[str, Any], program: Program) -> Any:
        """Run a program on trees: return all of them, and the number."""
        state = self.state(Reference, function, given, program)
        run_steps(program.steps, state)
        return state.args, np.asarray(state.grand_total())


class Held(NamedTuple):
    """An object that a program has, and the tree that it should be."""

    type: Any
    role: str
    real: Any
    tree: Any
    # Whether other calls may get it.
    is_usable: bool = True


class Session:
    """One program: its functions, calls, and all objects."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.schema, self.pick = world, world.schema, random.Random(number)
        self.n = self.pick.choice((2, 2, 3))
        self.maker = Maker(world.schema, self.pick, self.n)
        self.number = number * 1000
        self.held: list[Held] = []
        # The keys of calls, exact and without the forms of arrays.
        self.seen: set[Any] = set()
        self.seen_somehow: set[Any] = set()
        self.log: list[str] = []
        self.program = self.new_program(make_steps(self.pick))

    def new_program(self, steps: tuple[Step, ...], **more: Any) -> int:
        self.number += 1
        programs[self.number] = Program(steps, self.n, **more)
        return self.number

    # --- a program

    def run(self) -> None:
        ways = [
            *["call"] * 8, *["copy"] * 3, "keep", "compiled", "alias", "again", "boom", "wrong", "argument",
            "static", "jit", "loop", "vmap", "grad", "eval_shape", "eager", "gradient",
        ]  # fmt: skip
        for _ in range(CALLS):
            way = self.pick.choice(ways)
            self.log.append(way)
            getattr(self, f"do_{way}")()
            self.verify()

    def names(self) -> list[str]:
        return [name for name in self.world.functions if not name.endswith("_bump")]

    def choose(
        self, name: str = "", *, fresh: bool = False
    ) -> tuple[str, dict[str, Held], dict[str, Any]]:
        """Choose a function and its arguments."""
        name = name or self.pick.choice(self.names())
        function = self.world.declared[name]
        args = {one.name: self._argument(one, fresh) for one in function.traced}
        statics = {one.name: self.maker.static(str(one.type)) for one in function.statics}
        return name, args, statics

    def _argument(self, field: Field, fresh: bool) -> Held:
        known = [
            one
            for one in self.held
            if one.type == field.type
            and one.is_usable
            and (one.role == "ref") == (field.role == "ref")
            and all(place.leaf.state == "live" for place in places({"": one.tree}))
        ]
        if known and not fresh and self.pick.random() < 0.7:
            return self.pick.choice(known)
        return self.hold(field.type, field.role, self.maker.make(field.type, field.role))

    def hold(self, declared: Any, role: str, tree: Any, made: Any = None, **more: Any) -> Held:
        held = Held(declared, role, realize(tree, self.world.module, self.pick, made), tree, **more)
        self.held.append(held)
        return held

    def given(self, name: str, args: dict[str, Held], statics: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call."""
        fields = {one.name: str(one.type) for one in self.world.declared[name].statics}
        is_plain = name.endswith("_plain")
        module = self.world.module
        given = {
            one: realize_static(value, module, self.pick, "" if is_plain else fields[one])
            for one, value in statics.items()
        }
        return {one: held.real for one, held in args.items()} | given

    def trees(self, name: str, args: dict[str, Held], statics: dict[str, Any]) -> dict[str, Any]:
        """Return copies of the trees of the arguments, whose leaves know where they come from."""
        new = {one: copy.deepcopy(held.tree) for one, held in args.items()}
        for place in self._survey(name, new).owned:
            place.leaf.origin = None if place.leaf.kind == "ref" else place.path
        return new | statics

    def _survey(self, name: str, trees: Mapping[str, Any]) -> Any:
        declared = {one.name: (one.role, one.type) for one in self.world.declared[name].traced}
        return survey({one: trees[one] for one in declared}, declared)

    def pairs(self, name: str, args: dict[str, Held]) -> list[tuple[Place, Any]]:
        """Return the leaves of the arguments, each with its array."""
        trees = self._survey(name, {one: held.tree for one, held in args.items()}).owned
        found = {one: mirror(held.real, self.schema, held.role) for one, held in args.items()}
        real = self._survey(name, found).owned
        assert [one.path for one in trees] == [one.path for one in real]
        return [(one, other.leaf.value) for one, other in zip(trees, real, strict=True)]

    # --- direct calls

    def do_call(self) -> None:
        self.call(*self.choose(), way="call")

    def do_keep(self) -> None:
        self.call(*self.choose(), way="keep")

    def do_compiled(self) -> None:
        self.call(*self.choose(), way="compiled")

    def do_copy(self) -> None:
        """Call with equal copies, which must not trace again."""
        name, args, statics = self.choose()
        copies = {
            one: self.hold(held.type, held.role, own_copy(held.tree)) for one, held in args.items()
        }
        way = self.pick.choice(("call", "keep"))
        self.call(name, args, statics, way=way)
        self.verify()
        self.call(name, copies, statics, way=way)

    def do_static(self) -> None:
        """Call with another static value."""
        name, args, statics = self.choose()
        changed = dict(args)
        found = self._survey(name, {one: held.tree for one, held in args.items()}).statics
        if found:
            path, _ = self.pick.choice(found)
            held = args[path[0]]
            tree = own_copy(held.tree)
            node = at(tree, path[1:-1])
            (field,) = [one for one in node.cls.fields if one.name == path[-1]]
            node.fields[path[-1]] = self.maker.static(str(field.type))
            changed[path[0]] = self.hold(held.type, held.role, tree)
        elif statics:
            statics = self.choose(name)[2]
        self.call(name, args, statics, way="keep")
        self.verify()
        self.call(name, changed, statics, way="keep")

    def do_alias(self) -> None:
        """Call with one array, or one object, in two places."""
        name, args, statics = self.choose(fresh=True)
        copies = {one: own_copy(held.tree) for one, held in args.items()}
        found = self._survey(name, copies)
        made: dict[int, Any] = {}
        whole = self.pick.random() < 0.3
        if whole:
            parts = [
                one.value
                for one in found.parts
                if one.is_free
                and isinstance(one.value, Node)
                and not survey({"": one.value}, {}).refs
            ]
        else:
            parts = [one.leaf for one in found.owned]
        self.pick.shuffle(parts)
        for index, one in enumerate(parts):
            for other in parts[:index]:
                if not made and shape_of(one) == shape_of(other) and not is_inside(one, other):
                    copy_values(other, one)
                    # Markers are in both places, as both are one object.
                    for place in places({"": [one, other]}):
                        if place.leaf.kind == "numpy":
                            place.leaf.kind = "array"
                    made[id(other)] = realize(one, self.world.module, self.pick, {})
                    made[id(one)] = made[id(other)]
        held = {
            one: self.hold(args[one].type, args[one].role, tree, made, is_usable=False)
            for one, tree in copies.items()
        }
        self.call(name, held, statics, way=self.pick.choice(("call", "call", "keep", "compiled")))

    def call(self, name, args, statics, *, way: str, program: int | None = None) -> None:
        """Call a function directly, and check all that it promises."""
        function, declared = self.world.functions[name], self.world.declared[name]
        program = self.program if program is None else program
        pairs = self.pairs(name, args)
        given = self.given(name, args, statics)
        donated = [
            (place, real) for place, real in pairs if place.is_donated and place.leaf.kind != "ref"
        ]
        donates = bool(donated) and way != "keep"
        conflicts = self._conflicts(pairs, donates)
        keys = self._keys(name, args, statics, program, pairs, donates=donates)
        before = traces[name]
        self.log.append(f"{way} {name}")
        function = self._way(function, way)
        if conflicts:
            calls[f"{way}, refused"] += 1
            # `lower` refuses one Ref in two places in JAX's words.
            refused = r"are the same (array|Ref)|appeared at both"
            with pytest.raises(ValueError, match=refused) as caught:
                run_quietly(function, given, program)
            # `lower` may have traced it.
            self.seen_somehow.add(keys[1])
            texts = [[keystr(path) for path in paths] for paths in conflicts]
            assert any(sum(text in str(caught.value) for text in row) > 1 for row in texts), (
                f"{caught.value}\n{texts}"
            )
            return
        trees = self.trees(name, args, statics)
        wanted, number = self.world.expected(declared, trees, programs[program])
        result = run_quietly(function, given, program)
        calls[way] += 1
        self._check_traces(keys, traces[name] - before, way)
        if donates:
            self._consume(name, donated)
        assert type(result) is tuple
        self._check_result(declared, result, wanted, number, pairs)

    def _any_way(self, name: str) -> Any:
        way = self.pick.choice(("call", "call", "keep", "compiled"))
        return self._way(self.world.functions[name], way)

    def _way(self, function: Any, way: str) -> Any:
        if way == "keep":
            return function.keep
        if way != "compiled":
            return function

        def compiled(**arguments: Any) -> Any:
            return function.lower(**arguments).compile()(**arguments)

        return compiled

    def _conflicts(self, pairs: list[tuple[Place, Any]], donates: bool) -> list[list[Any]]:
        """Return the paths of each array that a call must refuse."""
        held = collections.defaultdict[int, list[Place]](list)
        for place, real in pairs:
            if isinstance(real, jax.Array | jax.Ref):
                held[id(real)].append(place)
        return [
            [one.path for one in several]
            for several in held.values()
            if len(several) > 1
            and (
                several[0].leaf.kind == "ref"
                or (donates and any(one.is_donated for one in several))
            )
        ]

    def _keys(self, name, args, statics, program, pairs, *, donates: bool) -> tuple[Any, Any]:
        values = tuple((one, exact(value)) for one, value in statics.items())
        shapes = tuple(shape_of(held.tree) for held in args.values())
        forms = tuple(
            (type(real), getattr(real, "weak_type", None), getattr(real, "committed", None))
            for _, real in pairs
        )
        key = name, program, values, shapes
        return (*key, forms, donates), key

    def _check_traces(self, keys: tuple[Any, Any], count: int, way: str) -> None:
        known, somehow = keys
        if way in ("call", "keep"):
            if known in self.seen:
                assert count == 0, f"an equal call was traced {count} times"
            elif somehow not in self.seen_somehow:
                assert count == 1, f"a new call was traced {count} times"
            self.seen.add(known)
        self.seen_somehow.add(somehow)

    def _consume(self, name: str, donated: list[tuple[Place, Any]]) -> None:
        """Record what a call has consumed, in all objects."""
        ids = {id(real) for _, real in donated if isinstance(real, jax.Array)}
        leaves = {id(place.leaf) for place, _ in donated}
        for held in self.held:
            real = survey({"": mirror(held.real, self.schema, held.role)}, {}).owned
            tree = survey({"": held.tree}, {}).owned
            for place, other in zip(tree, real, strict=True):
                if id(other.leaf.value) in ids and id(place.leaf) not in leaves:
                    place.leaf.state = "deleted"
        for place, _ in donated:
            # An argument that is an array itself has no field for a marker.
            state = (place.field, keystr(place.path), name) if place.field else "deleted"
            place.leaf.state = state

    def _check_result(self, declared, result, wanted, number, pairs) -> None:
        *values, total = result
        assert total.dtype == np.int32
        assert int(total) == int(number), f"the number is {total}, expected {number}"
        fields = {one.name: one for one in declared.traced}
        results = {}
        for name, real in zip(declared.returned, values, strict=True):
            field = fields[name]
            results[name] = Held(field.type, "", real, wanted[name])
        origins: dict[Any, list[tuple[Place, Any]]] = collections.defaultdict(list)
        new: list[tuple[Place, Any]] = []
        for name, held in results.items():
            declared_ = {name: ("donated", held.type)}
            tree = survey({name: held.tree}, declared_).owned
            self._compare(held, f"result {name}")
            real = survey({name: mirror(held.real, self.schema, "")}, declared_).owned
            for place, other in zip(tree, real, strict=True):
                new.append((place, other.leaf.value))
                if place.leaf.origin is not None:
                    origins[place.leaf.origin].append((place, other.leaf.value))
        self._check_identity(pairs, origins, new)
        for held in results.values():
            for place in survey({"": held.tree}, {}).owned:
                place.leaf.origin = None
            self.held.append(held)

    def _check_identity(self, pairs, origins, new) -> None:
        """Check which arrays of a result are the caller's own."""
        for place, real in pairs:
            found = [value for other, value in origins[place.path] if other.is_never_donated]
            if place.is_never_donated and found and isinstance(real, jax.Array):
                assert any(value is real for value in found), f"{keystr(place.path)} was copied"
        for place, real in pairs:
            if place.leaf.kind == "ref":
                found = [value for other, value in new if other.path == place.path]
                assert all(value is real for value in found), f"{keystr(place.path)} is another Ref"
        owned = {id(real): place for place, real in pairs}
        owned |= {id(real): place for place, real in pairs if place.is_never_donated}
        passed = collections.Counter(id(real) for _, real in pairs)
        alive: dict[int, str] = {}
        for held in self.held:
            for place in survey({"": mirror(held.real, self.schema, held.role)}, {}).owned:
                value = place.leaf.value
                if is_plain_array(value) and not value.is_deleted() and value.size:
                    alive[value.unsafe_buffer_pointer()] = keystr(place.path)
        seen: dict[int, str] = {}
        for place, value in new:
            if not isinstance(value, jax.Array):
                continue
            path = keystr(place.path)
            if id(value) in owned and place.is_never_donated and owned[id(value)].is_never_donated:
                # The caller may have passed it in several places.
                assert id(value) not in seen or passed[id(value)] > 1, f"{path} is returned twice"
                seen[id(value)] = path
                continue
            assert id(value) not in seen, f"{path} and {seen[id(value)]} are one array"
            seen[id(value)] = path
            assert id(value) not in owned, f"{path} is the caller's {owned[id(value)].path}"
            if is_plain_array(value) and value.size:
                pointer = value.unsafe_buffer_pointer()
                assert pointer not in alive, f"{path} shares a buffer with {alive[pointer]}"
                alive[pointer] = path

    # --- calls that fail

    def do_again(self) -> None:
        """Call with what another call has consumed."""
        for name in self.pick.sample(self.names(), len(self.names())):
            declared = self.world.declared[name]
            args = {}
            for field in declared.traced:
                consumed = [
                    one
                    for one in self.held
                    if one.type == field.type
                    and one.is_usable
                    and any(isinstance(place.leaf.state, tuple) for place in places({"": one.tree}))
                ]
                args[field.name] = self.pick.choice(consumed) if consumed else None
            if any(args.values()):
                for field in declared.traced:
                    args[field.name] = args[field.name] or self._argument(field, True)
                statics = self.choose(name, fresh=True)[2]
                self._refuse_consumed(name, args, statics)
                return

    def _refuse_consumed(self, name: str, args: Any, statics: Any) -> None:
        states = [
            (place.leaf.state, keystr(place.path))
            for place in self._survey(name, {n: one.tree for n, one in args.items()}).places
            if place.leaf.state != "live"
        ]
        given = self.given(name, args, statics)
        function = self._any_way(name)
        calls["again"] += 1
        with pytest.raises((ConsumedError, ValueError)) as caught:
            run_quietly(function, given, self.program)
        text = str(caught.value)
        if isinstance(caught.value, ConsumedError):
            texts = [
                f"`{state[0]}` was consumed by `{state[2]}`, as `{state[1]}`"
                if isinstance(state, tuple) else f"`{path}` of `{name}` is a deleted array"
                for state, path in states
            ]  # fmt: skip
            assert any(one in text for one in texts), f"{text}\n{texts}"
        else:
            # A marker may also be there twice, or an array that is alive.
            assert "are the same" in text, text

    def do_boom(self) -> None:
        """Call an implementation that raises an error."""
        steps = programs[self.program].steps
        index = self.pick.randint(0, len(steps))
        wrong = self.new_program((*steps[:index], Step("raise", 0), *steps[index:]))
        self._fail(Boom, wrong)

    def do_wrong(self) -> None:
        """Call an implementation whose result has the wrong dtype."""
        name = self.pick.choice([one for one in self.names() if not one.endswith("_plain")])
        wrong = self.new_program(programs[self.program].steps, is_wrong=True)
        self._fail((TypeError, ValueError), wrong, name)

    def do_argument(self) -> None:
        """Call with an array of the wrong dtype or shape."""
        name = self.pick.choice([one for one in self.names() if not one.endswith("_plain")])
        name, args, statics = self.choose(name, fresh=True)
        copies = {one: own_copy(held.tree) for one, held in args.items()}
        found = [
            one
            for one in self._survey(name, copies).owned
            if isinstance(one.type, Array) and one.leaf.kind != "ref"
        ]
        if not found:
            return
        place = self.pick.choice(found)
        value = place.leaf.value
        if self.pick.random() < 0.5:
            place.leaf.value = value.astype("float16")
        else:
            place.leaf.value = value[None]
        held = {
            one: self.hold(args[one].type, args[one].role, tree, is_usable=False)
            for one, tree in copies.items()
        }
        text = self._fail((TypeError, ValueError), self.program, name, (name, held, statics))
        # Of an object in a union, the message may name only the field with the union.
        paths = [one.path for one in self._survey(name, copies).places if one.leaf is place.leaf]
        ends = [path[:end] for path in paths for end in range(min(2, len(path)), len(path) + 1)]
        is_named = any(f"`{keystr(one)}`" in text for one in ends)
        assert is_named or not text, f"{text} does not name {keystr(place.path)}"

    def _fail(self, kind: Any, program: int, name: str = "", chosen: Any = None) -> str:
        name, args, statics = chosen or self.choose(name)
        given = self.given(name, args, statics)
        function = self._any_way(name)
        pairs = self.pairs(name, args)
        if self._conflicts(pairs, True) or self._conflicts(pairs, False):
            return ""
        calls["failed"] += 1
        with pytest.raises(kind) as caught:
            run_quietly(function, given, program)
        return str(caught.value)

    # --- calls within traces

    def _chosen(self, *, refs: bool = False) -> Any:
        name, args, statics = self.choose()
        declared = self.world.declared[name]
        if not refs and any(
            one.role == "ref" or has_refs(self.schema, one.type) for one in declared.traced
        ):
            return None
        pairs = self.pairs(name, args)
        if self._conflicts(pairs, False):
            return None
        given = self.given(name, args, statics)
        traced = {one: given.pop(one) for one in args}
        self.seen_somehow.add(
            self._keys(name, args, statics, self.program, pairs, donates=False)[1]
        )
        self.log.append(name)

        def function(traced: Any) -> Any:
            return run_quietly(self.world.functions[name], traced | given, self.program)

        return name, args, statics, traced, function, declared

    def _expect(self, name: str, args: Any, statics: Any, times: int = 1) -> tuple[Any, Any]:
        trees, number = self.trees(name, args, statics), np.int32(0)
        for _ in range(times):
            new, number = self.world.expected(
                self.world.declared[name], trees, programs[self.program]
            )
            trees = new | statics
        return trees, number

    def _require(self, declared: Function, result: Any, wanted: Any, number: Any, way: str) -> None:
        """Compare the result of a call that consumes nothing, and hold it."""
        calls[way] += 1
        *values, total = result
        assert int(total) == int(number), f"the number is {total}, expected {number}"
        for name, real in zip(declared.returned, values, strict=True):
            (field,) = [one for one in declared.traced if one.name == name]
            tree = own_copy(wanted[name])
            held = Held(field.type, "", real, tree)
            self._compare(held, f"result {name}")
            if not has_refs(self.schema, field.type):
                self.held.append(held)

    def do_jit(self) -> None:
        chosen = self._chosen(refs=True)
        if chosen is None:
            return
        name, args, statics, traced, function, declared = chosen
        kinds = {one.name: (one.role, one.type) for one in declared.traced}

        def leaves(traced: Any) -> Any:
            *values, total = function(traced)
            trees = {
                one: mirror(value, self.schema)
                for one, value in zip(declared.returned, values, strict=True)
            }
            found = survey(trees, {one: kinds[one] for one in trees}).owned
            return [one.leaf.value for one in found if one.leaf.kind != "ref"], total

        wanted, number = self._expect(name, args, statics)
        any_refs = any(
            has_refs(self.schema, one.type) or one.role == "ref" for one in declared.traced
        )
        transform = self.pick.choice((jax.jit, jax.jit if any_refs else jax.checkpoint))
        found, total = transform(leaves)(traced)
        calls["jit"] += 1
        assert int(total) == int(number), f"the number is {total}, expected {number}"
        trees = {one: wanted[one] for one in declared.returned}
        expected = survey(trees, {one: kinds[one] for one in trees}).owned
        expected = [one for one in expected if one.leaf.kind != "ref"]
        for place, value in zip(expected, found, strict=True):
            same(place.leaf, value, keystr(place.path))

    def do_loop(self) -> None:
        """Call in the body of a loop, whose carry are the objects."""
        chosen = self._chosen()
        if chosen is None:
            return
        name, args, statics, traced, function, declared = chosen
        wanted, number = self._expect(name, args, statics)
        shapes = {one: shape_of(wanted[one]) for one in args}
        if [*declared.returned] != [*args] or shapes != {
            n: shape_of(h.tree) for n, h in args.items()
        }:
            return

        def step(carry: Any) -> Any:
            *values, total = function(carry[0])
            return dict(zip(declared.returned, values, strict=True)), total

        way = self.pick.choice(("scan", "while", "fori", "cond"))
        times = 1 if way == "cond" else 2
        if times == 2:
            # The second round may need another structure.
            wanted, number = self._expect(name, args, statics, 2)
            if {one: shape_of(wanted[one]) for one in args} != shapes:
                return
        first = traced, jnp.int32(0)
        if way == "scan":
            new, total = jax.lax.scan(lambda c, _: (step(c), None), first, length=2)[0]
        elif way == "while":
            _, (new, total) = jax.lax.while_loop(
                lambda c: c[0] < 2, lambda c: (c[0] + 1, step(c[1])), (0, first)
            )
        elif way == "fori":
            new, total = jax.lax.fori_loop(0, 2, lambda _, carry: step(carry), first)
        else:
            new, total = jax.lax.cond(jnp.asarray(True), step, lambda carry: carry, first)
        self._require(declared, (*(new[n] for n in declared.returned), total), wanted, number, way)

    def do_vmap(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            return
        name, args, statics, traced, function, declared = chosen
        if not jax.tree.leaves(traced):
            return
        others = {one: held._replace(tree=own_copy(held.tree)) for one, held in args.items()}
        for place in self._survey(name, {one: held.tree for one, held in others.items()}).owned:
            value = place.leaf.value
            new = value + np.uint32(1) if place.is_key else (value.astype("int32") + 1) % 7
            place.leaf.value = np.asarray(new, value.dtype)
        second = {
            one: realize(held.tree, self.world.module, self.pick) for one, held in others.items()
        }
        both = jax.tree.map(
            lambda *x: jnp.stack([*map(jnp.asarray, x)] if not is_key(x[0]) else x), traced, second
        )
        result = jax.vmap(function)(both)
        for number, given in enumerate((args, others)):
            wanted, total = self._expect(name, given, statics)
            one = jax.tree.map(lambda x: x[number], result)  # noqa: B023
            self._require(declared, one, wanted, total, "vmap")

    def do_grad(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            return
        name, args, statics, traced, function, declared = chosen

        def loss(w: Any) -> Any:
            result = function(traced)
            return w * result[-1].astype("float32"), result

        gradient, result = jax.grad(loss, has_aux=True)(2.0)
        wanted, number = self._expect(name, args, statics)
        assert float(gradient) == float(number)
        self._require(declared, result, wanted, number, "grad")

    def do_eval_shape(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            return
        name, args, statics, *_, declared = chosen
        given = self.given(name, args, statics)
        *values, total = self.world.functions[name].eval_shape(**given, program=self.program)
        wanted, _ = self._expect(name, args, statics)
        calls["eval_shape"] += 1
        assert (total.shape, total.dtype) == ((), np.int32)
        for one, value in zip(declared.returned, values, strict=True):
            found = survey({one: mirror(value, self.schema)}, {}).owned
            trees = survey({one: wanted[one]}, {}).owned
            assert [x.path for x in found] == [x.path for x in trees]
            for place, other in zip(trees, found, strict=True):
                if not place.is_key:
                    new, old = other.leaf.value, place.leaf.value
                    assert (new.shape, new.dtype) == (old.shape, old.dtype), keystr(place.path)

    def do_eager(self) -> None:
        """Run the steps on objects outside of any trace."""
        steps = without(programs[self.program].steps, "bump")
        name, args, statics = self.choose()
        if self._conflicts(self.pairs(name, args), False):
            return
        declared = self.world.declared[name]
        program = Program(steps, self.n)
        # No call converts static arguments.
        given = self.given(f"{name.removesuffix('_plain')}_plain", args, statics)
        trees = self.trees(name, args, statics)
        state = self.world.state(Live, declared, given, program)
        run_steps(steps, state)
        wanted, number = self.world.expected(declared, trees, program)
        calls["eager"] += 1
        assert int(state.grand_total()) == int(number)
        for one in args:
            self._compare(Held(None, args[one].role, state.args[one], wanted[one]), f"result {one}")

    def do_gradient(self) -> None:
        """Differentiate with respect to objects."""
        chosen = self._chosen()
        if chosen is None:
            return
        name, args, _, traced, _, _ = chosen
        found = self._survey(name, {one: copy.deepcopy(held.tree) for one, held in args.items()})
        if any(place.is_key for place in found.places):
            return
        weights = {place.path: 1 + number % 2 for number, place in enumerate(found.places)}

        def loss(traced: Any) -> Any:
            trees = {one: mirror(value, self.schema) for one, value in traced.items()}
            total = jnp.float32(0)
            for place in self._survey(name, trees).places:
                if jnp.issubdtype(jnp.result_type(place.leaf.value), jnp.inexact):
                    # Read at its own path, not at that of the owner.
                    value = at(traced[place.path[0]], place.path[1:])
                    total += weights[place.path] * jnp.sum(
                        jnp.asarray(value).astype("float32") ** 2
                    )
            return total

        gradient = jax.jit(jax.grad(loss, allow_int=True))(traced)
        calls["gradient"] += 1
        for place in found.owned:
            value = at(gradient[place.path[0]], place.path[1:])
            if not jnp.issubdtype(place.leaf.value.dtype, jnp.inexact):
                assert value.dtype == jax.dtypes.float0
                continue
            factor = sum(weights[one.path] for one in found.places if one.leaf is place.leaf)
            wanted = (2 * factor * place.leaf.value.astype("float32")).astype(
                place.leaf.value.dtype
            )
            same(Leaf(wanted), value, keystr(place.path))

    # --- comparisons

    def verify(self) -> None:
        """Compare every object with its tree."""
        for number, held in enumerate(self.held):
            self._compare(held, f"object {number}")

    def _compare(self, held: Held, where: str) -> None:
        compare(held.tree, mirror(held.real, self.schema, held.role), where)
        require_shared(held.real, self.schema)


def compare(tree: Any, found: Any, where: str) -> None:
    match tree:
        case Leaf():
            assert isinstance(found, Leaf), f"{where} is {found!r}"
            same(tree, found.value, where)
        case Node():
            assert isinstance(found, Node), f"{where} is {found!r}"
            assert found.name == tree.name, f"{where} is a {found.name}, not a {tree.name}"
            for one in tree.cls.fields:
                value, other = tree.fields[one.name], found.fields[one.name]
                if one.role == "static":
                    assert exact(value) == exact(other), (
                        f"{where}.{one.name} is {other!r}, not {value!r}"
                    )
                else:
                    compare(value, other, f"{where}.{one.name}")
        case None:
            assert found is None, f"{where} is {found!r}"
        case _:
            assert type(found) is type(tree), f"{where} is a {type(found)}"
            assert len(found) == len(tree), f"{where} has {len(found)} items"
            for step, part in items_of(tree):
                compare(part, found[step.key], f"{where}[{step.key!r}]")


def same(leaf: Leaf, value: Any, where: str) -> None:
    """Compare an array with what it should be, bit for bit."""
    if isinstance(leaf.state, tuple):
        field, path, function = leaf.state
        assert value.is_deleted(), f"{where} was not consumed"
        with pytest.raises(ConsumedError) as caught:
            value + 1
        text = f"`{field}` was consumed by `{function}`, as `{path}`"
        assert text in str(caught.value), f"{where}: {caught.value}, not {text}"
        return
    if leaf.state == "deleted":
        assert not isinstance(value, jax.Array) or value.is_deleted(), f"{where} was not consumed"
        return
    if isinstance(value, jax.Ref):
        value = value[...]
    if isinstance(value, int | float):
        value = jnp.asarray(value)
    if isinstance(value, jax.Array):
        assert not value.is_deleted(), f"{where} was deleted"
        if leaf.kind == "key":
            value = jax.random.key_data(value)
        # A view would make the next donating call copy.
        value = np.array(value)
    assert isinstance(value, np.ndarray | np.generic), f"{where} is {value!r}"
    assert value.dtype == leaf.value.dtype, f"{where} is a {value.dtype}, not {leaf.value.dtype}"
    assert value.shape == leaf.value.shape, (
        f"{where} has shape {value.shape}, not {leaf.value.shape}"
    )
    assert value.tobytes() == leaf.value.tobytes(), f"{where} is {value}, not {leaf.value}"


def places(trees: Mapping[str, Any]) -> list[Place]:
    return survey(trees, {}).places


def own_copy(tree: Any) -> Any:
    """Copy a tree, with Refs of its own."""
    new = copy.deepcopy(tree)
    made: dict[int, Leaf] = {}

    def visit(value: Any) -> Any:
        match value:
            case Leaf(kind="ref"):
                return made.setdefault(id(value), Leaf(value.value, "ref"))
            case Node():
                for one in value.cls.fields:
                    if one.role != "static":
                        value.fields[one.name] = visit(value.fields[one.name])
            case dict():
                return {key: visit(one) for key, one in value.items()}
            case tuple() | list():
                return type(value)(map(visit, value))
        return value

    return visit(new)


def is_inside(one: Any, other: Any) -> bool:
    """Return whether two parts of a tree have leaves in common."""
    first = {id(place.leaf) for place in places({"": one})}
    return any(id(place.leaf) in first for place in places({"": other}))


def copy_values(to: Any, source: Any) -> None:
    """Give the leaves of one part the values of another one."""
    for place, other in zip(places({"": to}), places({"": source}), strict=True):
        place.leaf.value, place.leaf.kind = other.leaf.value, other.leaf.kind


def without(steps: tuple[Step, ...], kind: str) -> tuple[Step, ...]:
    return tuple(
        one._replace(inside=without(one.inside, kind)) for one in steps if one.kind != kind
    )


def is_key(value: Any) -> bool:
    return isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)


def is_plain_array(value: Any) -> bool:
    return (
        isinstance(value, jax.Array)
        and not isinstance(value, jax.core.Tracer)
        and not is_key(value)
    )


def run_quietly(function: Any, given: dict[str, Any], program: int) -> Any:
    """Call a function. Some programs do not read a donated field."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DonationWarning)
        return function(**given, program=program)


# --- the command


def build(seeds: range, folder: Path) -> list[World]:
    """Build random schemas as one package. The folder must be on `sys.path`."""
    sys.modules.setdefault(IMPL, types.ModuleType(IMPL))
    schemas = [Schema(seed) for seed in seeds]
    name = f"random_{seeds.start}_{seeds.stop}"
    root = folder / f"{name}_schemas"
    root.mkdir()
    for schema in schemas:
        (root / f"{schema.name}.pyi").write_text(str(schema), encoding="utf-8")
    package = write(rendered(root), folder, name)
    return [World(schema, package) for schema in schemas]


def numbers_of(world: World) -> range:
    """Return the numbers of the programs of a schema."""
    return range(world.schema.seed * PROGRAMS, (world.schema.seed + 1) * PROGRAMS)


def check(world: World, number: int) -> None:
    """Run one program. The notes of an error say what it did."""
    session = Session(world, number)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            session.run()
    except Exception as error:
        error.add_note(f"{world.schema.name}: {', '.join(session.log)}")
        raise
    finally:
        programs.clear()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--trace", action="store_true", help="print tracebacks")
    arguments = parser.parse_args()
    failed, worlds = 0, dict[int, World]()
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        for done in range(1, arguments.count + 1):
            number = arguments.first + done - 1
            seed = number // PROGRAMS
            if seed not in worlds:
                first = seed // SCHEMAS * SCHEMAS
                worlds = dict(enumerate(build(range(first, first + SCHEMAS), Path(folder)), first))
            try:
                check(worlds[seed], number)
            except Exception as error:  # noqa: BLE001  Any failure is a finding.
                failed += 1
                text = (str(error).splitlines() or [""])[0][:300]
                note = error.__notes__[-1]
                print(f"program {number}: {type(error).__name__}: {text} ({note})", flush=True)  # noqa: T201
                if arguments.trace:
                    traceback.print_exc()
            if done % 100 == 0:
                print(f"{done} programs, {failed} failed, {calls.total()} calls", flush=True)  # noqa: T201
            if number % PROGRAMS == PROGRAMS - 1:
                jax.clear_caches()
                for function in worlds[seed].functions.values():
                    function.clear_cache()
    print(f"{arguments.count} programs, {failed} failed")  # noqa: T201
    print(f"{calls.total()} calls: {dict(calls)}")  # noqa: T201
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
