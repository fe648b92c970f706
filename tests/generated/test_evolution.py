"""Objects and pickles from before a change of the schema keep their values."""

import copy
import importlib
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from codegen.runtime import frozendict, upgrade
from tests.generated.impl import evolving
from tests.generated.package import forget, rendered, write

HEAD = """
from enum import Enum
from typing import Callable
from codegen.schema import donated, dynamic, f32, field, frozendict, i32, impl, share, static

class Mode(Enum):
    FAST = "fast"
    EXACT = "exact"

class S:
    n: static[int]

class Inner:
    v: dynamic[f32]
    w: dynamic[f32] = 0.0
    k: static[int] = 1
    j: static[int] = 2

@impl("tests.generated.impl.evolving:total")
def total(a: dynamic[A], factor: static[int] = 1, shift: static[int] = 0) -> f32: ...

class A:
"""


@dataclass
class Project:
    """A package whose only module is rewritten several times."""

    site: Path
    name: str

    def build(self, body: str) -> None:
        schemas = self.site / f"{self.name}_schemas"
        schemas.mkdir(exist_ok=True)
        lines = "".join(f"    {line}\n" for line in body.split("; "))
        (schemas / "m.pyi").write_text(HEAD + lines, encoding="utf-8")
        write(rendered(schemas), self.site, self.name)
        # Two builds within a second may have equal size, and the bytecode cache compares only time and size.
        for cached in (self.site / self.name / "__pycache__").glob("m.*"):
            cached.unlink()

    def fresh(self, body: str) -> ModuleType:
        """Build a version, and import it as a new process would."""
        self.build(body)
        forget(f"{self.name}.m")
        return importlib.import_module(f"{self.name}.m")

    def reloaded(self, body: str) -> ModuleType:
        """Build a version, and reload the imported module."""
        self.build(body)
        return importlib.reload(sys.modules[f"{self.name}.m"])


@pytest.fixture
def project(site: Path, request: pytest.FixtureRequest) -> Iterator[Project]:
    name = "evolving_" + re.sub(r"\W", "_", request.node.name)
    yield Project(site, name)
    forget(name)


def field_values(obj: Any) -> dict[str, Any]:
    """Return every field, with arrays as lists."""
    return {
        name: np.asarray(value).tolist() if hasattr(value, "dtype") else value
        for name in type(obj).__match_args__
        for value in [getattr(obj, name)]
    }


# --- pickles

PLAIN = "x: dynamic[f32]; y: donated[f32]; n: static[int]; m: static[int]"
NOW = [
    ("y: donated[f32]; x: dynamic[f32]; m: static[int]; n: static[int]", {}),
    ("m: static[int]; y: donated[f32]; n: static[int]; x: donated[f32]", {}),
    ("z: dynamic[f32]  # codegen: was[x]; y: donated[f32]; n: static[int]; m: static[int]", {}),
    ("k: static[int]  # codegen: was[n]; n2: static[int]  # codegen: was[m]; "
     "y: dynamic[f32]; x: dynamic[f32]", {}),
    ("q: dynamic[f32]  # codegen: was[p, y]; x: dynamic[f32]; n: static[int]; m: static[int]", {}),
    (f"{PLAIN}; z: dynamic[f32] = 4.0; s: static[str] = 'a'", {"z": 4.0, "s": "a"}),
    (f"{PLAIN}; i: static[Mode] = Mode.FAST; o: dynamic[f32 | None] = None", {"o": None}),
]  # fmt: skip


def test_pickles_are_loaded_by_name(project: Project) -> None:
    module = project.fresh(PLAIN)
    data = pickle.dumps(module.A(x=1.0, y=2.0, n=3, m=4))
    for body, added in NOW:
        loaded = pickle.loads(data)  # its own version first
        assert field_values(loaded) == {"x": 1.0, "y": 2.0, "n": 3, "m": 4}, body
        module = project.fresh(body)
        loaded = pickle.loads(data)
        assert type(loaded) is module.A
        found = field_values(loaded)
        renamed = {"z": "x"} if "was[x]" in body else {"k": "n", "n2": "m"}
        renamed = {"q": "y"} if "was[p, y]" in body else renamed
        values = {"x": 1.0, "y": 2.0, "n": 3, "m": 4}
        old = {renamed.get(name, name) if name not in values else name: name for name in found}
        for name, value in values.items():
            assert found[old[name]] == value, (body, name)
        assert added.items() <= found.items(), body
        if "z" in added:
            assert loaded.z.dtype == jnp.float32
            assert not loaded.z.weak_type
        assert loaded.replace() == loaded, body
        project.fresh(PLAIN)


