# mypy: disable-error-code="attr-defined, misc"
"""Error messages advise what to declare or to write instead."""

from __future__ import annotations

import enum
import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from codegen.runtime import frozendict
from tests.generated.package import Build, Package


class Level(enum.IntEnum):
    ONE = 1


class Mode(enum.IntFlag):
    A = 1


class Word(enum.StrEnum):
    A = "a"


def first(x: Any, count: int) -> Any:
    return x


@pytest.fixture(scope="module")
def said(built: Build) -> Package:
    """The modules of `said/`."""
    return built(Path(__file__).parent / "said", "said")


def _refusal(make: Callable[[], Any]) -> str:
    with pytest.raises((TypeError, ValueError)) as caught:
        make()
    return str(caught.value)


LIKE = "for a tree of axes, masks or labels use `like`"
NONE = "declare `... | None`, if it may be missing"


def test_wrong_static_value_gives_advice(said: Any) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"scheme": "zeroth"}, "write `Scheme.ZERO`, or `Scheme('zeroth')`"),
        ({"scheme": 1}, "write `Scheme.FIRST_ORDER`, or `Scheme(1)`"),
        ({"scheme": "ZERO"}, "the members are `Scheme.ZERO`, `Scheme.FIRST_ORDER`"),
        ({"scheme": None}, NONE),
        ({"both": "zeroth"}, "write `Scheme.ZERO`, or `Scheme('zeroth')`"),
        ({"both": [1]}, "use a tuple"),
        ({"flag": 1}, "write True or False"),
        ({"flag": 0.0}, "write True or False"),
        ({"flag": np.int8(1)}, "write True or False"),
        ({"flag": "yes"}, "write True or False"),
        ({"count": Level.ONE}, "pass its `.value`, or declare `int | Level`"),
        ({"count": Mode.A}, "pass its `.value`, or declare `int | Mode`"),
        ({"size": Level.ONE}, "pass its `.value`, or declare `float | Level`"),
        ({"count": True}, "a bool is not a number; write 0 or 1"),
        ({"count": "3"}, "convert it with `int(...)`"),
        ({"size": "3"}, "convert it with `float(...)`"),
        ({"count": None}, NONE),
        ({"count": jnp.array(1)}, "convert it with `int(x.item())`, or declare it dynamic"),
        ({"count": jnp.ones(2)}, "declare it dynamic"),
        ({"name": 3}, "convert it with `str(...)`"),
        ({"name": np.str_("a")}, "convert it with `str(...)`"),
        ({"name": Word.A}, "pass its `.value`, or declare `str | Word`"),
        ({"name": b"a"}, "convert it with `.decode()`"),
        ({"name": None}, NONE),
        ({"data": "a"}, "convert it with `.encode()`"),
        ({"data": bytearray(b"a")}, "use bytes"),
        ({"sizes": [1]}, "use a tuple"),
        ({"sizes": np.arange(3)}, "convert it with `tuple(array.tolist())`"),
        ({"names": {"a"}}, "use a frozenset"),
        ({"rates": {"a": 1}}, "use a frozendict"),
        ({"part": None}, NONE),
    ]
    for given, remedy in cases:
        (name,) = given
        text = _refusal(lambda given=given: said.one.Said(**given))
        assert text.startswith(f"`Said.{name}` takes "), text
        assert text.endswith(f": {remedy}"), text
    text = _refusal(lambda: frozendict(a=[1]))
    assert text.startswith("`frozendict['a']` takes an immutable value")
    text = _refusal(lambda: said.one.run(jnp.ones(2), Level.ONE))
    assert text.startswith("argument `count` of `run` takes an int, but was given Level.ONE")


def test_traced_value_for_a_static_field_is_a_clear_error(said: Any) -> None:
    for name in ("scheme", "flag", "count", "size", "name", "data", "sizes", "both", "parts"):
        text = _refusal(lambda name=name: jax.jit(lambda x: said.one.Said(**{name: x}).flag)(1))
        assert f"`Said.{name}` takes " in text
        assert text.endswith("or compute the value outside the traced function"), text
        assert "declare it dynamic" in text


def test_placeholder_for_an_array_gives_advice_to_use_like(said: Any) -> None:
    one, x = said.one, jnp.ones(2)
    for given, remedy in (
        ({"x": None}, f"{NONE}; {LIKE}"),
        ({"x": True}, f"pass a number that the dtype can represent, or an array; {LIKE}"),
        ({"x": "label"}, f"pass an array or a number; {LIKE}"),
        ({"x": [1.0]}, "convert it with `jnp.array(...)`"),
        ({"x": x, "moving": 0}, LIKE),
        ({"x": x, "moving": True}, LIKE),
        ({"x": x, "moving": "label"}, LIKE),
        ({"x": x, "either": 0}, LIKE),
        ({"x": x, "several": None}, f"{NONE}; {LIKE}"),
        ({"x": x, "several": 0}, LIKE),
        ({"x": x, "several": [x]}, "use a tuple"),
    ):
        text = _refusal(lambda given=given: one.Holder(**given))
        assert text.startswith("`Holder."), text
        assert text.endswith(f": {remedy}"), text
    assert _refusal(lambda: one.run(None)).endswith(f": {NONE}")
    assert "like" not in _refusal(lambda: one.run(True))


def test_classes_with_equal_names_are_named_with_their_modules(said: Any) -> None:
    one, other, third = said.one, said.other, said.third
    x = jnp.ones(())
    theirs = "but was given Part(n=1) (Part): its class is `said.third.Part`, not"
    for make, told in (
        (lambda: one.Said(part=third.Part(1)), f"a `Part`, {theirs}"),
        (
            lambda: one.Said(parts=third.Part(1)),
            f"`Part | Part | None`, {theirs}",
        ),
        (
            lambda: one.Holder(x, moving=other.Moving(x)),
            "a `Moving`, but was given a `Moving` with arrays: "
            "its class is `said.other.Moving`, not",
        ),
        (
            lambda: one.Holder(x, either=third.Moving(x)),
            "a `Moving` or None, but was given a "
            "`Moving` with arrays: its class is `said.third.Moving`, not",
        ),
    ):
        assert re.search(re.escape(f"takes {told}") + r" `said\.\w+\.\w+`$", _refusal(make))
    old, moving = one.Part(1), one.Moving(x)
    new = importlib.reload(one)
    for make in (
        lambda: new.Said(part=old),
        lambda: new.Said(parts=old),
        lambda: new.Holder(x, moving=moving),
        lambda: new.Holder(x, either=moving),
    ):
        text = "its class is from before `said.one` was reloaded: call `upgrade"
        assert f": {text}(...)` of `codegen.runtime`" in _refusal(make)
