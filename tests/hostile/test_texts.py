"""Texts that try to end early: each payload at each place where a schema has text.

Other generators had such errors: CVE-2016-5641, CVE-2020-15142, CVE-2024-56326, CVE-2026-44293, GHSA-w68h-2r38-4cqq,
GHSA-wjv6-jcfj-mf9r, swagger-codegen#11309, protoc-gen-validate PR 1392, linkml PR 1402, fabric8 #7976, kiota PR 7735.
"""

from __future__ import annotations

import ast
import inspect

from codegen.diagnostics import Code
from tests.hostile.schemas import HEAD, codes, compiled, strings
from tests.inputs import over

# Texts are written into a schema as literals, so each of these passes the parser.
PAYLOADS = [
    '"""\ncanary()\n"""',
    "'''\ncanary()\n'''",
    '"\ncanary()\n"',
    "'+str(canary())+'",
    '"+str(canary())+"',
    '\\"""\ncanary()\n',
    '\\\\"""\ncanary()\n',
    "\\",
    "\\\\",
    '\\"',
    '"',
    '""',
    '"""',
    '""""',
    '"""""',
    "'",
    "'''",
    '""\\"',
    'x" + canary() + "',
    ")\ncanary()\n(",
    "]\ncanary()\n[",
    "\ncanary()",
    "\rcanary()",
    "\r\ncanary()",
    "\x0bcanary()",
    "\x0ccanary()",
    "\x1c\x1d\x1ecanary()",
    "\x85canary()",
    "\u2028canary()\u2029",
    "\x00canary()",
    "\x1b[31mcanary()",
    "\x1acanary()",
    "\u202ecanary()\u202c",
    "\u2066\u2069canary()",
    "\u200bcanary()\u200d\ufeff",
    "\ud800canary()",
    "\udcffcanary()",
    "\U0010ffffcanary()",
    "coding: utf-7\n+AAo-canary()",
    "-*- coding: unicode_escape -*-\\ncanary()",
    "vim: set fileencoding=utf-7 :",
    "{{ canary() }}",
    "{% for x in canary() %}{{ x }}{% endfor %}",
    "{# canary() #}",
    "{{ ''.__class__.__mro__ }}",
    "{canary()}",
    "${canary()}",
    "%(canary())s",
    "\\N{BULLET}\\x41\\u0041\\101",
    "# noqa\n# type: ignore",
    "*/ canary() /*",
    "`canary()`",
    "$(canary)",
    "../../canary",
    "a\tb",
    " leading and trailing ",
    "\ufb01 \u210c \u00aa",
    "\u65e5\u672c\u8a9e \u0300",
]
# Places of text, and where the output contains it unchanged: a value or documentation.
_CLASS = HEAD + "class Grid:\n"
VALUES = {
    "default": _CLASS + "    name: static[str] = {}\n",
    "tuple": _CLASS + "    names: static[tuple[str, ...]] = ({}, {})\n",
    "frozenset": _CLASS + "    names: static[frozenset[str]] = frozenset(({},))\n",
    "mapping": _CLASS + "    names: static[frozendict[str, str]] = frozendict({{{}: {}}})\n",
    "field()": _CLASS + "    name: static[str] = field(default={})\n",
    "literal": "from typing import Literal\n" + _CLASS + "    name: static[Literal[{}]]\n",
    "constant": "from typing import ClassVar\n" + _CLASS + "    name: ClassVar[str] = {}\n",
    "enum": "from enum import Enum\nclass Name(Enum):\n    A = {}\n",
    "construction": _CLASS
    + "    name: static[str]\n\nclass Plate:\n    grid: static[Grid] = Grid({})\n",
    "argument": HEAD
    + '@impl("m:f")\ndef step(u: donated[f32], name: static[str] = {}) -> f32: ...\n',
}
DOCS = {
    "module": "{}\n" + _CLASS + "    nx: static[int]\n",
    "class": _CLASS + "    {}\n    nx: static[int]\n",
    "field": _CLASS + "    nx: static[int]\n    {}\n",
    "enum": "from enum import Enum\nclass Name(Enum):\n    {}\n    A = 1\n",
    "member": "from enum import Enum\nclass Name(Enum):\n    A = 1\n    {}\n",
    "alias": HEAD + "Field = f32[3]\n{}\n\nclass Grid:\n    u: dynamic[Field]\n",
    "dimension": HEAD + "nx = Dim()\n{}\n\nclass Grid:\n    u: dynamic[f32[nx]]\n",
    "function": HEAD + '@impl("m:f")\ndef step(u: donated[f32]) -> f32:\n    {}\n',
    "method": _CLASS + '    @impl("m:f")\n    def energy(self) -> f32:\n        {}\n',
    "property": _CLASS
    + '    @property\n    @impl("m:f")\n    def energy(self) -> f32:\n        {}\n',
}
# Texts with a required format, so almost everything is rejected.
FORMS = {
    "impl": HEAD + "@impl({})\ndef step(u: donated[f32]) -> f32: ...\n",
    "impl function": HEAD + '@impl("m:" {})\ndef step(u: donated[f32]) -> f32: ...\n',
    "method": _CLASS + "    @impl({})\n    def energy(self) -> f32: ...\n",
    "convert": _CLASS + "    nx: static[int] = field(convert={})\n",
    "init": _CLASS + "    u: dynamic[f32] = field(init={})\n",
    "init path": _CLASS + '    u: dynamic[f32] = field(init="m:" {})\n',
    "use": HEAD + "class Grid(use={}):\n    nx: static[int]\n",
    "annotation": _CLASS + "    nx: {}\n",
    "role": _CLASS + "    nx: static[{}]\n",
    "bound": "from typing import TypeVar\nT = TypeVar('T', bound={})\n",
    "type variable": "from typing import TypeVar\nT = TypeVar({})\n",
}
MESHES = {
    "mesh": HEAD + "nx = Dim(mesh={})\nclass Grid:\n    u: dynamic[f32[nx]]\n",
    "meshes": HEAD + "nx = Dim(mesh=({}, 'b'))\nclass Grid:\n    u: dynamic[f32[nx]]\n",
    "spec": _CLASS + "    u: dynamic[f32[3]] = field(spec=({},))\n",
}


