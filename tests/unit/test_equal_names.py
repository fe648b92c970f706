"""Messages about classes and enums with the same name in two modules contain the module names."""

from __future__ import annotations

from codegen import pipeline
from codegen.diagnostics import text
from codegen.options import Options

HEAD = """from enum import Enum
from typing import ClassVar
from codegen.schema import donated, dynamic, f32, impl, share, static
"""
FIRST = """
class Scheme(Enum):
    A = 1

class Plate:
    u: dynamic[f32]

class Grid:
    nx: static[int]

class Base:
    p: dynamic[Plate]
    s: static[int]
    @impl("m:f")
    def f(self, g: Grid) -> Plate: ...
"""
# A schema for the second module, and the expected parts of the report.
SECOND = {
    "from .a import Scheme as S\nclass Scheme(Enum):\n    A = 1\nclass C:\n    s: static[Scheme] = S.A\n": (
        "expected a member of `b.Scheme`, not of `a.Scheme`",
    ),
    "from .a import Scheme as S\nclass Scheme(Enum):\n    A = 1\nclass C:\n    s: ClassVar[Scheme] = S.A\n": (
        "expected a member of `b.Scheme`, not of `a.Scheme`",
    ),
    "from .a import Grid as G\nclass Grid:\n    nx: static[int]\nclass C:\n    g: static[Grid] = G(1)\n": (
        "expected a `b.Grid`, not `a.Grid`",
        "call the class: `Grid(...)`",
    ),
    "from .a import Grid as G\nclass Grid:\n    g: static[G] = G()\n": (
        "`a.Grid` is called without `nx`",
        "write `G(nx=...)`",
    ),
    "from .a import Base\nclass Plate:\n    u: dynamic[f32]\nclass C(Base):\n    p: dynamic[Plate]\n": (
        "`C` gives the field `p` a type that `Base` does not allow",
        "`a.Plate` is not `b.Plate`",
    ),
    "from .a import Base as B\nclass Base(B):\n    s: dynamic[f32]\n": (
        "`b.Base` changes the role of the field `s` to dynamic",
        "`a.Base` declares it static",
    ),
    "from .a import Base as B\nclass Base(B):\n    s: static[str]\n": (
        "`b.Base` gives the field `s` a type that `a.Base` does not allow",
    ),
    "from .a import Base as B\nclass Base(B):\n    s: ClassVar[int] = 3\n": (
        "`s` is a constant in `b.Base`, but a field in its base class `a.Base`",
    ),
    "from .a import Base as B\nclass Base(B):\n    @impl('m:f')\n    def f(self, g: int) -> str: ...\n": (
        "`b.Base.f` does not match `a.Base.f` of its base class: the result has another type",
    ),
    "from .a import Plate as P\nclass Plate:\n    u: dynamic[f32]\nclass C:\n    a: dynamic[Plate]\n"
    "    b: dynamic[P]\n    share(a, b)\n": ("`a.Plate`, not `b.Plate`",),
    "from .a import Plate as P\nclass Plate:\n    p: static[P]\n": (
        "the class `a.Plate` is dynamic",
        "write `dynamic[P]`",
    ),
}


def _said(first: str, second: str) -> str:
    files = [("a.pyi", "a", (HEAD + first).encode()), ("b.pyi", "b", (HEAD + second).encode())]
    return text.full(pipeline.run(files, Options("schemas", "generated"), "checked").report)


def test_messages_contain_both_modules() -> None:
    for second, wanted in SECOND.items():
        said = _said(FIRST, second)
        for one in wanted:
            assert one in said, said


def test_messages_about_cycles_contain_the_modules() -> None:
    for held in ("class Plate:\n    p: dynamic[O]\n", "class Plate(O): ...\n"):
        first, second = (f"from .{name} import Plate as O\n{held}" for name in ("b", "a"))
        assert "a.Plate -> b.Plate -> a.Plate" in _said(first, second)


def test_unique_name_is_printed_without_module() -> None:
    assert "`C` gives the field `p` a type that `Base` does not allow" in _said(
        FIRST, "from .a import Base\nclass C(Base):\n    p: dynamic[f32]\n"
    )
    assert "not a narrower type\n" in _said(
        FIRST, "from .a import Base\nclass C(Base):\n    p: dynamic[f32]\n"
    )
