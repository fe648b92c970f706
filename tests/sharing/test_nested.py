# mypy: disable-error-code="no-untyped-def, no-any-return"
"""Classes with sharing inside classes with sharing: random ones, compared with plain dicts.

Here the paths to one part are found by repeatedly comparing all pairs of paths.
"""

import copy
import importlib
import itertools
import pickle
import random
import sys
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest

from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.pipeline import compile as compile_schemas
from codegen.runtime import ConsumedError, jit
from codegen.runtime.identities import preserve_identities
from tests.generated.package import forget

FIELDS = {
    "L": {"t": "f32", "q": "f32"},
    "M": {"l": "L", "k": "L", "w": "f32"},
    "N": {"m": "M", "o": "M", "l": "L", "v": "f32"},
    "O": {"n": "N", "p": "M", "l": "L", "v": "f32"},
}
WORLDS = 20


def paths_of(cls, fields=FIELDS):
    """Return the paths below a class, each with the class of its part."""
    found = {}
    for name, held in fields.get(cls, {}).items():
        found[(name,)] = held
        found |= {(name, *path): end for path, end in paths_of(held, fields).items()}
    return found


class World:
    """Four classes with random share declarations. Each contains earlier ones."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.fields = {
            cls: dict(self.chance.sample([*fields.items()], len(fields)))
            for cls, fields in FIELDS.items()
        }
        self.rows = {cls: self.rows_of(cls) if cls != "L" else [] for cls in FIELDS}
        self.name = f"world{seed}"
        self.ends = {(): "O"} | paths_of("O", self.fields)
        self.first = {}

    def rows_of(self, cls):
        rows = []
        for _ in range(self.chance.choice([0, 1, 1, 2])):
            kind = self.chance.choice(["f32", "L", "L", "M"])
            paths = [path for path, end in paths_of(cls).items() if end == kind]
            if len(paths) > 1:
                rows.append(self.chance.sample(paths, min(len(paths), self.chance.choice([2, 3]))))
        return rows

    def text(self):
        lines = ["from codegen.schema import donated, dynamic, f32, impl, share"]
        for cls, fields in self.fields.items():
            lines += ["", f"class {cls}(draft=True):" if cls == "O" else f"class {cls}:"]
            for name, held in fields.items():
                role = self.chance.choice(["donated", "donated", "dynamic"])
                lines.append(f"    {name}: {role}[{held}]")
            for row in self.rows[cls]:
                lines.append(f"    share({', '.join(map('.'.join, row))})")
        return "\n".join(
            [*lines, "", '@impl("nested:grow")', "def grow(o: donated[O]) -> O: ...\n"]
        )

    def unite(self):
        """For each path, find the first path to the same part."""
        first = self.first = {path: path for path in self.ends}

        def unite(one, other):
            low, high = sorted((first[one], first[other]))
            for path, known in first.items():
                first[path] = low if known == high else known
            return low != high

        changed = True
        while changed:
            changed = False
            for path, end in self.ends.items():
                for owner, *borrowers in self.rows.get(end, ()):
                    for borrower in borrowers:
                        changed |= unite((*path, *owner), (*path, *borrower))
            for one, other in itertools.combinations(self.ends, 2):
                if first[one] == first[other]:
                    for name in self.fields.get(self.ends[one], ()):
                        changed |= unite((*one, name), (*other, name))

    def build(self, module):
        """Create an object, and the dict of its arrays."""
        made: dict[Any, Any] = {}
        arrays: dict[Any, Any] = {}

        def part(path):
            path = self.first[path]
            if path not in made:
                end = self.ends[path]
                if end == "f32":
                    arrays[path] = jax.numpy.float32(len(arrays) + 1)
                    made[path] = arrays[path]
                else:
                    parts = {name: part((*path, name)) for name in self.fields[end]}
                    made[path] = getattr(module, end)(**parts)
            return made[path]

        return part(()), arrays

    def require(self, obj, arrays):
        """Check that equal paths lead to identical parts, and that the arrays are those of the dict."""
        parts: dict[Any, Any] = {}
        for path, end in self.ends.items():
            value = at(obj, path)
            assert parts.setdefault(self.first[path], value) is value, path
            if end == "f32":
                np.testing.assert_allclose(value, arrays[self.first[path]], err_msg=str(path))


def at(obj, path):
    for name in path:
        obj = getattr(obj, name)
    return obj


def compiled(source):
    return compile_schemas(schemas(str(source)), Options("schemas", "worlds"))


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    """The random worlds that the compiler accepts, each with its module, and the number of rejected ones."""
    folder = tmp_path_factory.mktemp("nested")
    source = folder / "schemas"
    source.mkdir()
    found, refused = [], 0
    for world in map(World, itertools.count()):
        alone = folder / world.name / f"{world.name}.pyi"
        alone.parent.mkdir()
        alone.write_text(world.text(), encoding="utf-8")
        report = compiled(alone.parent).report
        if report:
            assert {str(each.code) for each in report} == {"WRONG_SHARE"}
            refused += 1
        elif sum(map(bool, world.rows.values())) > 1:
            world.unite()
            alone.rename(source / alone.name)
            found.append(world)
        if len(found) == WORLDS:
            break
    for file in compiled(source).rendered:
        path = folder / "worlds" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    runs = ModuleType("nested")
    vars(runs)["grow"] = lambda o: jax.tree.map(lambda leaf: leaf + 1, o)
    sys.modules["nested"] = runs
    sys.path.insert(0, str(folder))
    try:
        yield [(world, importlib.import_module(f"worlds.{world.name}")) for world in found], refused
    finally:
        sys.path.remove(str(folder))
        del sys.modules["nested"]
        forget("worlds")


def test_random_nested_sharing(worlds):
    found, refused = worlds
    assert refused
    for world, module in found:
        check(world, module)


def check(world, module):
    obj, arrays = world.build(module)
    world.require(obj, arrays)
    assert len(jax.tree.leaves(obj)) == len(arrays), world.text()
    grown = {path: array + 1 for path, array in arrays.items()}
    world.require(jax.tree.map(lambda leaf: leaf + 1, obj), grown)
    world.require(jax.jit(lambda o: o)(obj), arrays)
    world.require(pickle.loads(pickle.dumps(obj)), arrays)
    world.require(copy.deepcopy(obj), arrays)
    world.require(copy.copy(obj), arrays)
    world.require(obj.draft().freeze(), arrays)
    world.require(module.O.abstract().zeros(), dict.fromkeys(arrays, 0))

    uses = [path for path, end in world.ends.items() if end == "f32"]
    weights = {path: float(number) for number, path in enumerate(uses)}
    gradient = jax.grad(lambda o: sum(weights[p] * at(o, p) ** 2 for p in uses))(obj)
    plain = jax.grad(lambda d: sum(weights[p] * d[world.first[p]] ** 2 for p in uses))
    world.require(gradient, plain(arrays))

    donated = module.grow.donation(obj)
    world.require(module.grow(obj), grown)
    assert sum(is_consumed(at(obj, path)) for path in arrays) == len(donated)


def is_consumed(array):
    return not isinstance(array, jax.Array)


@pytest.fixture
def nested(model):
    return importlib.import_module("shared.nested")


def one_table(nested, name):
    """Return an object with one table, and the paths to it."""
    table = jax.numpy.arange(2.0)
    embed = nested.Embed(table)
    lent = nested.Lent(embed, embed, table)
    plain = nested.Plain(embed, nested.Embed(table), table)
    both = nested.Both(table, table)
    second = nested.Embed(table)
    of_part = nested.OfPart(nested.Plain(embed, embed, table))
    made = {
        "Tied": lambda: nested.Tied(embed, nested.Decoder(embed, table)),
        "Outermost": lambda: nested.Outermost(nested.HeadOwns(embed, table), embed),
        "OfOne": lambda: nested.OfOne(lent),
        "Lends": lambda: nested.Lends(embed, of_part),
        "Same": lambda: nested.Same(nested.Pair(plain, plain)),
        "Crossed": lambda: nested.Crossed(
            nested.Tables(embed, second), nested.Tables(embed, second)
        ),
        "Twice": lambda: nested.Twice(both, nested.Holder(both)),
        "Held": lambda: nested.Held(embed, nested.More(embed, nested.Embed(table), table)),
    }[name]()
    return made, TABLES[name]


TABLES = {
    "Tied": ["embed.table", "decoder.embed.table", "decoder.head"],
    "Outermost": ["embed.table", "inner.embed.table", "inner.head"],
    "OfOne": ["part.embed.table", "part.other.table", "part.head"],
    "Lends": ["embed.table", "inner.part.embed.table", "inner.part.head"],
    "Same": ["pair.other.embed.table", "pair.one.embed.table"],
    "Crossed": [
        "one.first.table",
        "one.second.table",
        "other.first.table",
        "other.second.table",
    ],
    "Twice": ["both.first", "both.second", "holder.both.first", "holder.both.second"],
    "Held": ["embed.table", "part.embed.table", "part.other.table", "part.head"],
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "transform",
    [
        jax.jit(lambda o: o),
        lambda o: jax.tree.map(lambda leaf: leaf + 1, o),
        lambda o: jax.tree.map(lambda _: "name", o),
        lambda o: jax.eval_shape(lambda o: o, o),
        lambda o: pickle.loads(pickle.dumps(o)),
        copy.deepcopy,
        copy.copy,
        lambda o: o.draft().freeze(),
        preserve_identities(jax.jit)(lambda o: o),
        lambda o: preserve_identities(jax.jit)(lambda one, _: one)(o, o),
    ],
)
def test_every_path_leads_to_the_shared_part_after_a_transformation(nested, name, transform):
    obj, paths = one_table(nested, name)
    made = transform(obj)
    first, *others = (at(made, path.split(".")) for path in paths)
    assert first is not None
    assert all(other is first for other in others)


def test_a_consumed_array_is_named_by_its_owner_after_its_other_fields(nested):
    """The field of the outermost owner is the last one in the class."""
    obj, paths = one_table(nested, "Outermost")
    jit(lambda obj: jax.tree.map(lambda leaf: leaf + 1, obj), donated="obj")(obj)
    for path in paths:
        with pytest.raises(ConsumedError, match=r"`Embed\.table` was .* as `obj\.embed\.table`"):
            at(obj, path.split(".")) + 1


def test_replace_of_the_outermost_owner_rebinds_what_inner_classes_share(nested):
    for name in ("Tied", "Outermost", "Lends"):
        obj, paths = one_table(nested, name)
        embed = nested.Embed(jax.numpy.ones(2))
        replaced = obj.replace(embed=embed)
        assert all(at(replaced, path.split(".")) is embed.table for path in paths)
        assert all(at(obj, path.split(".")) is obj.embed.table for path in paths)


def test_replace_checks_the_types_of_all_sharing_classes(nested):
    twice, _ = one_table(nested, "Twice")
    other = nested.Both(jax.numpy.ones(2), jax.numpy.ones(2))
    with pytest.raises(ValueError, match=r"`Twice\.both\.first` and `Twice\.both\.second`"):
        twice.replace(both=other)
    table = jax.numpy.ones(2)
    replaced = twice.replace(both=nested.Both(table, table))
    assert replaced.holder.both is replaced.both


def test_placeholder_for_a_part_that_owns_shared_parts(nested):
    """`optax.masked` leaves such a placeholder. Parts that it would own are missing and have no leaves."""
    obj, _ = one_table(nested, "Tied")
    outer = jax.tree.structure(obj, is_leaf=lambda part: type(part).__name__ == "Embed")
    masked = jax.tree.unflatten(outer, [None])
    assert masked.embed is masked.decoder.embed is masked.decoder.head is None
    assert jax.tree.leaves(masked) == []
    assert jax.tree.leaves(jax.tree.map(lambda leaf: leaf, masked)) == []
