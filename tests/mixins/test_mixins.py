"""Mixins come before generated bases: their members win, and conflicting members are rejected."""

import copy
import dataclasses
import importlib
import pickle
import sys
from pathlib import Path
from types import GenericAlias
from typing import Any

import jax
import pytest
from jax import numpy as jnp

from codegen.options import Options
from codegen.pipeline import compile as compile_schemas
from codegen.runtime.classes import subclasses
from codegen.runtime.classes.bases import InitPytree, ShardedPytree
from codegen.schema import names
from tests.generated.package import forget, write

PLATE = """
from mixins import M

class Plate(M):
    u: donated[f32[n]]
    limit: static[int] = 3

class Grid(M):
    nx: static[int] = 3
"""


def test_member_of_a_mixin_wins(make: Any) -> None:
    outside = """
class Base:
    def __str__(self): return "str of " + repr(self)

class M(Base):
    def __repr__(self): return f"<{type(self).__name__}>"
    def __format__(self, spec): return "formatted"
    def __lt__(self, other): return True
    def __call__(self, x): return x + 1
    def __len__(self): return 7
    def __getitem__(self, i): return i
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        known.append(cls.__name__)
    def __check_init__(self): known.append(self.limit if hasattr(self, "limit") else 0)
known = []
"""
    plates = make(outside, PLATE)
    known = vars(__import__(f"{plates.__package__}_mixins"))["known"]
    assert known == ["Plate", "Grid"]
    for made in (plates.Plate(jnp.ones(2)), plates.Grid()):
        name = type(made).__name__
        assert repr(made) == f"<{name}>"
        assert str(made) == f"str of <{name}>"
        assert f"{made}" == "formatted"
        assert (made < 0, made(1), len(made), made[3]) == (True, 2, 7, 3)
        assert made == copy.deepcopy(made)
        assert pickle.loads(pickle.dumps(made)) == made
        assert jax.tree.map(lambda x: x, made) == made
        assert made.check() is made
        assert type(made).__mro__[1].__name__ == "M"
    assert hash(plates.Grid()) == hash(plates.Grid())
    assert known[2:] == [3, 0, 0, 0]


def test_mixin_with_a_generated_member_is_rejected(make: Any) -> None:
    members = {
        "def replace(self): ...": r"`replace` \(.*under `if TYPE_CHECKING:`",
        "def zeros(self): ...": "`zeros`",
        "abstract = 1": "`abstract`",
        "@classmethod\n    def init(cls): ...": "`init`",
        "def draft(self): ...": "`draft`",
        "def check(self): ...": "`check`",
        "def like(self): ...": "`like`",
        "def axes(self): ...": "`axes`",
        "def fingerprint(self): ...": "`fingerprint`",
        "def __eq__(self, other): ...": r"both define `__eq__` \(the generated class compares and hashes",
        "__hash__ = None": "`__hash__`",
        "def __ne__(self, other): ...": "`__ne__`",
        "def __init__(self): ...": r"`__init__` \(.*`__check_init__\(self\)`",
        "def __new__(cls): ...": "`__new__`",
        "def __post_init__(self): ...": "`__post_init__`",
        "def __setattr__(self, name, value): ...": "`__setattr__`",
        "def __reduce__(self): ...": r"`__reduce__` \(the generated class copies and pickles",
        "def __getstate__(self): ...": "`__getstate__`",
        "def __copy__(self): ...": "`__copy__`",
        "__match_args__ = ()": "`__match_args__`",
        "u = 3": r"`u` \(the schema declares this field: write only its type",
        "u: int\n    @property\n    def limit(self): ...": "`limit`",
        "def zeros(self): ...\n    def replace(self): ...": r"`zeros` \(.*; and `replace` \(",
    }
    schema = PLATE.replace("f32[n]]", 'f32[n]] = field(init="zeros")').split("class Grid")[0]
    schema = schema.replace("Plate(M)", "Plate(M, draft=True)")
    for member, text in members.items():
        for bases in ("class M:\n    ", "class M(Base):\n    pass\nclass Base:\n    "):
            outside = bases + member
            if "Base" in bases:
                first, second = bases.split("class Base:")
                outside = f"class Base:{second}{member}\n{first}"
            with pytest.raises(TypeError, match=text) as error:
                make(outside, schema)
            named = "`Plate` cannot have the mixin `" + ("Base`" if "Base" in bases else "M`")
            assert named in str(error.value), member


def test_a_static_class_has_fewer_names(make: Any) -> None:
    schema = "from mixins import M\nclass Grid(M):\n    nx: static[int] = 3\n"
    free = make("class M:\n    def zeros(self): return 1\n    def axes(self): return 2\n", schema)
    assert (free.Grid().zeros(), free.Grid().axes()) == (1, 2)
    for member in ("replace", "check", "fingerprint", "__hash__"):
        with pytest.raises(TypeError, match=f"`{member}`"):
            make(f"class M:\n    def {member}(self): ...\n", schema)


