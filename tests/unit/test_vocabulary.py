# mypy: disable-error-code="assignment"
"""The words of the language agree between the schema stage, the stub for editors, and JAX."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import jax.nn.initializers
import numpy as np
import pytest

import codegen.schema
from codegen.schema.vocabulary import (
    DTYPES,
    HOME_OF_WORD,
    INITIALIZERS,
    INITIALIZERS_CALLED,
    VOCABULARY,
)

STUB = ast.parse(Path(codegen.schema.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))


def _documented() -> dict[str, str | None]:
    """Return the public names of the stub with their documentation."""
    found: dict[str, str | None] = {}
    for node, below in zip(STUB.body, [*STUB.body[1:], None], strict=True):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found[node.name] = ast.get_docstring(node)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            value = below.value if isinstance(below, ast.Expr) else None
            found[node.target.id] = value.value if isinstance(value, ast.Constant) else None
    return {name: doc for name, doc in found.items() if not name.startswith("_")}


def test_stub_documents_every_word() -> None:
    documented = _documented()
    assert documented.keys() == VOCABULARY.keys()
    assert all(documented.values())


def test_each_word_is_in_one_group() -> None:
    assert all(HOME_OF_WORD[word] == "codegen.schema" for word in VOCABULARY)
    assert HOME_OF_WORD["Callable"] == "typing"


@pytest.mark.parametrize("short", [short for short in DTYPES if short != "key"])
def test_dtypes_exist_in_jax(short: str) -> None:
    assert jax.numpy.dtype(DTYPES[short]).name == DTYPES[short]
    # The jaxpr name of a dtype is its letter followed by its bits.
    letters = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c"}
    kind = DTYPES[short].partition("_")[0].rstrip("0123456789")
    assert short == letters[kind] + DTYPES[short].removeprefix(kind)
    if np.dtype(DTYPES[short]).itemsize == 4:
        assert jax.core.ShapedArray((), np.dtype(DTYPES[short])).str_short(short_dtypes=True) == (
            f"{short}[]"
        )


@pytest.mark.parametrize("name", INITIALIZERS)
def test_initializers_exist_in_jax(name: str) -> None:
    function = getattr(jax.nn.initializers, name)
    parameters = inspect.signature(function).parameters
    expected = INITIALIZERS[name]
    if expected is None:
        assert list(parameters)[:2] == ["key", "shape"]
        return
    assert tuple(parameters)[: len(expected)] == expected
    required = [p.name for p in parameters.values() if p.default is p.empty]
    assert len(required) == INITIALIZERS_CALLED.get(name, 0)


def test_no_initializer_of_jax_is_missing() -> None:
    names = {name for name in dir(jax.nn.initializers) if not name.startswith("_")}
    assert names - {"Initializer"} == set(INITIALIZERS)
