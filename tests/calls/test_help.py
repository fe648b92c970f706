"""Test `help`, `inspect` and IPython on a generated function."""

import inspect
import pydoc
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from IPython.core.oinspect import Inspector

from codegen.runtime import jit


def ipython_help(function: Any) -> str:
    """Return the output of `function?` in IPython."""
    shown: dict[str, Any] = Inspector(theme_name="nocolor")._get_info(function, "step")
    return str(shown["text/plain"])


ASK: dict[str, Callable[[Any], str]] = {
    "help": lambda function: pydoc.plain(pydoc.render_doc(function)),
    "step?": ipython_help,
}


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
def test_help_shows_signature_docstring_and_methods(model: Any, ask: Any) -> None:
    text = ask(model.step)
    assert re.search(r"step\(plate:.*,n:int=1,?\)->", re.sub(r"[\s']+", "", text)), text
    more = ("step.keep(", "step.donation(", "step.lower(", "step.eval_shape(", "step.clear_cache(")
    for words in ("Advance the plate by n steps", *more):
        assert words in text, words

    @jit(donated="plate")
    def advance(plate: Any, dt: float, n: int = 1) -> int:
        """Advance the plate."""
        return n

    text = ask(advance)
    assert "dt:float,n:int=1" in re.sub(r"[\s']+", "", text), text
    assert "Advance the plate." in text


def test_signature_is_the_declared_one(model: Any) -> None:
    signature = inspect.signature(model.step)
    assert list(signature.parameters) == ["plate", "dt", "n"]
    assert signature.parameters["n"].default == 1
    assert signature.return_annotation is model.Plate
    # A function stored in a class attribute does not become a method.
    holder: Any = type("Holder", (), {"step": model.step})
    assert holder().step is holder.step is model.step


def test_wrapped_is_the_implementation_once_it_was_imported(
    model: Any, impl: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert model.step.__wrapped__ is inspect.unwrap(model.step) is impl.step
    with monkeypatch.context() as patch:
        patch.delitem(sys.modules, impl.__name__)
        assert not hasattr(model.step, "__wrapped__")
        assert impl.__name__ not in sys.modules
    assert not hasattr(type(model.step), "__wrapped__")

    def advance(x: float) -> float:
        return x

    assert inspect.unwrap(jit(advance)) is advance