# A field whose name was that of another field earlier, or is a new field.
TAKEN = [
    ("x: dynamic[f32]", "x: dynamic[f32] = 7.0; y: dynamic[f32] = 8.0  # codegen: was[x]",
     {"x": 7.0, "y": 1.0}),
    ("x: dynamic[f32]; y: dynamic[f32]", "y: dynamic[f32]; z: dynamic[f32]  # codegen: was[x]",
     {"y": 2.0, "z": 1.0}),
    ("x: dynamic[f32]; y: dynamic[f32]", "x: dynamic[f32]  # codegen: was[w]; y: dynamic[f32]",
     {"x": 1.0, "y": 2.0}),
    ("x: dynamic[f32]; n: static[int] = 5",
     "m: static[int]  # codegen: was[n]; n: static[int] = 9; x: dynamic[f32]",
     {"x": 1.0, "m": 5, "n": 9}),
    ("x: dynamic[f32]; y: dynamic[f32]",
     "y: dynamic[f32]  # codegen: was[x]; z: dynamic[f32]  # codegen: was[y]",
     {"y": 1.0, "z": 2.0}),
    ("x: dynamic[f32]; y: dynamic[f32]",
     "z: dynamic[f32]  # codegen: was[y]; w: dynamic[f32] = 7.0  # codegen: was[v, z]; "
     "y: dynamic[f32]  # codegen: was[x]; x: dynamic[f32] = 9.0",
     {"z": 2.0, "w": 7.0, "y": 1.0, "x": 9.0}),
]  # fmt: skip


def test_pickle_with_a_former_name_that_is_reused(project: Project) -> None:
    for before, after, expected in TAKEN:
        module = project.fresh(before)
        value = module.A(*(1.0, 2.0)[: before.count("dynamic")])
        data = pickle.dumps(value)
        assert field_values(pickle.loads(data)) == field_values(value)
        module = project.fresh(after)
        loaded = pickle.loads(data)
        assert field_values(loaded) == expected, after
        assert field_values(pickle.loads(pickle.dumps(loaded))) == expected, after


REFUSED = [
    ("x: dynamic[f32]; n: static[int]; m: static[int]", "`y` was Float32.* and is now not a field.*was"),
    (f"{PLAIN}; z: dynamic[f32]", "`z` was not a field and is now Float32.*a default"),
    (f"{PLAIN}; z: static[int]", "`z` was not a field and is now static.*a default"),
    ("x: dynamic[f32]; y: donated[f32]; n: dynamic[f32]; m: static[int]",
     "`n` was static and is now Float32"),
    ("x: static[float]; y: donated[f32]; n: static[int]; m: static[int]",
     "`x` was Float32.* and is now static"),
    ("x: dynamic[f32]; y: donated[f32]; n: static[str]; m: static[int]", r"`A\.n` takes a str"),
    ("x: dynamic[i32]; y: donated[f32]; n: static[int]; m: static[int]",
     r"`x` was Float32\[Array, \.\.\.\] and is now Int32\[Array, \.\.\.\]"),
    ("x: dynamic[Inner]; y: donated[f32]; n: static[int]; m: static[int]",
     "`x` was Float32.* and is now Inner"),
    ("x: dynamic[f32 | None] = None; y: donated[f32]; n: static[int]; m: static[int]",
     "`x` was Float32"),
]  # fmt: skip


def test_incompatible_pickle_is_rejected(project: Project) -> None:
    module = project.fresh(PLAIN)
    data = pickle.dumps(module.A(x=1.0, y=2.0, n=3, m=4))
    for body, text in REFUSED:
        project.fresh(body)
        with pytest.raises(TypeError, match=text) as caught:
            pickle.loads(data)
        assert "A" in str(caught.value), body


def test_pickled_treedefs_do_not_swap_leaves(project: Project) -> None:
    module = project.fresh(PLAIN)
    leaves, treedef = jax.tree.flatten(module.A(x=1.0, y=2.0, n=3, m=4))
    data = pickle.dumps((leaves, treedef))
    project.fresh("x: dynamic[f32]; y: donated[f32]; m: static[int]; n: static[int]")
    loaded, treedef = pickle.loads(data)
    assert field_values(jax.tree.unflatten(treedef, loaded)) == {"x": 1.0, "y": 2.0, "m": 4, "n": 3}
    project.fresh("y: donated[f32]; x: dynamic[f32]; n: static[int]; m: static[int]")
    with pytest.raises(TypeError, match=r"for x, y, n, m, but the fields are now y, x, n, m"):
        pickle.loads(data)