def test_types_of_fields_are_classes_if_a_mixin_asks(make: Any) -> None:
    """mjx reads them: `field.type is jax.Array`."""
    schema = """
from mixins import M
class Part:
    u: dynamic[f32]
class Plate(M):
    u: donated[f32[n]]
    part: dynamic[Part]
    hot: dynamic[Hot | None]
    parts: dynamic[tuple[Part, ...]]
    pair: dynamic[tuple[Part, f32]]
    many: dynamic[list[f32]]
    level: dynamic[float] = 1.0
    n: static[int] = 3
    names: static[tuple[str, ...]] = ()
    sizes: static[frozenset[int]]
class Hot(Plate):
    t: dynamic[f32]
"""
    plates = make("class M:\n    __codegen_field_types__ = True\n", schema)
    types = {one.name: one.type for one in dataclasses.fields(plates.Hot)}
    assert types == {
        "u": jax.Array,
        "part": plates.Part,
        "hot": plates.Hot | None,
        "parts": GenericAlias(tuple, (plates.Part, ...)),
        "pair": GenericAlias(tuple, (plates.Part, jax.Array)),
        "many": jax.Array,
        "level": jax.Array,
        "n": int,
        "names": tuple[str, ...],
        "sizes": object,
        "t": jax.Array,
    }
    assert isinstance(dataclasses.fields(plates.Part)[0].type, str)


def test_abstract_members_of_a_mixin_are_implemented_by_the_class(make: Any) -> None:
    outside = """
import abc
from typing import Protocol
class M(abc.ABC):
    @property
    @abc.abstractmethod
    def u(self): ...
    @abc.abstractmethod
    def replace(self): ...
    @abc.abstractmethod
    def energy(self): ...
    def doubled(self): return 2 * self.energy()
class P(Protocol):
    def replace(self, **changes): ...
    def half(self): return self.energy() / 2
"""
    schema = """
from mixins import M, P
class Plate(M, P):
    u: donated[f32]
    @impl("operator:attrgetter")
    def energy(self) -> f32: ...
"""
    plates = make(outside, schema)
    plate = plates.Plate(2.0)
    assert plate.replace(u=3.0).u == 3.0
    assert plate.u == 2.0
    assert isinstance(plate, tuple(plates.Plate.__mro__[1:3]))
    # The members of the generated bases would be hidden.
    for kind in ("Protocol", "abc.ABC"):
        text = outside + f"class Q({kind}):\n    @abc.abstractmethod\n    def check(self): ...\n"
        with pytest.raises(TypeError, match=r"`Q` .*`check`"):
            make(text, schema.replace("M, P", "M, Q"))


def test_generic_and_nested_mixins(make: Any) -> None:
    outside = """
from typing import Generic, TypeVar
T = TypeVar("T")
class G(Generic[T]):
    __slots__ = ()
    def tagged(self, tag): return self, tag
class First:
    def name(self): return "first"
class Second(First):
    __slots__ = ()
    def name(self): return "second, " + super().name()
"""
    schema = """
from mixins import First, G, Second
T = TypeVar("T")
class Plate(G[T], Second, First, Generic[T]):
    u: donated[f32[n]]
    tag: static[T]
class Named(Plate[int], Second, abstract=True):
    pass
class Last(Named, Second):
    more: dynamic[f32] = 0.0
"""
    plates = make(outside, schema)
    last = plates.Last(jnp.ones(2), 3)
    assert last.name() == "second, first"
    assert last.tagged(1) == (last, 1)
    assert jax.tree.map(lambda x: x, last) == last


def test_derived_class_is_checked_against_inherited_mixins(make: Any) -> None:
    outside = "class M:\n    def phase(self): ...\n    def abstract(self): ...\n"
    schema = """
from mixins import M
class Shape(M, abstract=True, use="dynamic"):
    pass
"""
    make(outside, schema)
    for more, text in (
        (
            "phase: dynamic[f32[n]]",
            r"`phase` \(.*; and `abstract` \(|`abstract` \(.*; and `phase` \(",
        ),
        ("u: dynamic[f32[n]]", "abstract"),
    ):
        with pytest.raises(TypeError, match=f"`Wave` cannot have the mixin `M` .*{text}"):
            make(outside, f"{schema}class Wave(Shape):\n    {more}\n")


def test_invalid_mixin_is_rejected(make: Any) -> None:
    head = "import abc, collections, dataclasses, enum, typing\n"
    kinds = {
        "def M(): ...": "a mixin must be a class",
        "M = 3": "`3`: a mixin must be a class",
        "class M(enum.Enum):\n    A = 1": "an enum cannot be a mixin",
        "class M(enum.Enum): ...": "an enum cannot be a mixin",
        "class M(typing.NamedTuple):\n    a: int": "a `tuple` cannot be",
        "M = collections.namedtuple('M', 'a')": "a `tuple` cannot be",
        "class M(dict): ...": "a `dict` cannot be",
        "class M(Exception): ...": "a `Exception` cannot be",
        "class M(typing.TypedDict):\n    a: int": "a `dict` cannot be",
        "class M:\n    __slots__ = ('a', 'b')": "it has the slots `a`, `b`",
        "class M:\n    __slots__ = 'a'": "it has the slots `a`",
        "@dataclasses.dataclass\nclass M:\n    a: int = 3": "a dataclass cannot be",
        "@dataclasses.dataclass(frozen=True)\nclass B: ...\nclass M(B): ...": "a dataclass cannot be",
    }
    for text, message in kinds.items():
        with pytest.raises(TypeError, match="`Plate` cannot have the mixin .*" + message):
            make(head + text, PLATE)
    slots = "class M:\n    __slots__ = ('__dict__', '__weakref__')\n"
    assert make(slots, PLATE).Grid().nx == 3
    order = "class N: ...\nclass M(N): ...\n"
    with pytest.raises(TypeError, match=r"mixin `N` .*later mixin `M` derives from it: remove `N`"):
        make(order, PLATE.replace("import M", "import M, N").replace("(M)", "(N, M)"))


