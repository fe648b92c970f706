# mypy: disable-error-code="no-untyped-def, no-any-return"
"""Random programs: lists of steps that run on trees of NumPy arrays and on objects.

    steps = make_steps(pick)
    run_steps(steps, Reference(trees, ...))     # changes the trees
    run_steps(steps, Live(objects, ...))        # `args` of it has the new objects

A step is its kind, a seed and inner steps. The seed selects places among those that the state has at this moment.
"""

from __future__ import annotations

import copy
import random
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from codegen.runtime.drafts.state import is_draft
from tests.fuzz.random_schemas import (
    Item,
    Leaf,
    Maker,
    Node,
    Object,
    Place,
    Schema,
    Survey,
    at,
    exact,
    has_refs,
    link,
    mirror,
    put,
    realize,
    realize_static,
    survey,
)


class Boom(Exception):
    """Raised by a step."""


class Step(NamedTuple):
    kind: str
    seed: int
    inside: tuple[Step, ...] = ()


PLAIN = ("set", "set", "set", "item", "move", "key", "treemap")
# These change the structure, and are not possible in the carry of a loop.
CHANGING = ("fresh", "static", "swap", "rebuild", "bump")
CONTROL = ("cond", "fori", "scan", "while", "checkpoint", "jit", "grad", "vmap", "switch")


def make_steps(pick: random.Random, depth: int = 0, *, is_fixed: bool = False) -> tuple[Step, ...]:
    """Return random steps. Those in a loop keep the structure."""
    steps = []
    for _ in range(pick.randint(1, 2 if depth else 3)):
        kinds = [*PLAIN, *(() if is_fixed else CHANGING)]
        if depth < 2:
            kinds += [pick.choice(CONTROL), pick.choice(CONTROL), "draft", "draft", "lift_vmap"]
        kind = pick.choice(kinds)
        inside: tuple[Step, ...] = ()
        if kind in (*CONTROL, "lift_vmap"):
            inside = make_steps(pick, depth + 1, is_fixed=True)
        elif kind == "draft":
            inside = make_steps(pick, depth + 1, is_fixed=is_fixed)
        steps.append(Step(kind, pick.getrandbits(32), inside))
    return tuple(steps)


def run_steps(steps: Sequence[Step], state: State) -> None:
    for kind, seed, inside in steps:
        pick = random.Random(seed)
        if kind in CONTROL:
            state.control(kind, pick, inside)
        elif kind in ("draft", "lift_vmap"):
            getattr(state, f"do_{kind}")(pick, inside)
        else:
            getattr(state, f"do_{kind}")(pick)


def sum_of(value: Any) -> Any:
    return value.astype("int32").sum(dtype="int32")


def digest(value: Any) -> int:
    return zlib.crc32(repr(exact(value)).encode()) % 5


def changed(old: Any, total: Any) -> Any:
    return ((old.astype("int32") * 2 + total) % 7).astype(old.dtype)