def test_nested_pickles_are_loaded_by_name(project: Project) -> None:
    before = "a: dynamic[Inner]; b: dynamic[tuple[Inner, ...]]; c: static[tuple[int, ...]] = (1, 2)"
    module = project.fresh(before)
    inner = module.Inner(1.0, w=2.0, k=5, j=6)
    data = pickle.dumps(module.A(inner, (inner, inner.replace(v=3.0))))
    after = before.replace("a:", "aa:").replace("; b:", "  # codegen: was[a]; b:")
    module = project.fresh(after)
    loaded = pickle.loads(data)
    assert loaded.aa is loaded.b[0]
    assert [float(one.v) for one in loaded.b] == [1.0, 3.0]
    assert (loaded.aa.k, loaded.aa.j, loaded.c) == (5, 6, (1, 2))


def test_pickles_keep_shared_parts(project: Project) -> None:
    before = "a: dynamic[Inner]; b: dynamic[Inner]; share(a, b)"
    module = project.fresh(before)
    inner = module.Inner(1.0)
    data = pickle.dumps(module.A(inner, inner))
    assert len(jax.tree.leaves(pickle.loads(data))) == 2
    for body in (before, "b: dynamic[Inner]; a: dynamic[Inner]; share(a, b)"):
        project.fresh(f"{body}; n: static[int] = 3")
        loaded = pickle.loads(data)
        assert loaded.a is loaded.b
        assert loaded.n == 3
        assert len(jax.tree.leaves(loaded)) == 2


def test_copies_with_placeholders_keep_their_values(project: Project) -> None:
    module = project.fresh(PLAIN)
    value = module.A(x=1.0, y=2.0, n=3, m=4)
    for leaf in (None, True, "text", (1, 2), jax.ShapeDtypeStruct((1,), jnp.float32)):
        held = jax.tree.map(lambda _, leaf=leaf: leaf, value)
        project.fresh("m: static[int]; y: donated[f32]; n: static[int]; x: dynamic[f32]")
        for copied in (copy.copy(held), copy.deepcopy(held)):
            assert field_values(copied) == {"x": leaf, "y": leaf, "n": 3, "m": 4}
        project.fresh(PLAIN)
    # Its class has the fields of before, so a pickle of it has them by name.
    assert field_values(pickle.loads(pickle.dumps(value))) == {"x": 1.0, "y": 2.0, "n": 3, "m": 4}


# --- reloads

VERSIONS = [
    "x: dynamic[f32]; y: donated[f32]; n: static[int]; m: static[int]",
    "y: donated[f32]; x: dynamic[f32]; m: static[int]; n: static[int]",
    "y: donated[f32]; z: dynamic[f32] = 7.0; x: dynamic[f32]; m: static[int]; n: static[int]",
    "x: dynamic[f32]; n: static[int]",
    "n: dynamic[f32]; m: dynamic[f32]; x: static[int]; y: static[int]",
]
WAYS: dict[str, Callable[[Any], Any]] = {
    "map": lambda a: jax.tree.map(lambda x: x * 1, a),
    "jit": jax.jit(lambda a: jax.tree.map(lambda x: x * 1, a)),
    "static jit": jax.jit(lambda a: a.replace(x=a.x * 1)),
    "vmap": lambda a: jax.tree.map(
        lambda x: x[0],
        jax.vmap(lambda a: jax.tree.map(lambda x: x * 1, a))(jax.tree.map(lambda x: x[None], a)),
    ),
    "scan": lambda a: jax.lax.scan(lambda c, _: (jax.tree.map(lambda x: x * 1, c), None), a, None, 2)[0],
    "cond": lambda a: jax.lax.cond(True, lambda a: a, lambda a: a, a),
    "grad": lambda a: jax.tree.map(
        lambda g, x: x * g, jax.grad(lambda a: sum(jax.tree.leaves(a)))(a), a
    ),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "replace": lambda a: a.replace(),
    "replace one": lambda a: a.replace(x=a.x),
    "replace static": lambda a: a.replace(n=a.n + 0),
}  # fmt: skip


def test_reload_does_not_change_earlier_objects(project: Project) -> None:
    first, *others = VERSIONS
    module = project.fresh(first)
    old = module.A(x=1.0, y=2.0, n=3, m=4)
    expected = field_values(old)
    leaves, treedef = jax.tree.flatten(old)
    cls = module.A
    for body in others:
        module = project.reloaded(body)
        assert module.A is not cls
        for name, way in WAYS.items():
            assert field_values(way(old)) == expected, (body, name)
            assert type(way(old)) is cls, (body, name)
        assert field_values(jax.tree.unflatten(treedef, leaves)) == expected, body
        assert field_values(cls(x=1.0, y=2.0, n=3, m=4)) == expected, body
        assert cls(x=1.0, y=2.0, n=3, m=4).__codegen_key__ is old.__codegen_key__
        assert str(old) == str(jax.tree.map(lambda x: x, old)), body
        assert old.check() is old, body


