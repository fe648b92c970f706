"""Random classes that contain each other through classes with type parameters.

If a search finds an object of each class, the schema is legal. The generated module is then imported, and the object
is created and checked. All other schemas are rejected, with a place in the schema.
"""

from __future__ import annotations

import inspect
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import jax.numpy as jnp
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from codegen import pipeline
from codegen.diagnostics import Code
from codegen.diff.comparison import KINDS
from codegen.options import Options
from tests.generated.package import forget, write
from tests.inputs import examples

OPTIONS = Options("", "generated")
HEAD = """from typing import Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()
T = TypeVar("T")
U = TypeVar("U")

"""
# A type constructor and its arguments: ("tuple", (("f32[n]", ()),)).
Type: TypeAlias = tuple[str, tuple[Any, ...]]
_FORMS = {
    "|": "{} | None",
    "either": "{} | {}",
    "many": "tuple[{}, ...]",
    "pair": "tuple[{}, {}]",
    "sized": "tuple[{}, n]",
    "dict": "dict[str, {}]",
}
# The classes, with the numbers of their parameters.
CLASSES = {"A": 0, "B": 0, "C": 0, "F": 1, "G": 1, "H": 2, "Base": 0, "Sub": 0, "Other": 0}
BELOW = {"Base": ["Sub", "Other"]}
_ARRAY: Type = ("f32[n]", ())
_DEPTH_MAX = 12
_counter = itertools.count()


@dataclass(frozen=True)
class Schema:
    """The types of the fields of each class."""

    fields: dict[str, list[Type]]

    def text(self) -> str:
        """Format it as a schema."""
        lines = [HEAD]
        for name, types in self.fields.items():
            generic = f"(Generic[{', '.join('TU'[: CLASSES[name]])}])" if CLASSES[name] else ""
            base = next((f"({base})" for base, names in BELOW.items() if name in names), "")
            abstract = '(abstract=True, use="dynamic")' if name in BELOW else ""
            lines.append(f"class {name}{generic or base or abstract}:")
            role = "donated" if name in "BDF" else "dynamic"
            lines += [f"    {name.lower()}{i}: {role}[{_text(t)}]" for i, t in enumerate(types)]
            lines.append("    ...\n")
        lines.append(
            '@impl("m:f")\ndef f(a: donated[A], b: dynamic[B]) -> tuple[A, H[A, B]]: ...\n'
        )
        return "\n".join(lines)

    def all_fields(self, name: str) -> list[Type]:
        """Return the fields of a class, those of its base first."""
        base = next((base for base, names in BELOW.items() if name in names), None)
        return [*(self.fields[base] if base else []), *self.fields[name]]


def _text(type: Type) -> str:
    head, inside = type
    if head in _FORMS:
        return _FORMS[head].format(*map(_text, inside))
    return f"{head}[{', '.join(map(_text, inside))}]" if inside else head


