"""The pages of `codegen docs`: well-formed, linked, escaped, accessible and reproducible."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from codegen import pipeline
from codegen.diagnostics import text
from codegen.options import Options
from codegen.output.schemas import schemas

ROOT = Path(__file__).parents[2]
OPTIONS = Options("schemas", "generated")
PLANT = b'''\
"""Boilers & <b>tanks</b>.

`Plant` {{ 7 * 7 }} {% raw %} holds them.
"""

from enum import Enum
from typing import Callable, ClassVar, Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32, field, frozendict, impl, share, static

from ..grid import Grid

n = Dim(mesh="rows")  # cells
k = Dim()
T = TypeVar("T")
Field = f32[n]

class Kind(Enum):
    """How."""

    A = "<script>alert(1)</script>"  # the "first"
    B = "b"

class Tank(abstract=True):
    level: donated[Field]  # <img src=x onerror=alert(1)> [m]
    speed: dynamic[Field]

class Boiler(Tank):
    heat: donated[Field]
    next: dynamic[tuple[Boiler, ...]] = ()

class Layer(dims=(k,)):
    w: donated[f32[k]]

class Box(Generic[T]):
    order: ClassVar[int] = 2
    content: dynamic[T]

class Plant:
    tank: donated[Tank]
    kept: dynamic[tuple[Boiler, ...]]
    named: donated[dict[str, Boiler | None]]
    layer: donated[Layer[n]]
    box: dynamic[Box[f32]]
    pair: dynamic[tuple[f32, int]]
    grid: static[Grid]
    kind: static[Kind] = Kind.A
    label: static[str] = "a\\"><script>alert(2)</script>\\x00\\u202e\\ud800"
    call: static[Callable[[Field], f32] | None] = None
    any: static[Callable[..., f32] | None] = None
    sizes: static[frozendict[str, int]] = frozendict({"a": 1})

    @impl("m:f")
    def energy(self, scale: float = 1.0) -> f32:
        """Energy \\ud800 in `J`."""

    @property
    @impl("m:f")
    def count(self) -> int: ...

@impl("m:step")
def step(plant: donated[Plant], other: dynamic[Plant], dt: static[float] = 0.1) -> Plant:
    """Advance.

    By one.
    """

@impl("m:nothing")
def nothing(x: dynamic[f32]) -> f32: ...
'''
GRID = b'class Grid:\n    """Cells."""\n\n    nx: static[int]\n'
FILES = [
    ("schemas/grid.pyi", "grid", b"from codegen.schema import static\n\n" + GRID),
    ("schemas/plants/boiler.pyi", "plants.boiler", PLANT),
    ("schemas/empty.pyi", "empty", b""),
]


def _site(files: list[pipeline.File]) -> dict[str, str]:
    compiled = pipeline.compile_site(files, OPTIONS)
    assert not compiled.report, text.full(compiled.report)
    return {file.path: file.text for file in compiled.rendered}


SITE = _site(FILES)
PAGES = sorted(path for path in SITE if path.endswith(".html"))
LARGE = _site(schemas(str(ROOT / "schemas")))


def _tree(page: str) -> ElementTree.Element:
    return ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))


def _texts(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


def _ids(page: str) -> list[str]:
    return [element.attrib["id"] for element in _tree(page).iter() if "id" in element.attrib]


def _class(name: str) -> ElementTree.Element:
    page = _tree(SITE["modules/plants/boiler.html"])
    return next(one for one in page.iter("article") if one.get("id") == name)


def test_files_of_the_site() -> None:
    assert sorted(SITE) == [
        "index.html",
        "modules/grid.html",
        "modules/plants/boiler.html",
        "search.js",
        "style.css",
    ]


@pytest.mark.parametrize("site", [SITE, LARGE], ids=["hostile", "schemas"])
def test_every_link_has_an_existing_target(site: dict[str, str]) -> None:
    count = 0
    for path, page in site.items():
        if not path.endswith(".html"):
            continue
        for target in _targets(page):
            count += 1
            assert "://" not in target
            file, _, anchor = target.partition("#")
            other = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(file)))
            assert (other if file else path) in site
            if anchor:
                assert unquote(anchor) in _ids(site[other if file else path])
    assert count > 20


def _targets(page: str) -> Iterator[str]:
    for element in _tree(page).iter():
        for name in ("href", "src"):
            if name in element.attrib:
                yield element.attrib[name]


@pytest.mark.parametrize("site", [SITE, LARGE], ids=["hostile", "schemas"])
def test_pages_are_accessible(site: dict[str, str]) -> None:
    for path in (one for one in site if one.endswith(".html")):
        page = _tree(site[path])
        assert page.get("lang") == "en"
        assert page.findtext("head/title")
        assert len(list(page.iter("main"))) == len(list(page.iter("h1"))) == 1
        levels = [int(one.tag[1]) for one in page.iter() if re.fullmatch(r"h[1-6]", one.tag)]
        assert all(later <= sooner + 1 for sooner, later in pairwise(levels))
        assert len(_ids(site[path])) == len(set(_ids(site[path])))
        assert all(one.get("scope") in ("col", "row") for one in page.iter("th"))
        assert all(one.find("caption") is not None for one in page.iter("table"))
        current = [one for one in page.iter("a") if one.get("aria-current") == "page"]
        assert len(current) == 1


@pytest.mark.parametrize("site", [SITE, LARGE], ids=["hostile", "schemas"])
def test_pages_load_only_their_own_files(site: dict[str, str]) -> None:
    """The security policy blocks inline scripts, and the pages do not need any."""
    for path, page in site.items():
        if not path.endswith(".html"):
            continue
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        assert policy.split("; ") == [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
        tree = _tree(page)
        assert list(tree.iter("style")) == []
        assert all(node.get("src") and not node.text for node in tree.iter("script"))
        for node in tree.iter():
            assert not [name for name in node.attrib if name == "style" or name.startswith("on")]


def test_texts_are_escaped() -> None:
    for path in PAGES:
        page = _tree(SITE[path])
        scripts = [one.attrib for one in page.iter("script")]
        assert scripts == ([{"src": "search.js", "defer": "defer"}] if path == "index.html" else [])
        assert not list(page.iter("b"))
        assert not list(page.iter("img"))
        assert not [one for one in page.iter() if any(name.startswith("on") for name in one.attrib)]
        SITE[path].encode()
        assert all(one.isprintable() or one == "\n" for one in SITE[path])
    page = _tree(SITE["modules/plants/boiler.html"])
    said = _texts(page)
    assert "Boilers & <b>tanks</b>." in said
    assert "{{ 7 * 7 }} {% raw %} holds them." in said
    assert "<img src=x onerror=alert(1)> [m]" in said
    assert "Energy \\ud800 in J." in said
    assert "Plant" in [one.text for one in page.iter("code")]


def test_class_is_shown_as_a_tree() -> None:
    (tree,) = [one for one in _class("Plant").iter("ul") if one.get("class") == "tree"]
    lines = [" ".join(_texts(one).split("\n")[0].split()) for one in tree.iter("li")]
    assert lines[:13] == [
        "tank ◆ donated Tank",
        "level ◆ donated f32[n]",
        "speed ● dynamic f32[n]",
        "kept ● dynamic tuple[Boiler, ...]",
        "level ● dynamic f32[n] donated in Tank, but kept here, because kept is dynamic",
        "speed ● dynamic f32[n]",
        "heat ● dynamic f32[n] donated in Boiler, but kept here, because kept is dynamic",
        "next ● dynamic tuple[Boiler, ...]",
        "named ◆ donated dict[str, Boiler | None]",
        "level ◆ donated f32[n]",
        "speed ● dynamic f32[n]",
        "heat ◆ donated f32[n]",
        "next ● dynamic tuple[Boiler, ...]",
    ]
    # With the names of the holder: the layer's `k` is `n` here, and the box's `T` is `f32`.
    assert "w ◆ donated f32[n]" in lines
    assert "content ● dynamic f32" in lines
    roles = {one.get("class") for one in tree.iter("li")}
    assert roles == {"static", "dynamic", "donated"}


def _facts(name: str) -> dict[str, list[str]]:
    return {
        one.findtext("dt") or "": [_texts(item) for item in one.findall("dd")]
        for one in _class(name).iter("div")
        if one.find("dt") is not None
    }


def test_facts_of_classes() -> None:
    assert _facts("Tank") == {"Subclasses": ["Boiler"], "Contained in": ["Plant.tank"]}
    assert _facts("Boiler") == {
        "Derives from": ["Tank"],
        "Contained in": ["Boiler.next", "Plant.kept", "Plant.named"],
    }
    assert _facts("Layer") == {"Dimension parameters": ["k"], "Contained in": ["Plant.layer"]}
    assert _facts("Plant") == {
        "Parameter of": ["step as donated plant", "step as dynamic other"],
        "Returned by": ["step"],
    }
    assert _facts("step") == {
        "Runs": ["m:step"],
        "Consumes": [
            "plant.tank.level",
            "plant.named[...].level",
            "plant.named[...].heat",
            "plant.layer.w",
        ],
        "Returns": ["Plant"],
    }
    assert _facts("nothing")["Consumes"] == ["nothing"]


def test_holder_and_part_link_to_each_other() -> None:
    grid = _tree(SITE["modules/grid.html"])
    held = [one.get("href") for one in grid.iter("a") if _texts(one) == "Plant.grid"]
    assert held == ["plants/boiler.html#Plant.grid"]
    holder = [one.get("href") for one in _class("Plant").iter("a") if _texts(one) == "Grid"]
    assert set(holder) == {"../grid.html#Grid"}


def test_dimension_names_of_a_part_are_distinguished_from_its_holder() -> None:
    text = b"""
