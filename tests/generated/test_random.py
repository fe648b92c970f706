"""Random classes: the generated code is clean, and objects have the properties of property tests."""

import contextlib
import itertools
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from codegen.options import Options
from codegen.pipeline import compile as compile_schemas
from codegen.testing import checks, strategy
from tests.generated import checkers
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


_static_atoms = st.sampled_from(
    [
        *("int", "float", "bool", "complex", "str", "bytes", "None"),
        *('Literal["a", "b"]', 'Literal[1, True, None, "it\'s"]'),
    ]
)
_static_leaves = _static_atoms | st.sampled_from(
    [
        *("dtype", "f32[3]", "Float[..., n_of_a_dimension]", "Any", "Leaf"),
        *("Callable[[f32[2]], f32] | None", "identity[Callable[[f32[2]], f32]]"),
    ]
)
_dynamic_leaves = st.sampled_from(
    [
        *("f32", "f32[3, n_of_a_dimension]", "i32", "bf16[...]", "float", "int", "Any", "Part"),
        "stacked[Layer, n_of_a_dimension]",
    ]
)


def _tuples(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    counts = st.sampled_from(["...", "2", "n_of_a_dimension"])
    return st.one_of(
        st.builds("tuple[{}, {}]".format, inner, counts),
        st.lists(inner, min_size=1, max_size=4).map(lambda items: f"tuple[{', '.join(items)}]"),
        inner.filter(lambda one: "None" not in one and one != "Any").map("{} | None".format),
    )


def _statics(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    # The language rejects `identity` inside a frozendict.
    values = inner.filter(lambda one: "identity" not in one)
    return st.one_of(
        _tuples(inner),
        values.map("frozendict[str, {}]".format),
        _static_atoms.map("frozenset[{}]".format),
    )


def _dynamics(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    containers = ["list[{}]", "dict[str, {}]", "Sequence[{}]", "Mapping[str, {}]"]
    return _tuples(inner) | st.builds(str.format, st.sampled_from(containers), inner)


_static_types = st.recursive(_static_leaves, _statics, max_leaves=6)
_dynamic_types = st.recursive(_dynamic_leaves, _dynamics, max_leaves=6)
_words = st.text("abcdefgh_", max_size=12) | st.text("abcdefgh_", min_size=20, max_size=110)


@st.composite
def _fields(draw: st.DrawFn) -> tuple[str, ...]:
    count = draw(st.integers(0, 5) | st.integers(6, 15))
    fields: list[str] = []
    for index in range(count):
        name = f"x{draw(_words)}{index}"
        role = draw(st.sampled_from(["static", "dynamic"]))
        kind = draw(_static_types if role == "static" else _dynamic_types)
        doc = draw(st.sampled_from(["[m/s]", 'a "quoted" \\ text', "a text of many words " * 6]))
        tag = "" if role == "static" else f" = field(tag={name!r})"
        fields.append(f"    {name}: {role}[{kind}]{tag}  # {doc}")
    return tuple(fields)


@dataclass(frozen=True, slots=True)
class RandomClass:
    """A schema with one class."""

    name: str
    fields: tuple[str, ...]
    options: str

    def schema(self) -> str:
        lines = [f"class {self.name}{self.options}:", '    """A random class."""', ""]
        return "\n".join([*lines, *self.fields]) + "\n"


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


def test_random_classes_are_clean_and_have_the_properties(site: Path) -> None:
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
        assert checkers.mypy(site, [package.name]) == []
        for index, made in enumerate(classes):
            _require_properties(getattr(package.load(f"module{index}"), made.name))
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


def _require_properties(cls: Any) -> None:
    @settings(
        max_examples=examples(3),
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
        database=None,
    )
    @given(strategy(cls))
    def check(value: Any) -> None:
        checks.round_trip(value)
        checks.placeholders(value)
        with contextlib.suppress(pytest.skip.Exception):  # JAX keys cannot be pickled
            checks.pickled(value)

    check()