class State:
    """The values of some parameters. Subclasses say how they are read and written."""

    def __init__(
        self, schema: Schema, module: Any, args: dict[str, Any], n: int, **more: Any
    ) -> None:
        self.schema, self.module, self.args, self.n = schema, module, args, n
        self.parameters: Mapping[str, tuple[str, Any]] = more.get("parameters", {})
        # The static arguments.
        self.statics: dict[str, Any] = more.get("statics", {})
        # Whether `args` has a draft.
        self.is_draft = False

    def survey(self) -> Survey:
        raise NotImplementedError

    def read(self, place: Place) -> Any:
        """Return the array at a place."""
        raise NotImplementedError

    def write(self, place: Place, value: Any, *, origin: Place | None = None) -> None:
        raise NotImplementedError

    def set_part(self, path: Sequence[Any], tree: Any) -> None:
        """Replace a part by the value of a tree."""
        raise NotImplementedError

    def total(self, place: Place) -> Any:
        """Return the sum of the numbers at a place."""
        if place.is_key:
            return sum_of(self.key_data(self.read(place)) % np.uint32(7))
        return sum_of(self.read(place))

    def grand_total(self) -> Any:
        found = self.survey()
        total = np.int32(sum(digest(value) for _, value in self._statics(found)))
        return sum((self.total(place) for place in found.owned), total) % 1000

    def _statics(self, found: Survey) -> list[tuple[Any, Any]]:
        return [*found.statics, *self.statics.items()]

    # --- steps

    def do_set(self, pick: random.Random, extra: Any = 0) -> None:
        """Write a function of several values to a place."""
        found = self.survey()
        targets = [one for one in found.places if not one.is_key]
        if targets:
            reads = [pick.choice(found.places) for _ in range(pick.randint(0, 2))]
            number = pick.randint(0, 6)
            for _, value in pick.sample(self._statics(found), len(self._statics(found)))[:2]:
                number += digest(value)
            total = sum((self.total(one) for one in reads), number) + extra
            target = pick.choice(targets)
            self.write(target, changed(self.read(target), total))

    def do_item(self, pick: random.Random) -> None:
        """Write one item of an array."""
        found = self.survey()
        targets = [one for one in found.places if not one.is_key and _size(one)]
        if targets:
            target, other = pick.choice(targets), pick.choice(found.places)
            self.write_item(target, self.total(other))

    def do_move(self, pick: random.Random) -> None:
        """Write the value of one place to another one, or exchange two values."""
        found = self.survey()
        places = [one for one in found.places if not one.is_number]
        pick.shuffle(places)
        both = pick.random() < 0.5
        for index, one in enumerate(places):
            for other in places[:index]:
                if one.leaf is not other.leaf and _looks(one) == _looks(other):
                    first, second = self.read(one), self.read(other)
                    origins = self._origins(one), self._origins(other)
                    self.write(other, first, origin=origins[0])
                    if both:
                        self.write(one, second, origin=origins[1])
                    return

    def do_key(self, pick: random.Random) -> None:
        """Split a key, and add random numbers to a place."""
        found = self.survey()
        keys = [one for one in found.places if one.is_key]
        targets = [one for one in found.places if not one.is_key]
        if keys and targets:
            key, target = pick.choice(keys), pick.choice(targets)
            used = self.next_key(key)
            old = self.read(target)
            bits = self.bits(used, old.shape)
            self.write(target, changed(old, (bits % np.uint32(7)).astype("int32")))

    def do_raise(self, pick: random.Random) -> None:
        raise Boom

    def do_fresh(self, pick: random.Random) -> None:
        """Put a new value into a field or a container, maybe of another structure."""
        parts = [
            one
            for one in self.survey().parts
            if one.is_free
            and one.type is not None
            and not has_refs(self.schema, one.type)
            and not (isinstance(one.value, Leaf) and one.value.kind == "ref")
            and (len(one.path) > 1 or not self.is_draft)
        ]
        if parts:
            part = pick.choice(parts)
            if not self._is_stacked(part):
                made = Maker(self.schema, pick, self.n).make(part.type)
                self.set_part(part.path, made)

    def do_static(self, pick: random.Random) -> None:
        """Change a static field."""
        found = self.survey()
        free = {one.path for one in found.parts if one.is_free}
        statics = [path for path, _ in found.statics if path[:-1] in free and len(path) > 1]
        if statics and not self.is_draft:
            path = pick.choice(statics)
            node = next(one.value for one in found.parts if one.path == path[:-1])
            (field,) = [one for one in node.cls.fields if one.name == path[-1]]
            value = Maker(self.schema, pick, self.n).static(str(field.type))
            self.set_static(path, value, str(field.type), pick)

    def do_swap(self, pick: random.Random) -> None:
        """Exchange two objects of one class."""
        parts = [
            one
            for one in self.survey().parts
            if one.is_free
            and isinstance(one.value, Node)
            and not survey({"": one.value}, {}).refs
            and (len(one.path) > 1 or not self.is_draft)
        ]
        pick.shuffle(parts)
        for index, one in enumerate(parts):
            for other in parts[:index]:
                paths = sorted((one.path, other.path), key=len)
                is_inside = paths[1][: len(paths[0])] == paths[0]
                if not is_inside and _shape(one.value) == _shape(other.value):
                    self.exchange(one.path, other.path)
                    return

    # --- facts about places

    def _origins(self, place: Place) -> Any:
        return None

    def _is_stacked(self, part: Any) -> bool:
        held = [p.value for p in self.survey().parts if part.path[: len(p.path)] == p.path]
        return any(isinstance(one, Node) and one.name == "Layer" for one in held)

    # What differs between trees and objects.
    def key_data(self, key: Any) -> Any:
        raise NotImplementedError

    def bits(self, key: Any, shape: Any) -> Any:
        raise NotImplementedError

    def next_key(self, place: Place) -> Any:
        raise NotImplementedError

    def write_item(self, place: Place, total: Any) -> None:
        raise NotImplementedError

    def set_static(self, path: Any, value: Any, declared: str, pick: random.Random) -> None:
        raise NotImplementedError

    def exchange(self, one: Any, other: Any) -> None:
        raise NotImplementedError

    def control(self, kind: str, pick: random.Random, inside: Sequence[Step]) -> None:
        raise NotImplementedError

    # --- choices in control flow

    def _plan(self, pick: random.Random) -> tuple[Place, int] | None:
        places = self.survey().places
        return (pick.choice(places), pick.randint(1, 3)) if places else None

    def _counters(self) -> list[Place]:
        """Return the places that can count the rounds of a loop."""
        return [
            one
            for one in self.survey().owned
            if _looks(one)[:2] == ("", "int32") and not one.is_number and _size(one)
        ]

    def _has_refs(self) -> bool:
        return bool(self.survey().refs)

    def _allows(self, kind: str) -> bool:
        """Return whether the values can be in this control flow."""
        return not (kind in ("grad", "vmap") and self._has_refs()) and not (
            kind == "vmap" and self.is_draft
        )

    def _draftable(self, pick: random.Random, *, with_refs: bool = True) -> str | None:
        """Choose a parameter that is an object with a draft."""
        names = [
            name
            for name, value in sorted(self.args.items())
            if self._class_of(value) in self.schema.drafts
            and (with_refs or not has_refs(self.schema, Object(self._class_of(value))))
        ]
        return pick.choice(names) if names and not self.is_draft else None

    def _class_of(self, value: Any) -> str:
        return value.name if isinstance(value, Node) else type(value).__name__

    def only(self, args: dict[str, Any]) -> State:
        """Return a state of the same kind with other values."""
        new = copy.copy(self)
        new.args = args
        return new