from typing import Generic, TypeVar

from codegen.schema import Dim, donated, dynamic, f32

n = Dim()
T = TypeVar("T")

class Linear(dims=(n,)):
    w: donated[f32[n]]
    half: dynamic[f32[n // 2]]

class Box(Generic[T]):
    x: dynamic[T]

class Net(Generic[T], dims=(n,)):
    said: donated[Linear[n]]
    unsaid: donated[Linear]
    full: dynamic[Box[T]]
    bare: dynamic[Box]
"""
    page = _site([("schemas/a.pyi", "a", text)])["modules/a.html"]
    lines = [" ".join(_texts(one).split("\n")[0].split()) for one in _tree(page).iter("li")]
    at = lines.index("said ◆ donated Linear[n]")
    assert [line.partition(" ")[2] for line in lines[at:]] == [
        "◆ donated Linear[n]",
        "◆ donated f32[n]",
        "● dynamic f32[n // 2]",
        "◆ donated Linear",
        "◆ donated f32[_]",
        "● dynamic f32[_]",
        "● dynamic Box[T]",
        "● dynamic T",
        "● dynamic Box",
        "● dynamic Any",
    ]


def test_tree_of_a_recursive_class_is_finite() -> None:
    names = [f"C{index}" for index in range(12)]
    classes = [
        f"class {name}:\n" + "".join(f"    f{i}: dynamic[{below}]\n" for i in range(4))
        for name, below in zip(names, [*names[1:], "f32"], strict=True)
    ]
    schema = "from codegen.schema import dynamic, f32\n\n" + "\n".join(classes)
    page = _site([("a.pyi", "a", schema.encode())])["modules/a.html"]
    assert page.count("<li") < 12 * 250


def test_site_is_reproducible() -> None:
    assert _site(FILES[::-1]) == SITE
    moved = [(f"/elsewhere/{path}", module, data) for path, module, data in FILES]
    assert _site(moved) == SITE


def _luminance(colour: str) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast_in_light_and_dark() -> None:
    themes = re.findall(r":root \{(.*?)\}", SITE["style.css"], re.DOTALL)
    assert len(themes) == 2
    for theme in themes:
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", theme))
        for name in ("text", "quiet", "link", "static", "dynamic", "donated"):
            for ground in ("ground", "band"):
                pair = sorted((_luminance(colours[name]), _luminance(colours[ground])))
                assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, (name, ground)


NAMED = b"""
from codegen.schema import donated, dynamic, f32, impl, static

class Tank:
    level: donated[f32]

    @impl("m:f")
    def scaled(self, *, by: float, twice: bool = False) -> f32: ...

@impl("m:f")
def train(tank: donated[Tank], *, n: static[int] = 1, dt: dynamic[f32]) -> Tank: ...
"""


def test_signature_marks_keyword_only_parameters() -> None:
    site = _site([("schemas/tank.pyi", "tank", NAMED)])
    (page,) = (text for path, text in site.items() if path.endswith("/tank.html"))
    text = " ".join(_texts(_tree(page)).split())
    assert "(*, by: float, twice: bool = False) -> f32" in text
    assert "def train(tank: Tank, *, n: int = 1, dt: f32) -> Tank" in text
