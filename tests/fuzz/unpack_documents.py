"""Unpack randomly changed documents with recomputed digests.

    $ python -m tests.fuzz.unpack_documents 100000

Each gives a `CheckpointError`, or the object that the document describes. Nothing is imported, and memory is limited
to a small multiple of the document. `test_documents.py` runs some on every commit.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tracemalloc
from typing import Any

import jax.numpy as jnp

from codegen.runtime.checkpoint import CheckpointError, pack, unpack
from generated.digits import Config
from generated.heat import Grid, Plate
from generated.materials import Material

# Values that an attacker might choose.
VALUES: list[Any] = [
    None, True, 0, -1, 2**53, "", "a", [], {}, [[]], ["float", "nan"], ["float", "0x1.0p+0"],
    ["int", "0x" + "f" * 400], ["tuple", []], ["tuple", [1, ["tuple", []]]], ["object"],
    ["object", "heat.Grid", {}], ["object", "os.system", {}], ["named", "os:system"],
    ["enum", "heat.Scheme", "EXPLICIT"], ["enum", "signal:Signals", "SIGKILL"], ["shared"],
    ["dataclass", "subprocess:Popen", {"args": "true"}], ["namedtuple", "heat:Grid", {}],
    ["array", "int4", [4, 4], {}], ["array", "03501", [4, 4], {}], ["dtype", "03501"],
    ["constant", "float32", [2**52], ""], ["constant", "U99999999", [0], ""], ["dtype", "object"],
    ["array", "float32", [4, 4], {}], ["array", "float32", [2**52], {"key": "rbg"}],
    ["array", "float64", [4, 4], {"numpy": "array"}], ["array", "float32", [4, 4], {"weak": True}],
    ["range", 0, 2**53, 1], ["frozenset", [1, 1]], ["frozendict", [[1, 2]]], ["bytes", "===="],
    ["node", "jax:Array", "", []], ["dict", [[1, 2], [1, 3]]], ["list", [1]], ["scalar", "int8", [], "AA=="],
]  # fmt: skip


def documents() -> list[tuple[Any, dict[str, Any], str]]:
    """Create the original documents: a class, its arrays, and their text."""
    iron = Material("iron", conductivity=80.0, density=7874.0, specific_heat=449.0)
    plate = Plate(jnp.ones((4, 4)), jnp.ones((4, 4)), Grid(nx=4, ny=4), iron)
    return [(type(one), *pack(one)) for one in (plate, Config())]


def changed(about: str, chance: random.Random) -> str:
    """Return the text with one to three changed places, and its digest."""
    document = json.loads(about)
    del document["sha256"]
    for _ in range(chance.randint(1, 3)):
        places = [*_places(document)]
        holder, name = chance.choice(places)
        others, other = chance.choice(places)
        picks = [chance.choice(VALUES), others[other], f"{holder[name]}"]
        # Copy the value, because a document cannot contain itself.
        holder[name] = json.loads(json.dumps(chance.choice(picks)))
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    if text == "{}":
        return text
    return f'{text[:-1]},"sha256":"{hashlib.sha256(text.encode()).hexdigest()}"}}'


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, one in [*items]:
        yield value, name
        if isinstance(one, dict | list):
            yield from _places(one)


def run(count: int, seed: int = 0) -> int:
    """Unpack this many; return how many were accepted.

    Raises:
        AssertionError: one was neither refused nor what it says, or imported something
    """
    chance = random.Random(seed)
    begun = documents()
    for kind, arrays, about in begun:
        assert pack(unpack(kind, arrays, about)).about == about
    modules = {*sys.modules}
    taken = 0
    tracemalloc.start()
    for _ in range(count):
        kind, arrays, about = chance.choice(begun)
        text = changed(about, chance)
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        try:
            made = unpack(kind, arrays, text)
        except CheckpointError:
            made = None
        _, peak = tracemalloc.get_traced_memory()
        assert peak - before < 200 * len(text) + 10**6, text
        if made is not None:
            taken += 1
            assert type(made) is kind, text
            said, again = (json.loads(one) for one in (text, pack(made).about))
            # If the text names another former class, its new fields have defaults.
            is_ours = said["classes"] == again["classes"]
            assert not is_ours or said["root"] == again["root"], text
    tracemalloc.stop()
    assert {*sys.modules} == modules
    return taken


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"{total} documents, {run(total)} of them taken")  # noqa: T201
