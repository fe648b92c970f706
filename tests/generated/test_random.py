"""Random classes: the generated code is clean, and objects keep their values."""

import copy
import itertools
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from codegen.options import Options
from codegen.pipeline import compile as compile_schemas
from codegen.runtime import frozendict
from tests.generated.package import forget, write
from tests.inputs import examples

_count = itertools.count()

_HEAD = '''"""A random schema."""

from typing import Any, Callable, Literal, Mapping, Sequence

from codegen.schema import (
    Dim, Float, bf16, donated, dtype, dynamic, f32, field, frozendict, i32, identity, stacked, static
)

n_of_a_dimension = Dim()

class Leaf:
    size: static[int]

class Part:
    x: donated[f32]
    n: static[int] = 0

class Layer:
    w: donated[f32[3]]

'''


@dataclass(frozen=True, slots=True)
class Typed:
    """A type in schema syntax and a value of it. The class of a frozendict is None."""

    text: str
    value: Any


@dataclass(frozen=True, slots=True)
class Made:
    """A value that needs the generated package: `Made("Leaf", (3,))`."""

    name: str
    arguments: tuple[Any, ...]


def _of(text: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Typed]:
    return values.map(lambda value: Typed(text, value))


_integers = st.integers(-(2**31), 2**31 - 1)
_texts = st.text("abc'\"\\ é\n", max_size=5)
_static_atoms = st.one_of(
    _of("int", st.integers()),
    _of("float", st.floats()),
    _of("bool", st.booleans()),
    _of("complex", st.complex_numbers()),
    _of("str", _texts),
    _of("bytes", st.binary(max_size=4)),
    _of("None", st.none()),
    _of('Literal["a", "b"]', st.sampled_from(["a", "b"])),
    _of('Literal[1, True, None, "it\'s"]', st.sampled_from([1, True, None, "it's"])),
)
_static_leaves = st.one_of(
    _static_atoms,
    _of("dtype", st.sampled_from(["float32", np.dtype("int8"), jnp.bfloat16])),
    _of("f32[3]", st.just(np.arange(3, dtype=np.float32))),
    _of("Float[..., n_of_a_dimension]", st.just(np.ones((2, 2)))),
    _of("Callable[[f32[2]], f32] | None", st.sampled_from([None, jnp.sum, abs])),
    _of("identity[Callable[[f32[2]], f32]]", st.sampled_from([jnp.sum, abs])),
    _of("Any", st.sampled_from([1, True, (1.0, -0.0), range(3), np.float32(1), len])),
    _of("Leaf", st.integers(0, 9).map(lambda size: Made("Leaf", (size,)))),
)
_dynamic_leaves = st.one_of(
    _of("f32", st.floats(width=32)),
    _of("f32[3, n_of_a_dimension]", st.just(jnp.ones((3, 2)))),
    _of("i32", _integers),
    _of("bf16[...]", st.just(jnp.ones(2, jnp.bfloat16))),
    _of("float", st.floats()),
    _of("int", _integers),
    _of("Any", st.sampled_from([{"a": jnp.ones(2)}, (), [None, 1.0]])),
    _of("Part", st.floats(width=32).map(lambda x: Made("Part", (x,)))),
    _of("stacked[Layer, n_of_a_dimension]", st.just(Made("Layer", (jnp.ones((2, 3)),)))),
)


def _tuples(inner: st.SearchStrategy[Typed]) -> st.SearchStrategy[Typed]:
    many = st.builds(
        lambda t, count: Typed(f"tuple[{t.text}, {count}]", (t.value, t.value)),
        inner,
        st.sampled_from(["...", "2", "n_of_a_dimension"]),
    )
    fixed = st.lists(inner, min_size=1, max_size=4).map(
        lambda ts: Typed(f"tuple[{', '.join(t.text for t in ts)}]", tuple(t.value for t in ts))
    )
    optional = inner.map(lambda t: Typed(f"{t.text} | None", t.value))
    nothing = inner.map(lambda t: Typed(f"{t.text} | None", None))
    plain = inner.filter(lambda t: "None" not in t.text and t.text != "Any")
    return st.one_of(many, fixed, plain.flatmap(lambda _: optional), nothing)


def _statics(inner: st.SearchStrategy[Typed]) -> st.SearchStrategy[Typed]:
    # The language rejects `identity` inside a frozendict.
    keyed = inner.filter(lambda t: "identity" not in t.text).map(
        lambda t: Typed(f"frozendict[str, {t.text}]", Made("frozendict", ({"a": t.value},)))
    )
    sets = _static_atoms.map(lambda t: Typed(f"frozenset[{t.text}]", frozenset([t.value])))
    return st.one_of(_tuples(inner), keyed, sets)


def _dynamics(inner: st.SearchStrategy[Typed]) -> st.SearchStrategy[Typed]:
    lists = inner.map(lambda t: Typed(f"list[{t.text}]", [t.value, t.value]))
    dicts = inner.map(lambda t: Typed(f"dict[str, {t.text}]", {"b": t.value, "a": t.value}))
    # As they are stored.
    sequences = inner.map(lambda t: Typed(f"Sequence[{t.text}]", (t.value, t.value)))
    mappings = inner.map(lambda t: Typed(f"Mapping[str, {t.text}]", {"b": t.value, "a": t.value}))
    return st.one_of(_tuples(inner), lists, dicts, sequences, mappings)


