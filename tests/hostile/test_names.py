"""Names with a meaning in Python, JAX or generated code, in each kind of declaration."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import keyword
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax

from codegen import pipeline
from codegen.diagnostics import Code
from codegen.emit.names import member_names
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.schema.names import DRAFT_MEMBERS, MEMBERS, RUN_TIME, VARIABLES
from tests.generated import checkers
from tests.generated.package import forget, write
from tests.hostile.schemas import HEAD, codes, compiled
from tests.inputs import over, over_rows

CHECKOUT = Path(__file__).parents[2]
LANGUAGE = CHECKOUT / "tests/cases/language"


def _language() -> pipeline.Stages:
    """Compile the test cases of the language."""
    files = [
        (path, f"{root.name}.{module}", data)
        for root in sorted(LANGUAGE.iterdir())
        for path, module, data in schemas(str(root))
    ]
    return pipeline.run(files, Options("", "generated"))


STAGES = _language()


def _machinery() -> set[str]:
    """Return every name in generated code."""
    return {name for file in STAGES.rendered for name in re.findall(r"\b[A-Za-z_]\w*\b", file.text)}


def _read_names() -> set[str]:
    """Return the names that generated modules import, and the builtins that they use."""
    found = set[str]()
    for file in STAGES.rendered:
        for node in ast.walk(ast.parse(file.text)):
            if isinstance(node, ast.alias):
                found.add((node.asname or node.name).partition(".")[0])
            elif isinstance(node, ast.Name) and hasattr(builtins, node.id):
                found.add(node.id)
    return {name for name in found if not name.startswith(("_codegen_", "__"))}


SOFT = ("match", "case", "type", "_private")
BUILTINS = sorted(name for name in dir(builtins) if not name.startswith("_"))
MACHINERY = sorted(
    name
    for name in _machinery()
    if not keyword.iskeyword(name) and not name.startswith(("__", "_codegen_")) and name != "_"
)


def _groups(names: list[str]) -> list[list[str]]:
    """Return groups of a few names, because one class per name would take minutes to check."""
    return [names[start : start + 20] for start in range(0, len(names), 20)]


def _fields(names: list[str]) -> str:
    """Write classes with fields of these names in both roles, and functions with such arguments."""
    lines = [HEAD]
    for number, group in enumerate(_groups(names)):
        parameters = [f"{name}: donated[Dynamic{number}]" for name in group]
        lines += [
            f"class Static{number}:",
            *(f"    {name}: static[int]" for name in group),
            "    zz_before: static[tuple[int, ...]] = ()",
            "    zz_names: static[frozendict[str, int]] = frozendict()",
            "",
            f"class Dynamic{number}:",
            *(f"    {name}: donated[f32]" for name in group),
            "    zz_held: dynamic[list[float]]",
            f"    zz_size: static[Static{number} | None] = None",
            "",
            '@impl("shadowed_impl:total")',
            f"def step{number}({', '.join(parameters)}, zz_n: static[int] = 1) -> f32: ...",
            "",
        ]
    return "\n".join(lines)


def _require_fields(static: Any, dynamic: Any, group: list[str]) -> None:
    """Check that objects with fields of these names work."""
    assert [f.name for f in dataclasses.fields(static)] == [*group, "zz_before", "zz_names"]
    sizes = static(**dict.fromkeys(group, 3))
    value = dynamic(**dict.fromkeys(group, 1.0), zz_held=[2.0], zz_size=sizes)
    leaves, treedef = jax.tree.flatten(value)
    assert jax.tree.unflatten(treedef, leaves) == value
    for name in group:
        assert getattr(sizes, name) == 3
        assert getattr(sizes.replace(**{name: 4}), name) == 4
        assert getattr(value, name) == 1.0


def _fields_module() -> tuple[str, list[list[str]]]:
    """Return a schema with fields of all names that are legal, and the names in groups."""
    names = sorted({*BUILTINS, *MACHINERY, *SOFT} - {*keyword.kwlist})
    report = compiled({"a.pyi": _fields(names)}).report
    refused = {one.source.text[one.span.start : one.span.end] for one in report}
    assert refused == (MEMBERS | DRAFT_MEMBERS | {RUN_TIME}) & {*names}
    kept = [name for name in names if name not in refused]
    assert len(kept) > 400
    return _fields(kept), _groups(kept)


# A module of all other forms, which must work beside declarations that shadow names.
_OTHERS = """
class ZzInner:
    zz_n: static[int] = 3