class Reference(State):
    """Trees of NumPy arrays, which steps change."""

    def survey(self) -> Survey:
        return survey(self.args, self.parameters)

    def read(self, place: Place) -> Any:
        return place.leaf.value

    def write(self, place: Place, value: Any, *, origin: Any = None) -> None:
        leaf = place.leaf
        leaf.value = np.asarray(value, leaf.value.dtype)
        leaf.origin = None if leaf.kind == "ref" else origin
        leaf.kind = leaf.kind if leaf.kind in ("key", "ref") else "array"

    def _origins(self, place: Place) -> Any:
        return place.leaf.origin

    def write_item(self, place: Place, total: Any) -> None:
        new = place.leaf.value.copy()
        index = (0,) * new.ndim
        new[index] = changed(np.asarray(new[index]), total)
        self.write(place, new)

    def set_part(self, path: Sequence[Any], tree: Any) -> None:
        self.args = {**self.args, path[0]: put(self.args[path[0]], path[1:], tree)}
        link(self.args[path[0]])

    def set_static(self, path: Any, value: Any, declared: str, pick: random.Random) -> None:
        at(self.args[path[0]], path[1:-1]).fields[path[-1]] = value

    def exchange(self, one: Any, other: Any) -> None:
        first, second = (at(self.args[path[0]], path[1:]) for path in (one, other))
        self.set_part(one, second)
        self.set_part(other, first)

    def key_data(self, key: Any) -> Any:
        return key

    def next_key(self, place: Place) -> Any:
        new, used = split_data(place.leaf.value)
        self.write(place, new)
        return used

    def bits(self, key: Any, shape: Any) -> Any:
        return np.array(jax.random.bits(jax.random.wrap_key_data(jnp.array(key)), shape))

    def do_treemap(self, pick: random.Random) -> None:
        name = pick.choice(sorted(self.args))
        for place in survey({name: self.args[name]}, {}).owned:
            if place.leaf.kind not in ("key", "ref"):
                self.write(place, changed(place.leaf.value, 1))

    def do_rebuild(self, pick: random.Random) -> None:
        pass

    def do_bump(self, pick: random.Random) -> None:
        parts = _bumped(self)
        if parts:
            part, k = pick.choice(parts), pick.randint(0, 6)
            for place in survey({"": part.value}, {}).owned:
                place.leaf.origin = None
                if not place.is_key:
                    self.write(place, changed(place.leaf.value, k))

    def do_draft(self, pick: random.Random, inside: Sequence[Step]) -> None:
        name = self._draftable(pick)
        if name is not None:
            inner = self.only({name: self.args[name]})
            inner.is_draft = True
            run_steps(inside, inner)
            self.args = self.args | inner.args

    def do_lift_vmap(self, pick: random.Random, inside: Sequence[Step]) -> None:
        name = self._draftable(pick, with_refs=False)
        if name is not None:
            inner = self.only({name: self.args[name]})
            inner.is_draft = True
            inner.do_set(random.Random(7), 1)
            run_steps(inside, inner)
            self.args = self.args | inner.args
            self._wipe([name])

    def control(self, kind: str, pick: random.Random, inside: Sequence[Step]) -> None:
        plan = self._plan(pick)
        if plan is None:
            return
        place, count = plan
        extra = 0
        if not self._allows(kind):
            return
        if kind == "while" and self.is_draft:
            self._count(pick, count, inside)
        elif kind in ("cond", "switch"):
            number = self.total(place) % 2
            if kind == "switch" or number == 0:
                for _ in range(1 + number if kind == "switch" else 1):
                    run_steps(inside, self)
        elif kind == "vmap":
            for x in range(3):
                inner = self.only(copy.deepcopy(self.args))
                inner.do_set(random.Random(7), x)
                run_steps(inside, inner)
                extra += int(inner.grand_total()) * x
        elif kind == "grad":
            run_steps(inside, self)
            extra = 4 * int(self.grand_total())
        else:
            for _ in range(count if kind in ("fori", "scan", "while") else 1):
                run_steps(inside, self)
        if kind != "vmap":
            self._wipe(self.args)
        self.do_set(random.Random(9), extra % 1000)

    def _count(self, pick: random.Random, count: int, inside: Sequence[Step]) -> None:
        """Run a loop that counts in one of the places, as the condition sees only the draft."""
        counters = self._counters()
        if not counters:
            return
        index = pick.randrange(len(counters))
        counter = counters[index]
        self.write(counter, counter.leaf.value * 0)
        while self.total(counter) < count:
            old = counter.leaf.value
            run_steps(inside, self)
            self.write(counter, old + 1)

    def _wipe(self, names: Any) -> None:
        """Forget where leaves came from: control flow may copy them."""
        for place in survey({name: self.args[name] for name in names}, {}).owned:
            place.leaf.origin = None


