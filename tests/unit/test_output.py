"""The text of generated modules, where it depends on the schema: small schemas and what is written for them."""

from __future__ import annotations

from codegen import pipeline
from codegen.options import Options


def _written(schema: str) -> str:
    """The text of a module."""
    files = [("schemas/heat.pyi", "heat", schema.encode())]
    made = pipeline.compile(files, Options("schemas", "generated"))
    assert not made.report, made.report
    return next(file.text for file in made.rendered if file.path == "heat.py")


def test_no_object_is_exactly_of_an_abstract_class() -> None:
    text = _written("""\
from codegen.schema import dynamic, f32, impl, static

class Solver(abstract=True, use="static"): ...

class Euler(Solver):
    n: static[int]

class Model(abstract=True, use="dynamic"): ...

class Mixing(Model):
    length: dynamic[f32]

class Plasma:
    model: dynamic[Model]
    mixing: dynamic[Mixing]
    other: dynamic[Model | None]
    solver: static[Solver]
    euler: static[Euler]
    second: static[Solver | None]

@impl("heat_model:step")
def step(model: dynamic[Model], solver: static[Solver]) -> f32: ...
""")
    assert "is not Solver" not in text
    assert "is not Model" not in text
    for lines in (
        '        model = as_part(model, Model, type(self), "model")\n        if type(mixing)',
        "        if type(mixing) is not Mixing:\n            mixing = as_part(mixing, Mixing, ",
        "        if other is not None:\n            other = as_part(other, Model, ",
        '    solver = as_instance(solver, Solver, cls, "solver")\n    if type(euler)',
        "    if second is not None:\n        second = as_instance(second, Solver, ",
        '    model = as_part(model, Model, "step", "model")\n',
        '    solver = as_instance(solver, Solver, "step", "solver")\n',
    ):
        assert f"\n{lines}" in text


def test_an_array_that_says_sizes_is_not_compared_with_itself() -> None:
    text = _written("""\
from codegen.schema import Dim, dynamic, f32, i32, static

n = Dim()
m = Dim()

class Linear:
    w: dynamic[f32[m, n]]
    b: dynamic[f32[n]]

class Alone:
    x: dynamic[i32[n, m]]

class Square:
    x: dynamic[f32[n, n]]

class Known:
    n: static[int]
    x: dynamic[f32[n, m]]
    y: dynamic[f32[m + 1]]

class Table:
    x: static[f32[n, m]]
    y: static[f32[n]]
    z: dynamic[f32[2]]
""")
    for lines in (
        "    _, n = shape_of(obj.w, FLOAT32)\n    return fits(obj.b, FLOAT32, (n,))",
        "    return fits_rank(obj.x, INT32, 2)",
        "    n, _ = obj.x.shape\n    return fits(obj.x, FLOAT32, (n, n))",
        "    n = obj.n\n    _, m = obj.x.shape\n"
        "    return fits(obj.x, FLOAT32, (n, m)) and fits(obj.y, FLOAT32, (m + 1,))",
        "    n, _ = obj.x.shape\n"
        "    same: bool = obj.y.shape == (n,) and fits(obj.z, FLOAT32, (2,))\n    return same",
    ):
        assert f"\n{lines}\n" in text


def test_sizes_are_read_in_the_order_written() -> None:
    text = _written("""\
from codegen.schema import Dim, dynamic, f32, static

e = Dim()
d = Dim()
c = Dim()
b = Dim()
a = Dim()

class Sum:
    a: static[int]
    b: static[int]
    c: static[int]
    d: static[int]
    e: static[int]
    x: dynamic[f32[c + a + e + b + d]]
""")
    assert "\n    c, a, e, b, d = obj.c, obj.a, obj.e, obj.b, obj.d\n" in text