def test_list_of_generated_members_is_complete() -> None:
    bases = {*InitPytree.__mro__, *ShardedPytree.__mro__}
    inherited = {name for cls in bases for name in vars(cls)}
    assert {*names.MEMBERS} - {"from_process_local"} <= inherited | subclasses.MEMBERS
    assert {*names.MEMBERS} >= subclasses.MEMBERS


def test_eq_false_uses_equality_of_the_mixin(make: Any) -> None:
    outside = """
class M:
    def __eq__(self, other): return type(other) is type(self) and abs(self.t - other.t) < 0.1
    def __hash__(self): return 3
"""
    schema = """
from mixins import M

class Clock(M, eq=False):
    t: dynamic[f32]

class Alarm(Clock):
    ring: dynamic[f32] = 0.0
"""
    clocks = make(outside, schema)
    for cls in (clocks.Clock, clocks.Alarm):
        assert cls(1.0) == cls(1.01) != cls(2.0)
        assert hash(cls(1.0)) == 3
        assert jax.jit(lambda c: c)(cls(1.0)) == cls(1.0)
    assert clocks.Clock(1.0) != clocks.Alarm(1.0)
    with pytest.raises(TypeError, match=r"`__eq__` .*eq=False"):
        make(outside, schema.replace(", eq=False", ""))


HALF = """
from enum import Enum
from typing import Any

{early}
class Mode(Enum):
    FAST = 1

class Named:
    name: str
    def shown(self) -> str:
        return f"{{self.name}} {{self.mode.name}}"

{late}
"""
TAKEN = "from whole.generated.plates import Plate"
RULES = "import the generated class below everything that the schema"


def test_mixin_in_the_module_that_imports_the_generated_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It works if the output is inside the package and the import is last. Otherwise there is a clear error."""
    # A file rewritten within a second with the same size must not be read from the bytecode cache.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    schema = b"""
from codegen.schema import dynamic, f32, static
from whole.plates import Mode, Named

class Plate(Named):
    u: dynamic[f32]
    name: static[str]
    mode: static[Mode] = Mode.FAST
"""
    compiled = compile_schemas([("plates.pyi", "plates", schema)], Options("schemas", "generated"))
    write(compiled.rendered, tmp_path / "whole", "generated")
    places = {"good": ("", TAKEN), "early": (TAKEN, ""), "generated first": ("", TAKEN)}
    sys.path.insert(0, str(tmp_path))
    for what, (early, late) in places.items():
        init = "" if what == "generated first" else "from .plates import Named as Named\n"
        (tmp_path / "whole/__init__.py").write_text(init)
        (tmp_path / "whole/plates.py").write_text(HALF.format(early=early, late=late))
        forget("whole")
        importlib.invalidate_caches()
        if what == "good":
            for first in ("whole.plates", "whole.generated.plates"):
                forget("whole")
                assert importlib.import_module(first).Plate(1.0, "a").shown() == "a FAST"
        else:
            with pytest.raises(ImportError, match=f"`whole.generated.plates` imports .*{RULES}"):
                importlib.import_module("whole.generated.plates")
    # Only an enum is affected. Other imported names keep their modules.
    alone = schema.replace(b"Mode, Named", b"Mode").replace(b"(Named)", b"")
    alone = alone.replace(b"\n\n", b"\nfrom optax import OptState\n\n", 1)
    options = Options("schemas", "generated", holder="whole")
    compiled = compile_schemas(
        [("plates.pyi", "plates", alone + b"    s: dynamic[OptState | None] = None\n")], options
    )
    write(compiled.rendered, tmp_path / "whole", "generated")
    text = (tmp_path / "whole/generated/plates.py").read_text()
    assert "\nfrom optax import OptState\n" in text
    assert "\n    from whole.plates import Mode\n" in text
    forget("whole")
    with pytest.raises(ImportError, match=f"`whole.generated.plates` imports .*{RULES}"):
        importlib.import_module("whole.generated.plates")
    (tmp_path / "whole/__init__.py").write_text("from .plates import Named as Named\n")
    forget("whole")
    assert importlib.import_module("whole.plates").Plate(1.0, "a").mode.name == "FAST"
    sys.path.remove(str(tmp_path))
    forget("whole")