class Live(State):
    """Objects, or one draft."""

    def survey(self) -> Survey:
        trees = {
            name: mirror(value, self.schema, self.parameters[name][0])
            for name, value in self.args.items()
        }
        return survey(trees, self.parameters)

    def read(self, place: Place) -> Any:
        value = place.leaf.value
        return value[...] if isinstance(value, jax.Ref) else value

    def write(self, place: Place, value: Any, *, origin: Any = None) -> None:
        if isinstance(place.leaf.value, jax.Ref):
            place.leaf.value[...] = value
        else:
            # A draft accepts a write under each path of a shared part, `replace` under its owner's.
            self._put(place.path if self.is_draft else place.home, value)

    def _put(self, path: Any, value: Any) -> None:
        name, *rest = path
        if self.is_draft:
            _put_in_draft(self.args[name], rest, value)
        else:
            self.args = {**self.args, name: put(self.args[name], rest, value)}

    def write_item(self, place: Place, total: Any) -> None:
        old = self.read(place)
        index = (0,) * old.ndim
        new = changed(old[index], total)
        if isinstance(place.leaf.value, jax.Ref):
            place.leaf.value[index] = new
        elif self.is_draft and not isinstance(place.path[-1], Item):
            holder = at(self.args[place.path[0]], place.path[1:-1])
            getattr(holder.at, place.path[-1])[index] = new
        else:
            self.write(place, jnp.asarray(old).at[index].set(new))

    def set_part(self, path: Sequence[Any], tree: Any) -> None:
        self._put(path, realize(tree, self.module, random.Random(1)))

    def set_static(self, path: Any, value: Any, declared: str, pick: random.Random) -> None:
        self._put(path, realize_static(value, self.module, pick, declared))

    def exchange(self, one: Any, other: Any) -> None:
        first, second = (_object_at(self.args[path[0]], path[1:]) for path in (one, other))
        self._put(one, second)
        self._put(other, first)

    def key_data(self, key: Any) -> Any:
        return jax.random.key_data(key)

    def next_key(self, place: Place) -> Any:
        if self.is_draft and not isinstance(place.path[-1], Item):
            holder = at(self.args[place.path[0]], place.path[1:-1])
            return holder.next_key(field=place.path[-1])
        new, used = jax.random.split(self.read(place))
        self.write(place, new)
        return used

    def bits(self, key: Any, shape: Any) -> Any:
        return jax.random.bits(key, shape)

    def do_treemap(self, pick: random.Random) -> None:
        name = pick.choice(sorted(self.args))
        if self.is_draft:
            for place in self.survey().owned:
                if place.leaf.kind not in ("key", "ref"):
                    self.write(place, changed(self.read(place), 1))
        else:
            self.args = {**self.args, name: jax.tree.map(lambda x: _mapped(x, 1), self.args[name])}

    def do_rebuild(self, pick: random.Random) -> None:
        """Create equal objects in other ways."""
        if self.is_draft:
            return
        name = pick.choice(sorted(self.args))
        value = self.args[name]
        way = pick.choice(("flatten", "copy", "constructor"))
        if way == "flatten":
            leaves, treedef = jax.tree.flatten(value)
            value = jax.tree.unflatten(treedef, leaves)
        elif way == "copy" and not isinstance(value, jax.Array | jax.Ref):
            value = copy.copy(value)
        elif hasattr(type(value), "__codegen_record__"):
            names = [one.name for one in self.schema.classes[type(value).__name__].fields]
            value = type(value)(**{one: getattr(value, one) for one in names})
        self.args = {**self.args, name: value}

    def do_bump(self, pick: random.Random) -> None:
        parts = _bumped(self)
        if parts:
            part, k = pick.choice(parts), pick.randint(0, 6)
            bump = getattr(self.module, f"{self.schema.name}_bump")
            new, _ = bump(at(self.args[part.path[0]], part.path[1:]), program=-1 - k)
            self._put(part.path, new)

    def do_draft(self, pick: random.Random, inside: Sequence[Step]) -> None:
        name = self._draftable(pick)
        if name is not None:
            inner = self.only({name: self.args[name].draft()})
            inner.is_draft = True
            run_steps(inside, inner)
            self.args = {**self.args, name: inner.args[name].freeze()}

    def do_lift_vmap(self, pick: random.Random, inside: Sequence[Step]) -> None:
        name = self._draftable(pick, with_refs=False)
        if name is None:
            return

        def run(draft: Any, x: Any) -> Any:
            inner = self._of_draft(name, draft)
            inner.do_set(random.Random(7), x)
            run_steps(inside, inner)
            return x

        both = jax.tree.map(lambda x: jnp.stack([x, x]), self.args[name])
        draft = both.draft()
        _lift().vmap(run, 0)(draft, jnp.arange(2))
        new = jax.tree.map(lambda x: x[1], draft.freeze())
        self.args = {**self.args, name: new}

    def _of_draft(self, name: str, draft: Any) -> State:
        inner = self.only({name: draft})
        inner.is_draft = True
        return inner

    # --- control flow

    def control(self, kind: str, pick: random.Random, inside: Sequence[Step]) -> None:
        plan = self._plan(pick)
        if plan is None or not self._allows(kind):
            return
        place, count = plan
        number = self.total(place) % 2
        if kind == "vmap":
            extra = self._vmap(inside)
        elif self.is_draft:
            extra = self._lifted(kind, number, count, pick, inside)
        else:
            extra = self._controlled(kind, number, count, inside)
        self.do_set(random.Random(9), extra % 1000)

    def _vmap(self, inside: Sequence[Step]) -> Any:
        def one(x: Any) -> Any:
            inner = self.only(self.args)
            inner.do_set(random.Random(7), x)
            run_steps(inside, inner)
            return inner.grand_total() * x

        return jax.vmap(one)(jnp.arange(3)).sum(dtype="int32")

    def _controlled(self, kind: str, number: Any, count: int, inside: Sequence[Step]) -> Any:
        """Run steps in control flow, whose carry is the objects, or their leaves beside Refs."""
        refs = self._has_refs()
        leaves, treedef = jax.tree.flatten(self.args)
        is_ref = [isinstance(leaf, jax.Ref) for leaf in leaves]

        def unpack(carry: Any) -> State:
            if refs:
                rest = iter(carry)
                held = zip(leaves, is_ref, strict=True)
                carry = jax.tree.unflatten(treedef, [x if r else next(rest) for x, r in held])
            return self.only(carry)

        def pack(args: Any) -> Any:
            if not refs:
                return args
            return [x for x in jax.tree.leaves(args) if not isinstance(x, jax.Ref)]

        def step(carry: Any) -> Any:
            inner = unpack(carry)
            run_steps(inside, inner)
            return pack(inner.args)

        carry, extra = pack(self.args), 0
        if kind == "cond":
            carry = jax.lax.cond(number == 0, step, lambda carry: carry, carry)
        elif kind == "switch":
            carry = jax.lax.switch(number, [step, lambda carry: step(step(carry))], carry)
        elif kind == "fori":
            carry = jax.lax.fori_loop(0, count, lambda _, carry: step(carry), carry)
        elif kind == "scan":
            carry, _ = jax.lax.scan(lambda c, x: (step(c), x), carry, jnp.arange(count))
        elif kind == "while":
            _, carry = jax.lax.while_loop(
                lambda c: c[0] < count, lambda c: (c[0] + 1, step(c[1])), (0, carry)
            )
        elif kind == "grad":

            def loss(w: Any, carry: Any) -> Any:
                new = step(carry)
                return w * w * self.only(new).grand_total().astype("float32"), new

            gradient, carry = jax.grad(loss, has_aux=True)(2.0, carry)
            extra = gradient.astype("int32")
        else:
            carry = (jax.checkpoint if kind == "checkpoint" else jax.jit)(step)(carry)
        self.args = unpack(carry).args
        return extra

    def _lifted(self, kind: str, number: Any, count: int, pick: random.Random, inside: Any) -> Any:
        """Run steps on the draft under a transformation of `lift`."""
        (name,), lift = self.args, _lift()
        draft = self.args[name]

        def run(draft: Any, *_: Any) -> None:
            run_steps(inside, self._of_draft(name, draft))

        def run_twice(draft: Any) -> None:
            run(draft)
            run(draft)

        if kind == "cond":
            lift.cond(number == 0, run, lambda _: None, draft)
        elif kind == "switch":
            lift.cond(number == 0, run, run_twice, draft)
        elif kind in ("scan", "fori"):
            lift.scan(run, draft, None if kind == "fori" else jnp.arange(count), length=count)
        elif kind == "while":
            self._count(pick, name, count, inside)
        elif kind == "grad":

            def loss(w: Any, draft: Any) -> Any:
                run(draft)
                return w * w * self._of_draft(name, draft).grand_total().astype("float32")

            return lift.grad(loss)(2.0, draft).astype("int32")
        else:
            (lift.checkpoint if kind == "checkpoint" else lift.jit)(run)(draft)
        return 0

    def _count(self, pick: random.Random, name: str, count: int, inside: Sequence[Step]) -> None:
        counters = self._counters()
        if not counters:
            return
        index = pick.randrange(len(counters))
        self.write(counters[index], self.read(counters[index]) * 0)

        def condition(draft: Any) -> Any:
            # It may not read a Ref, so it reads nothing else.
            return sum_of(at(draft, counters[index].path[1:])) < count

        def body(draft: Any) -> None:
            state = self._of_draft(name, draft)
            counter = state._counters()[index]
            old = state.read(counter)
            run_steps(inside, state)
            state.write(state._counters()[index], old + 1)

        _lift().while_loop(condition, body, self.args[name])