def _strings(schema: str, texts: list[str]) -> list[list[str | bytes]]:
    """Compile a module for each text; return the strings of each output."""
    files = {f"m{at}.pyi": schema.format(*[text] * 2) for at, text in enumerate(texts)}
    result = compiled(files)
    assert not result.report, [one.message for one in result.report]
    found = {file.path: file.text for file in result.rendered}
    return [strings(ast.parse(found[f"m{at}.py"])) for at in range(len(texts))]


@over(VALUES)
def test_hostile_text_in_values_stays_a_value(place: str) -> None:
    found = _strings(VALUES[place], [*map(ascii, PAYLOADS)])
    for text, literals in zip(PAYLOADS, found, strict=True):
        assert text in literals


def test_hostile_bytes_stay_bytes() -> None:
    data = [text.encode("utf-8", errors="surrogatepass") for text in PAYLOADS]
    found = _strings(_CLASS + "    data: static[bytes] = {}\n", [*map(repr, data)])
    for one, literals in zip(data, found, strict=True):
        assert one in literals


@over(FORMS, PAYLOADS)
def test_texts_with_a_format_are_checked(place: str, text: str) -> None:
    assert codes({"heat.pyi": FORMS[place].format(ascii(text))})


@over(MESHES, PAYLOADS)
def test_hostile_mesh_axes_stay_texts(place: str, text: str) -> None:
    compiled({"heat.pyi": MESHES[place].format(ascii(text))})


@over(
    [
        "{}\n",
        "# {}\n",
        "# {}\n# {}\n",
        _CLASS + "    nx: static[int]  # {}\n",
        _CLASS + '    """{}"""\n    nx: static[int]\n',
        _CLASS + "    r'''{}'''\n    nx: static[int]\n",
        _CLASS + "    nx: static[str] = '{}'\n",
        _CLASS + '    nx: static[str] = "{}"\n',
        HEAD + "nx = Dim()  # {}\nclass Grid:\n    u: dynamic[f32[nx]]\n",
        "from {} import X\n" + _CLASS + "    nx: static[X]\n",
        "import {}\n" + _CLASS + "    nx: static[int]\n",
        _CLASS + "    {}: static[int]\n",
        "class {}:\n    x: int\n",
    ],
    PAYLOADS,
)
def test_unquoted_texts_are_rejected_or_compiled(schema: str, text: str) -> None:
    """Most of them are not valid Python, and some contain invisible characters."""
    compiled({"heat.pyi": schema.replace("{}", text)})


@over(
    ["# {}\n", "'''{}'''\n", "x{} = 1\n", "{}\n", "x = 1\\{}\n"],
    "\x00\x01\x0b\x0c\x1a\x1b\x7f\x85\u200b\u202e\u2066\u2028\ufeff",
)
def test_invisible_characters_are_rejected_everywhere(schema: str, character: str) -> None:
    written = "y = 1\n" + schema.format(character)
    assert codes({"heat.pyi": written}) == {Code.CONTROL_CHARACTER}


# Ways to write a docstring in a stub.
WRITTEN = [
    r"'It\'s'",
    r"r'It\'s \alpha \x41'",
    r'"It\\\'s \"that\" \\\""',
    r'"ends in backslashes \\\\"',
    r'"""ends in a quote\""""',
    r'"""\"\"\" inside, and \\""\" too"""',
    r'"""\u00e4 \N{BULLET} \U0001f600 \x1b \\u00e4 \\N{x}"""',
    '"""\u00c4nderung \u0394t \U0001f389"""',
    '"""Two lines,\n\n      indented \\\\\' so\n    """',
    "r'''raw \\ \\' \"\"\" end'''",
    '"""continued \\\nhere\\tand\\rthere"""',
    r'"""ends in a space that stays\xa0"""',
]


@over(DOCS)
def test_docstring_has_the_value_that_python_evaluates(place: str) -> None:
    docstrings = [*WRITTEN, *map(ascii, PAYLOADS)]
    for written, found in zip(docstrings, _strings(DOCS[place], docstrings), strict=True):
        text = inspect.cleandoc(ast.literal_eval(written)).strip("\n ")
        text = text.encode(errors="backslashreplace").decode()
        said = [one for one in found if isinstance(one, str)]
        if place in ("field", "member"):  # wrapped together with other text
            text, said = " ".join(text.split()), [" ".join(one.split()) for one in said]
        is_printed = place not in ("alias", "dimension")
        assert not is_printed or any(text in inspect.cleandoc(one) for one in said), written