def test_a_class_without_static_values_has_one_key() -> None:
    text = _written("""\
from codegen.schema import dynamic, f32, static

class Plain:
    x: dynamic[f32]

class Grid:
    nx: static[int]
""")
    one = '    """Return the class\'s one trace key: it has no static values."""'
    assert f"{one}\n    return intern_key(cls, (), ())\n" in text
    found = '    """Bring the static values to their declared types, and find their trace key."""'
    assert f"{found}\n    if type(nx) is not int:\n" in text


def test_what_has_no_children_is_filled_without_them() -> None:
    text = _written("""\
from codegen.schema import dynamic, f32, static

class Grid:
    nx: static[int]

class Fine(Grid):
    ny: static[int]

class Plain:
    x: dynamic[f32]
""")
    for name in ("Grid", "Fine", "Plain"):
        parameters = "obj: Any, key: TraceKey, children: tuple[Any, ...]"
        assert f"\ndef _codegen_fill_{name}({parameters}) -> None:\n" in text
    assert text.count("record.fill(self, key, ())\n") == 2
    assert text.count("record.fill(self, key, (x,))\n") == 1


def test_a_draft_says_of_what_it_is() -> None:
    name = "A" + "VeryLong" * 5 + "Name"
    text = _written(f"""\
from codegen.schema import dynamic, f32

class Plate:
    x: dynamic[f32]

class {name}:
    x: dynamic[f32]
""")
    assert '        """A mutable `Plate`, for the trace that it is made in."""\n' in text
    ends = "            The draft cannot be used afterwards, unless it is part of another.\n"
    assert f'            """Return the `Plate` as it is now.\n\n{ends}            """\n' in text
    assert f'        """A mutable `{name}`, for the trace\n        that it is made in.\n' in text
    assert max(map(len, text.splitlines())) <= 88


def test_sizes_are_read_from_what_is_given_unless_it_is_converted() -> None:
    text = _written("""\
from codegen.schema import Dim, dynamic, f32, field, static

n = Dim()
nx = Dim()
ny = Dim()

class Grid:
    nx: static[int]
    ny: static[int]

class Plate:
    grid: static[Grid]
    n: static[int]
    u: dynamic[f32[nx, ny, n]]

class Converted:
    grid: static[Grid] = field(convert="heat_model:as_grid")
    u: dynamic[f32[nx, ny]]
""")
    plate, converted = text.split("class Converted(")
    key = "    key = cls.__codegen_record__.key(cls, grid, n)\n"
    assert f"{key}    nx, ny = grid.nx, grid.ny\n    n = key.values[1]\n" in plate
    assert "    nx = key.values[0].nx\n    ny = key.values[0].ny\n" in converted


def test_what_has_left_the_standard_library_stands_where_it_stood() -> None:
    """Or another version of Python would give other bytes."""
    text = _written("""\
from telnetlib import Telnet

from codegen.schema import f32, dynamic, static

class Line:
    open: static[Telnet]
    u: dynamic[f32]
""")
    assert text.index("import Telnet") < text.index("from jax import")


def test_a_base_s_argument_that_is_to_come_is_a_string() -> None:
    """Unlike an annotation, a base is evaluated."""
    text = _written("""\
from typing import Generic, TypeVar

from codegen.schema import static

T = TypeVar("T")

class Leaf:
    n: static[int]

class Node(Generic[T]):
    x: static[T]

class Tree(Node[Tree | None]):
    n: static[int]

class Other(Node[Leaf]):
    n: static[int]
""")
    assert '\nclass Tree(Node["Tree | None"]):\n' in text
    assert "\nclass Other(Node[Leaf]):\n" in text


def test_only_annotations_that_there_are_stay_unevaluated() -> None:
    future = "from __future__ import annotations\n"
    names = """\
from enum import Enum

from codegen.schema import Dim, f32, impl

n = Dim()
Field = f32[n, n]

class Scheme(Enum):
    EXPLICIT = "explicit"
"""
    assert future not in _written(names)
    assert future in _written(f"{names}\nclass Grid: ...\n")
    assert future in _written(f'{names}\n@impl("heat_model:step")\ndef step() -> Field: ...\n')