def _types(parameters: str) -> st.SearchStrategy[Type]:
    names = [(name, ()) for name, count in CLASSES.items() if not count]
    leaves = st.sampled_from([_ARRAY, *names, *[(one, ()) for one in parameters] * 3])

    def around(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
        one = st.tuples(st.sampled_from(["|", "many", "sized", "dict", "F", "G"]), st.tuples(inner))
        two = st.tuples(st.sampled_from(["either", "pair", "H"]), st.tuples(inner, inner))
        return one | two

    return st.recursive(leaves, around, max_leaves=4)


_schemas = st.fixed_dictionaries(
    {name: st.lists(_types("TU"[:count]), max_size=2) for name, count in CLASSES.items()}
).map(Schema)


def _bound(type: Type, arguments: dict[str, Type]) -> Type:
    head, inside = type
    return arguments.get(head) or (head, tuple(_bound(one, arguments) for one in inside))


class Search:
    """A search for values of types, up to a depth limit."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.failed: set[tuple[Type, int]] = set()

    def value(self, type: Type, depth: int = _DEPTH_MAX) -> Any:
        """Return the call that creates a value, as ("A", [...]); None if there is none."""
        if depth == 0 or (type, depth) in self.failed:
            return None
        found = self._value(type, depth)
        if found is None:
            self.failed.add((type, depth))
        return found

    def _value(self, type: Type, depth: int) -> Any:
        head, inside = type
        if type == _ARRAY or head in "TU":
            return ("array",)
        if head in ("|", "many", "dict"):
            return (head,)
        if head == "either":
            return self.value(inside[0], depth) or self.value(inside[1], depth)
        if head in BELOW:
            found = (self.value((name, ()), depth) for name in BELOW[head])
            return next((one for one in found if one is not None), None)
        types = list(inside)
        if head in CLASSES:
            arguments = dict(zip("TU", inside, strict=False))
            types = [_bound(one, arguments) for one in self.schema.all_fields(head)]
            depth -= 1
        values = [self.value(one, depth) for one in types]
        return None if None in values else (head, *values)


# Regression: the dependencies of `B` led back to it through the argument of `F`.
_EDGES = Schema({**{name: [] for name in CLASSES}, "A": [("F", (("|", (("B", ()),)),))],
                 "B": [("A", ())], "F": [("T", ())]})  # fmt: skip


def _create(module: Any, value: Any) -> Any:
    head, *inside = value
    values = [_create(module, one) for one in inside]
    match head:
        case "array":
            return jnp.ones(1)
        case "|":
            return None
        case "many" | "pair" | "sized":
            return tuple(values)
        case "dict":
            return {}
        case _:
            return getattr(module, head)(*values)


def _draw_schemas(count: int) -> list[Schema]:
    found: list[Schema] = []

    @settings(
        max_examples=examples(count),
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
        database=None,
    )
    @given(_schemas)
    def collect(schema: Schema) -> None:
        found.append(schema)

    collect()
    return found


def _files(schema: Schema, name: str = "a") -> list[pipeline.File]:
    return [(f"{name}.pyi", name, schema.text().encode())]


def test_class_is_legal_exactly_if_a_search_finds_an_object(site: Path) -> None:
    legal: list[Schema] = []
    others = 0
    for schema in [_EDGES, *_draw_schemas(150)]:
        report = pipeline.run(_files(schema), OPTIONS, "checked").report
        # Other errors, such as a repeated union member, are ignored.
        if {one.code for one in report} <= {Code.REQUIRED_CYCLE}:
            search = Search(schema)
            names = [name for name in CLASSES if name not in BELOW]
            empty = [
                n for n in names if search.value((n, (("T", ()), ("U", ()))[: CLASSES[n]])) is None
            ]
            assert bool(empty) == bool(report), (schema.text(), empty)
            legal += [] if empty else [schema]
            others += bool(empty)
    # How many of both are drawn depends on the version of Hypothesis.
    assert min(len(legal), others) > 10
    _require_that_every_verb_ends(legal)
    files = [file for i, one in enumerate(legal) for file in _files(one, f"m{i}")]
    package = write(pipeline.compile(files, OPTIONS).rendered, site, f"rec_{next(_counter)}")
    try:
        for i, schema in enumerate(legal):
            try:
                _require_objects(package.load(f"m{i}"), schema)
            except Exception as error:
                error.add_note(schema.text())
                raise
    finally:
        forget(package.name)


def _require_that_every_verb_ends(legal: list[Schema]) -> None:
    before = pipeline.run(_files(legal[-1]), OPTIONS, "checked")
    for schema in legal:
        files = _files(schema)
        pipeline.lint(files, OPTIONS, list(Code))
        after = pipeline.run(files, OPTIONS, "checked")
        pipeline.breaking(before, after, KINDS)
        before = after


def _require_objects(module: Any, schema: Schema) -> None:
    search = Search(schema)
    for name in (one for one, count in CLASSES.items() if not count and one not in BELOW):
        made = _create(module, search.value((name, ())))
        made.check()
        if "abstract" in vars(type(made)):
            abstract = type(made).abstract
            needed = inspect.signature(abstract).parameters.items()
            # The keys of a dict, the size of a dimension, or the length of a tuple.
            asked = {one: ("a",) if "str" in str(p.annotation) else 1 for one, p in needed}
            whole = abstract(**asked)
            assert isinstance(whole, type(made))
            whole.check()
