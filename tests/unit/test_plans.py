"""The signature of `abstract` does not depend on which class is analysed first."""

from __future__ import annotations

import itertools

import pytest

from codegen import pipeline
from codegen.options import Options

OPTIONS = Options("schemas", "generated")
HEAD = "from codegen.schema import donated, dynamic, f32\n"
CYCLES = {
    "a tuple": ("tuple[{}, ...]", "{}"),
    "a dict": ("dict[str, {}]", "{}"),
    "an option": ("{} | None", "{}"),
    "a pair or nothing": ("tuple[{0}, {0}] | None", "{}"),
    "tuples": ("tuple[{}, ...]", "tuple[{}, ...]"),
    "a tuple of tuples": ("tuple[tuple[{}, ...], ...]", "{}"),
    "a pair with a tuple": ("tuple[{0}, tuple[{0}, ...]] | None", "{} | None"),
}


@pytest.mark.parametrize("cycle", CYCLES)
@pytest.mark.parametrize("names", list(itertools.permutations("abc")))
def test_signatures_of_recursive_classes_do_not_depend_on_the_order(
    cycle: str, names: tuple[str, ...]
) -> None:
    first, second, third = names
    loose, tight = CYCLES[cycle]
    texts = {
        first: f"from .{second} import B\nclass A:\n    b: donated[{loose.format('B')}]\n",
        second: f"from .{third} import C\nclass B:\n    c: dynamic[{tight.format('C')}]\n",
        third: f"from .{first} import A\nclass C:\n    a: dynamic[A]\n    x: dynamic[f32]\n",
    }
    files = [(f"{name}.pyi", name, (HEAD + text).encode()) for name, text in texts.items()]
    whole = pipeline.compile(files, OPTIONS)
    assert not whole.report
    for order in itertools.permutations(files):
        assert pipeline.compile(order, OPTIONS).rendered == whole.rendered