def test_reload_does_not_change_parts_of_earlier_objects(project: Project) -> None:
    module = project.fresh("a: dynamic[Inner]; mode: static[Mode]")
    old = module.A(module.Inner(1.0, w=2.0, k=3), module.Mode.FAST)
    for _ in range(2):
        project.reloaded("mode: static[Mode]; a: dynamic[Inner]")
        for changed in (old.replace(mode=old.mode), old.replace(a=old.a), jax.tree.map(abs, old)):
            assert type(changed) is type(old)
            assert changed.mode is old.mode
            assert (float(changed.a.v), float(changed.a.w), changed.a.k) == (1.0, 2.0, 3)


def test_object_from_before_a_reload_is_rejected_by_name(project: Project) -> None:
    module = project.fresh(PLAIN)
    old, total = module.A(x=1.0, y=2.0, n=3, m=4), module.total
    assert total(old) == 1.0 + 2.0
    module = project.reloaded("y: donated[f32]; x: dynamic[f32]; n: static[int]; m: static[int]")
    earlier = rf"its class is from before `{project.name}\.m` was reloaded: call `upgrade"
    for function in (total, module.total):
        with pytest.raises(TypeError, match=earlier):
            function(old)
    evolving.calls.clear()
    new = module.A(x=1.0, y=2.0, n=3, m=4)
    assert total(new) == module.total(new) == 1.0 + 2.0
    assert len(evolving.calls) == 2  # Each version was traced once.


def test_upgrade_rebuilds_objects_by_field_name(project: Project) -> None:
    before = (
        "parts: dynamic[tuple[Inner, ...]]; mode: static[Mode]; f: static[Callable[[int], int]]; "
        "c: static[frozendict[str, tuple[Mode, S]]]; x: dynamic[f32] = 3.0; y: dynamic[f32] = 2.0"
    )
    module = project.fresh(before)
    shared, s = module.Inner(1.0, k=5), module.S(4)
    config = {"one": (module.Mode.FAST, s)}
    old = module.A((shared, shared), module.Mode.EXACT, evolving.twice, c=frozendict(config))
    state = {"step": 1, "model": [old], "opt": optax.adam(1.0).init(old)}
    assert upgrade(state) is state
    after = before.replace("; mode:", "  # codegen: was[parts]; mode:").replace("parts:", "pieces:")
    module = project.reloaded(f"z: dynamic[f32] = 7.0; {after}")
    importlib.reload(evolving)
    for new in (upgrade(state), pickle.loads(pickle.dumps(state))):
        model = new["model"][0]
        assert type(model) is type(new["opt"][0].mu) is module.A
        assert (model.z, model.x, new["step"], new["opt"][0].count) == (7.0, 3.0, 1, 0)
        assert model.pieces[0] is model.pieces[1]
        assert type(model.pieces[0]) is module.Inner
        assert model.pieces[0].k == 5
        assert model.mode is module.Mode.EXACT
        assert model.f is evolving.twice
        assert model.c == frozendict({"one": (module.Mode.FAST, module.S(4))})
        assert module.total(model) == 5.0
    assert upgrade(new) is new
    module = project.reloaded("x: static[int]")
    with pytest.raises(
        TypeError, match=r"cannot rebuild an earlier `.*\.A`.*`x` was .* and is now static"
    ):
        upgrade(old)


def test_error_names_the_module_that_was_not_reloaded(site: Path, project: Project) -> None:
    schemas = site / f"{project.name}_two"
    schemas.mkdir()
    (schemas / "parts.pyi").write_text(
        "from codegen.schema import dynamic, f32\nclass Part:\n    x: dynamic[f32]\n"
    )
    (schemas / "wholes.pyi").write_text(
        "from codegen.schema import dynamic\nfrom .parts import Part\n"
        "class Whole:\n    part: dynamic[Part]\n"
    )
    package = write(rendered(schemas), site, project.name)
    package.wholes.Whole(package.parts.Part(1.0))
    parts = importlib.reload(package.parts)
    with pytest.raises(TypeError, match=rf"`{project.name}\.parts` was reloaded, but the code"):
        package.wholes.Whole(parts.Part(1.0))
    importlib.reload(package.wholes).Whole(parts.Part(1.0))