def _lift() -> Any:
    from codegen.runtime import lift

    return lift


def split_data(data: Any) -> Any:
    """Split a key, given and returned as data."""
    keys = jax.random.split(jax.random.wrap_key_data(jnp.array(data)))
    return np.array(jax.random.key_data(keys))


def _mapped(x: Any, total: int) -> Any:
    if isinstance(x, jax.Ref) or jnp.issubdtype(getattr(x, "dtype", "f4"), jax.dtypes.prng_key):
        return x
    return changed(jnp.asarray(x), total)


def bump(part: Any, k: int) -> Any:
    """The implementation of the function that a `bump` step calls."""
    return jax.tree.map(lambda x: _mapped(x, k), part)


def _bumped(state: State) -> list[Any]:
    """Return the objects that another generated function can take."""
    if state.is_draft or has_refs(state.schema, Object("Part")):
        return []
    return [
        one
        for one in state.survey().parts
        if one.is_free
        and isinstance(one.value, Node)
        and one.value.name in ("Part", "Sub", "MyPart")
    ]


def _size(place: Place) -> int:
    return int(np.prod(place.leaf.value.shape))


def _looks(place: Place) -> tuple[str, str, Any]:
    """Return the kind, dtype and shape of a leaf."""
    if place.is_key:
        return "key", "", ()
    value = place.leaf.value
    return "", str(value.dtype), value.shape


def _shape(node: Node) -> Any:
    return node.name, [(one.path[1:], _looks(one)) for one in survey({"": node}, {}).places]


def _put_in_draft(draft: Any, path: Sequence[Any], value: Any) -> None:
    """Assign a value below a draft. Containers are assigned as a whole."""
    holder, held, rest = draft, draft, list(path)
    for number, step in enumerate(path):
        if not isinstance(step, Item):
            holder, rest = held, list(path[number:])
        held = at(held, (step,))
    name, *inner = rest
    setattr(holder, name, put(getattr(holder, name), inner, value))


def _object_at(value: Any, path: Sequence[Any]) -> Any:
    """Return an object, also where a draft has a nested draft."""
    found = at(value, path)
    return found.freeze() if is_draft(found) else found
