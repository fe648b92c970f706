"""Names with a meaning in Python, JAX or generated code, in each kind of declaration."""

from __future__ import annotations

import builtins
import dataclasses
import itertools
import keyword
import re
import unicodedata
from pathlib import Path
from typing import Any

import jax

from codegen import pipeline
from codegen.diagnostics import Code
from codegen.options import Options
from codegen.output.schemas import schemas
from codegen.schema.names import DRAFT_MEMBERS, MEMBERS
from tests.generated import checkers
from tests.generated.package import forget, write
from tests.hostile.schemas import HEAD, codes, compiled
from tests.inputs import over, over_rows

CHECKOUT = Path(__file__).parents[2]
LANGUAGE = CHECKOUT / "tests/cases/language"


def _machinery() -> set[str]:
    """Return every name that generated code uses, from the test cases of the language."""
    files = [
        (path, f"{root.name}.{module}", data)
        for root in sorted(LANGUAGE.iterdir())
        for path, module, data in schemas(str(root))
    ]
    compiled_files = pipeline.compile(files, Options("", "generated")).rendered
    own = (file for file in compiled_files if not file.path.startswith("_runtime/"))
    return {name for file in own for name in re.findall(r"\b[A-Za-z_]\w*\b", file.text)}


SOFT = ("match", "case", "type", "_private")
BUILTINS = sorted(name for name in dir(builtins) if not name.startswith("_"))
MACHINERY = sorted(
    name
    for name in _machinery()
    if not keyword.iskeyword(name) and not name.startswith(("__", "_codegen_")) and name != "_"
)
_counter = itertools.count()


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
            '@impl("somewhere:step")',
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


def test_fields_that_shadow_names_of_generated_code(tmp_path: Path, site: Path) -> None:
    """They work, pass type checks, and have the declared values."""
    names = sorted({*BUILTINS, *MACHINERY, *SOFT} - {*keyword.kwlist})
    report = compiled({"a.pyi": _fields(names)}).report
    refused = {one.source.text[one.span.start : one.span.end] for one in report}
    assert refused == (MEMBERS | DRAFT_MEMBERS) & {*names}
    kept = [name for name in names if name not in refused]
    assert len(kept) > 400
    result = compiled({"a.pyi": _fields(kept)}, "package")
    package = write(result.rendered, site, f"shadowed_{next(_counter)}")
    try:
        module = package.load("a")
        for number, group in enumerate(_groups(kept)):
            static, dynamic = (getattr(module, f"{kind}{number}") for kind in ("Static", "Dynamic"))
            _require_fields(static, dynamic, group)
        found = checkers.mypy(site, [f"{package.name}/a.py"])
        assert [one for one in found if one.code != "import-not-found"] == []
    finally:
        forget(package.name)


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


@over(keyword.kwlist)
def test_keywords_are_rejected_as_modules(name: str) -> None:
    assert codes({f"{name}.pyi": ""}) == {Code.BAD_FILE_NAME}
    assert codes({f"{name}/heat.pyi": ""}) == {Code.BAD_FILE_NAME}


@over(
    [
        "class {}:\n    nx: static[int]\n\nclass Holder:\n    of: static[{}]\n",
        "from enum import Enum\nclass {}(Enum):\n    A = 1\n",
        "{} = f32[3]\n\nclass Holder:\n    u: dynamic[{}]\n",
        '@impl("m:f")\ndef {}(u: donated[f32]) -> f32: ...\n',
        "{} = Dim()\n\nclass Holder:\n    u: dynamic[f32[{}]]\n",
    ],
)
def test_declarations_that_shadow_builtins_are_rejected_or_correct(schema: str) -> None:
    """They are rejected, or the output is correct, which `compiled` checks."""
    names = [*BUILTINS, *SOFT, "Array", "Plate", "codegen", "jax", "self"]
    legal = {f"m{at}.pyi": HEAD + schema.replace("{}", name) for at, name in enumerate(names)}
    while rejected := {one.source.path for one in compiled(legal).report}:
        legal = {path: text for path, text in legal.items() if path not in rejected}
    assert len(legal) > len(names) / 2


def test_imported_classes_that_shadow_builtins(site: Path) -> None:
    """A module that imports such classes from another schema still calls the builtins."""
    names = ("type", "object", "isinstance", "Any", "TraceKey")
    classes = "".join(f"class {name}:\n    nx: static[int]\n\n" for name in names)
    fields = "".join(f"    of_{name}: static[{name}]\n" for name in names)
    holder = f"class Holder:\n    u: donated[f32]\n    n: static[int]\n{fields}"
    schemas = {
        "a.pyi": HEAD + classes,
        "b.pyi": f"from .a import {', '.join(names)}\n{HEAD}{holder}",
    }
    package = write(compiled(schemas, "package").rendered, site, f"shadowed_{next(_counter)}")
    try:
        a, b = package.load("a"), package.load("b")
        value = b.Holder(u=1.0, n=2, **{f"of_{name}": getattr(a, name)(nx=3) for name in names})
        leaves, treedef = jax.tree.flatten(value)
        assert jax.tree.unflatten(treedef, leaves) == value
        assert value.replace(n=4).n == 4
        assert checkers.mypy(site, [f"{package.name}/b.py"]) == []
    finally:
        forget(package.name)


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
    ],
)
def test_names_of_generated_code_are_reserved(schema: str, name: str) -> None:
    assert codes({"heat.pyi": HEAD + schema.replace("{}", name)}) == {Code.RESERVED_NAME}


@over(
    [
        "_runtime.pyi",
        "_runtime/keys/interning.pyi",
        "__init__.pyi",
        "a/__init__.pyi",
    ],
)
def test_module_names_of_the_support_package_are_reserved(path: str) -> None:
    assert codes({path: ""}) == {Code.BAD_FILE_NAME}


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


@over(["n\u0445", "\u0430lpha", "\u03bfne"])
def test_lookalike_letters_are_different_names(name: str) -> None:
    """They are legal Python. The output contains them as the schema does."""
    schema = HEAD + f"class Grid:\n    {name}: static[int]\n    nx: static[int]\n"
    assert codes({"heat.pyi": schema}) == set()