class ZzStatic:
    zz_sizes: static[tuple[int, ...]] = ()
    zz_rates: static[frozendict[str, int]] = frozendict()
    zz_c: static[float] = 0.5
    zz_flag: static[bool | None] = None
    zz_mode: static[Literal["a", "b"]] = "a"
    zz_inner: static[ZzInner] = ZzInner()
    zz_z: static[complex] = 1j
    zz_data: static[bytes | str] = b""
    zz_call: static[Callable[[int], int] | None] = None
    zz_any: static[AnyValue] = None

class ZzDynamic(draft=True):
    zz_u: donated[f32[zz_m]] = field(init="normal")
    zz_v: dynamic[list[float]] = field(default=[])
    zz_w: dynamic[dict[str, f32]] = field(default={})
    zz_x: dynamic[f32 | None] = None
    zz_static: static[ZzStatic] = ZzStatic()

    @impl("shadowed_impl:energy")
    def zz_energy(self, zz_y: f32) -> f32: ...

@impl("shadowed_impl:step")
def zz_step(zz_d: donated[ZzDynamic], zz_xs: dynamic[list[f32]], zz_n: static[int] = 1) -> ZzDynamic: ...
"""
_IMPL = """
from typing import Any

def f(zz: Any) -> Any:
    return zz

def energy(self: Any, zz_y: Any) -> Any:
    return zz_y

def step(zz_d: Any, zz_xs: Any, zz_n: int) -> Any:
    return zz_d

def total(**plates: Any) -> Any:
    return plates
