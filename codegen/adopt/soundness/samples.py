r"""Programs that demonstrate a problem. Each runs unchanged if the library is installed.

program("flax.struct", "heat.plate.Plate", "n", NUMBER)    ->    "import jax\\n..."

They use a class with one static field, registered like the class of the finding. That class itself
may have a constructor with arbitrary arguments.
"""

from __future__ import annotations

import re

from codegen.adopt.libraries import LIBRARIES

_HEAD = """\
# A problem of {name}.{field}, shown with a class of the same kind.
from typing import Any

import jax
import jax.numpy as jnp

"""
# Indexed by whether the sample class has a leaf. Such a class is a normal argument; a class without
# leaves is a static argument.
_MADE = {True: "Plate(jnp.zeros(()), {value})", False: "Plate({value})"}
_JIT = {
    True: "jax.jit(lambda plate: {body})",
    False: "jax.jit(lambda plate: {body}, static_argnums=0)",
}

NUMBER = (
    "16777217 * jnp.ones((), jnp.int32) * plate.n",
    ("1", "1.0"),
    "print(f(one), f(two))  # 16777217 16777217: the second should be 16777216.0, a float",
)
ZERO = (
    "jnp.float32(1) / plate.n",
    ("0.0", "-0.0"),
    "print(f(one), f(two))  # inf inf: the second should be -inf",
)
MUTABLE = (
    "plate.n[0] * jnp.ones(())",
    ("[1.0]", "[1.0]"),
    "print(f(one))\none.n[0] = 2.0\n"
    "print(f(one))  # 1.0 again: should be 2.0; or, before that, TypeError: unhashable type: 'list'",
)
ARRAY = (
    "jnp.sum(jnp.asarray(plate.n))",
    ("jnp.ones(2)", "jnp.ones(2)"),
    "f(one), f(two)  # an error: arrays have no hash, or no single answer to `==`",
)
CLOSURE = (
    "plate.n(1.0)",
    ("lambda x: x", "lambda x: x"),
    "f(one), f(two)\nprint(f._cache_size())  # 2: the same code was compiled twice",
)


def format_static_program(
    mechanism: str, name: str, field: str, case: tuple[str, tuple[str, str], str]
) -> str:
    """Return the program; empty if the mechanism has no sample class for it."""
    sample = LIBRARIES[mechanism].sample
    if not sample or (case is CLOSURE and LIBRARIES[mechanism].refuses_identity):
        return ""
    body, values, shown = case
    has_leaf = "u: jax.Array" in sample
    texts = [_MADE[has_leaf].format(value=value) for value in values]
    jit = _JIT[has_leaf].format(body=body)
    lines = [f"one, two = {texts[0]}, {texts[1]}", f"f = {jit}", shown]
    plain = re.sub(r"[^\w.]", "", name)
    return _HEAD.format(name=plain, field=field) + sample + "\n\n" + "\n".join(lines) + "\n"


TREEDEFS = """\
# {one} and {two} have equal treedefs: JAX can run the program of one for the other.
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class One:
    u: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Two:
    u: jax.Array


print(jax.tree.structure(One(0.0)) == jax.tree.structure(Two(0.0)))  # True: they should differ
print(type(jax.lax.cond(True, lambda: One(0.0), lambda: Two(0.0))).__name__)  # One: should be an error
"""

POST_INIT = """\
# The constructor of {name} runs whenever JAX unflattens an object.
from typing import Any

import jax

{sample}
    def __post_init__(self):
        seen.append(type(self.u).__name__)

seen = []
plate = Plate({values})
jax.tree.map(lambda _: None, plate)
jax.jit(lambda plate: plate)(plate)
print(seen)  # more than one object: also with tracers and None
"""


def format_post_init_program(mechanism: str, name: str) -> str:
    """Return the program that shows the types that `__post_init__` receives."""
    sample = LIBRARIES[mechanism].sample
    if "u: jax.Array" not in sample:
        return ""
    plain = re.sub(r"[^\w.]", "", name)
    return POST_INIT.format(name=plain, sample=sample.rstrip() + "\n", values="1.0, 2")


DEFAULT = """\
# A problem of the default of {name}, shown with a class that has such a default.
from typing import Any, NamedTuple

import numpy as np


class Plate(NamedTuple):
    u: Any = np.zeros(2)


one, two = Plate(), Plate()
one.u[0] = 5.0
print(two.u[0])  # 5.0: should be 0.0
"""

DONATION = """\
# A problem of the donation in {name}: arrays that are only read are deleted too.
import dataclasses
import functools

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Plate:
    u: jax.Array
    mass: jax.Array


@functools.partial(jax.jit, donate_argnums=0)
def step(plate):
    return dataclasses.replace(plate, u=plate.u + plate.mass)


mass = jnp.ones(3)
step(Plate(jnp.zeros(3), mass))
print(mass.is_deleted())  # True, although `step` does not replace it
"""

SELF = """\
# A problem of the static `self` of {name}.
import functools

import jax


class Solver:
    def __init__(self, rate):
        self.rate = rate

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, x):
        return self.rate * x


solver = Solver(1.0)
print(solver.step(1.0))
solver.rate = 2.0
print(solver.step(1.0))  # 1.0 again: should be 2.0
"""