def _is_sound(typed: Typed) -> bool:
    """Exclude types that the language rejects: unions with Any, only None, or a repeated member."""
    return "Any | None" not in typed.text and "None | None" not in typed.text


_static_types = st.recursive(_static_leaves, _statics, max_leaves=6).filter(_is_sound)
_dynamic_types = st.recursive(_dynamic_leaves, _dynamics, max_leaves=6).filter(_is_sound)
_words = st.text("abcdefgh_", max_size=12) | st.text("abcdefgh_", min_size=20, max_size=110)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a random class, and a value for it."""

    name: str
    role: str
    typed: Typed
    doc: str

    def __str__(self) -> str:
        tag = "" if self.role == "static" else f" = field(tag={self.name!r})"
        return f"    {self.name}: {self.role}[{self.typed.text}]{tag}  # {self.doc}"


@st.composite
def _fields(draw: st.DrawFn) -> tuple[Field, ...]:
    count = draw(st.integers(0, 5) | st.integers(6, 15))
    fields: list[Field] = []
    for index in range(count):
        role = draw(st.sampled_from(["static", "dynamic"]))
        typed = draw(_static_types if role == "static" else _dynamic_types)
        doc = draw(st.sampled_from(["[m/s]", 'a "quoted" \\ text', "a text of many words " * 6]))
        fields.append(Field(f"x{draw(_words)}{index}", role, typed, doc))
    return tuple(fields)


@dataclass(frozen=True, slots=True)
class RandomClass:
    """A schema with one class, and values for its fields."""

    name: str
    fields: tuple[Field, ...]
    options: str

    def schema(self) -> str:
        lines = [f"class {self.name}{self.options}:", '    """A random class."""', ""]
        return "\n".join([*lines, *map(str, self.fields)]) + "\n"


_classes = st.builds(
    RandomClass,
    st.builds("{}{}".format, st.just("Made"), _words),
    _fields(),
    st.sampled_from(["", "(kw_only=True)", "(sort_leaves=True)"]),
)


def _examples() -> list[RandomClass]:
    """Draw random classes and build them together, because one by one would take minutes."""
    found: list[RandomClass] = []

    @settings(
        max_examples=examples(60),
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
        database=None,
    )
    @given(_classes)
    def collect(made: RandomClass) -> None:
        found.append(made)

    collect()
    return found


def test_random_classes_are_clean_and_keep_their_values(site: Path) -> None:
    classes = _examples()
    assert len(classes) > 50
    assert sum(len(made.fields) for made in classes) > 100
    files = [
        (f"module{index}.pyi", f"module{index}", (_HEAD + made.schema()).encode())
        for index, made in enumerate(classes)
    ]
    compiled = compile_schemas(files, Options("random", "generated"))
    assert not compiled.report, [(d.message, d.source.line(1)) for d in compiled.report]
    package = write(compiled.rendered, site, f"random_{next(_count)}")
    try:
        _require_clean(package.folder)
        for index, made in enumerate(classes):
            module = package.load(f"module{index}")
            _require_given_values(made, module)
    finally:
        forget(package.name)


def _require_clean(folder: Path) -> None:
    for command in (["format", "--check", "--diff"], ["check"]):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "ruff",
                *command,
                "--isolated",
                "--no-cache",
                ".",
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def _require_given_values(made: RandomClass, module: Any) -> None:
    cls = getattr(module, made.name)

    def build() -> Any:
        values = {f.name: _value(f.typed.value, module) for f in made.fields}
        return cls(**values)

    value, again = build(), build()
    assert value == again
    assert value.__codegen_key__ is again.__codegen_key__
    assert jax.tree.structure(value) == jax.tree.structure(again)
    leaves, treedef = jax.tree.flatten(value)
    assert jax.tree.unflatten(treedef, leaves) == value
    assert pickle.loads(pickle.dumps(treedef)) == treedef
    key = value.__codegen_key__
    assert cls.__codegen_record__.key(cls, key.values) is key
    assert copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(value)).__codegen_key__ is value.__codegen_key__
    shapes = jax.eval_shape(lambda v: v, value)
    assert shapes.__codegen_key__ is value.__codegen_key__
    for field in made.fields:
        if field.role == "static" and field.typed.text in ("int", "bool", "str", "bytes", "None"):
            assert getattr(value, field.name) == field.typed.value


def _value(value: Any, module: Any) -> Any:
    """Create values that need the generated package, also inside containers."""
    match value:
        case Made(name="frozendict"):
            return frozendict(_value(value.arguments[0], module))
        case Made():
            return getattr(module, value.name)(*value.arguments)
        case tuple() | list():
            return type(value)(_value(item, module) for item in value)
        case dict():
            return {name: _value(item, module) for name, item in value.items()}
        case _:
            return value