"""
_KINDS = {
    "static": "class {0}:\n    zz_n: static[int]\n\nclass Zz{0}:\n    zz: static[{0}]\n",
    "dynamic": "class {0}:\n    zz_n: dynamic[f32]\n\nclass Zz{0}:\n    zz: dynamic[{0}]\n",
    "enum": "class {0}(Enum):\n    A = 1\n\nclass Zz{0}:\n    zz: static[{0}]\n",
    "alias": "{0} = f32[3]\n\nclass Zz{0}:\n    zz: dynamic[{0}]\n",
    "parameter": "{0} = TypeVar('{0}')\n\nclass Zz{0}(Generic[{0}]):\n    zz: dynamic[{0}]\n",
    "dimension": "{0} = Dim()\n\nclass Zz{0}:\n    zz: dynamic[f32[{0}]]\n",
    "function": "@impl('shadowed_impl:f')\ndef {0}(zz: donated[f32]) -> f32: ...\n",
    "method": "class Zz{0}:\n    zz: dynamic[f32]\n\n"
    "    @impl('shadowed_impl:f')\n    def {0}(self) -> f32: ...\n",
}
_IMPORTS = "from enum import Enum\nfrom typing import Any as AnyValue, Callable, Generic, Literal, TypeVar\n"


def _require_others(module: Any) -> None:
    """Use every form of `_OTHERS`."""
    static = module.ZzStatic()
    assert static.replace(zz_c=2).zz_c == 2.0
    assert hash(static) == hash(module.ZzStatic())
    value = module.ZzDynamic(zz_u=jax.numpy.ones(3), zz_v=[1.0])
    leaves, treedef = jax.tree.flatten(value)
    assert jax.tree.unflatten(treedef, leaves) == value.check().draft().freeze()
    assert module.ZzDynamic.abstract(zz_m=3).zz_u.shape == (3,)
    assert module.zz_step(value, [1.0]).zz_energy(2.0) == 2.0


def _declarations_modules() -> dict[str, str]:
    """Return a schema for each kind of declaration, with all names that are legal for it."""
    names = sorted(_read_names() | {"codegen", "runtime", "annotations", "_rt"} - {"Zz"})
    assert len(names) > 60
    files: dict[str, str] = {}
    for kind, text in _KINDS.items():
        left = names
        while True:
            parts = "".join(text.format(name) for name in left)
            schema = f"{_IMPORTS}{HEAD}{parts}\nzz_m = Dim()\n{_OTHERS}"
            report = compiled({f"{kind}.pyi": schema}).report
            refused = {one.source.text[one.span.start : one.span.end] for one in report}
            if not refused:
                break
            assert refused & {*left}, [one.message for one in report]
            left = [name for name in left if name not in refused]
        assert len(left) > len(names) * 0.7, kind
        assert RUN_TIME not in left
        files[f"{kind}.pyi"] = schema
    return files


def test_names_that_shadow_those_of_generated_code(site: Path) -> None:
    """Fields and declarations with such names work and pass type checks, or the name is refused."""
    (site / "shadowed_impl.py").write_text(_IMPL)
    fields, groups = _fields_module()
    files = {**_declarations_modules(), "fields.pyi": fields}
    package = write(compiled(files).rendered, site, "shadowed")
    try:
        for kind in _KINDS:
            _require_others(package.load(kind))
        module = package.load("fields")
        for number, group in enumerate(groups):
            static, dynamic = (getattr(module, f"{kind}{number}") for kind in ("Static", "Dynamic"))
            _require_fields(static, dynamic, group)
    finally:
        forget(package.name)
        forget("shadowed_impl")
    assert checkers.mypy(site, [package.name]) == []
    assert checkers.pyright(site, [package.name]) == []


def test_variables_of_generated_functions_are_reserved_for_types() -> None:
    """Otherwise a class with such a name would be the variable inside the function."""
    checked = STAGES.checked
    assert checked is not None
    modules = {f"{m.name.replace('.', '/')}.py": m for m in checked.program.modules}
    derived = re.compile(r"_codegen_.*|(make|convert|converted)_.*|.*_(tag|structure)")
    for file in STAGES.rendered:
        if file.path not in modules:
            continue
        module = modules[file.path]
        known = VARIABLES | member_names(module) | {*module.defined_names}
        sizes = {d.name for m in modules.values() for d in m.dims}
        sizes |= {name for m in modules.values() for c in m.classes for name in c.dims}
        for function in ast.walk(ast.parse(file.text)):
            if isinstance(function, ast.FunctionDef):
                found = {*_variables(function)} - known - sizes
                assert {name for name in found if not derived.fullmatch(name)} == set(), file.path


def _variables(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name


@over(
    [
        "class Grid:\n    {}: static[int]\n",
        "class {}:\n    nx: static[int]\n",
        "{} = f32[3]\n",
        "{} = Dim()\n",
        '@impl("m:f")\ndef {}(u: donated[f32]) -> f32: ...\n',
        '@impl("m:f")\ndef step({}: donated[f32]) -> f32: ...\n',
        '@impl("m:{}")\ndef step(u: donated[f32]) -> f32: ...\n',
        '@impl("{}:f")\ndef step(u: donated[f32]) -> f32: ...\n',
        "from .{} import Grid\n",
        "from optax import {}\nclass Grid:\n    of: static[{}]\n",
        "import optax as {}\n",
    ],
    keyword.kwlist,
)
def test_keywords_are_rejected_as_names(schema: str, name: str) -> None:
    assert codes({"heat.pyi": HEAD + schema.replace("{}", name)})


@over(
    [
        "class Grid:\n    {}: static[int]\n",
        "class {}:\n    nx: static[int]\n",
        "{} = f32[3]\n",
        '@impl("m:f")\ndef {}(u: donated[f32]) -> f32: ...\n',
        '@impl("m:f")\ndef step({}: donated[f32]) -> f32: ...\n',
        'class Grid:\n    @impl("m:f")\n    def {}(self) -> f32: ...\n',
    ],
    [
        "__init__",
        "__codegen_key__",
        "__slots__",
        "__class__",
        "__x",
        "_codegen_key_Grid",
        "_codegen_",
        "_rt",
    ],
)
def test_names_of_generated_code_are_reserved(schema: str, name: str) -> None:
    assert codes({"heat.pyi": HEAD + schema.replace("{}", name)}) == {Code.RESERVED_NAME}


TWINS = [
    ("\ufb01eld", "field"),
    ("\u210c", "H"),
    ("\u00aa", "a"),
    ("\uff4ex", "nx"),
]


@over_rows(TWINS)
def test_names_that_are_equal_under_nfkc_are_rejected(written: str, read: str) -> None:
    """Python treats both names as the same."""
    assert unicodedata.normalize("NFKC", written) == read
    fields = HEAD + f"class Grid:\n    {read}: static[int]\n    {written}: static[int] = 1\n"
    assert Code.NAME_NOT_NORMALISED in codes({"heat.pyi": fields})
    classes = HEAD + f"class {written}:\n    nx: static[int]\n"
    assert Code.NAME_NOT_NORMALISED in codes({"heat.pyi": classes})
    assert codes({f"{written}.pyi": ""}) == {Code.BAD_FILE_NAME}
    assert Code.CASE_COLLISION in codes({f"{written}.pyi": "", f"{read}.pyi": ""})
