"""Arrays that say what an optimiser does with them."""

from typing import Any

from codegen.schema import Dim, donated, dynamic, f32, field, impl, share, static

n = Dim()
m = Dim()

class Linear(dims=(m,)):
    w: donated[f32[m]] = field(init="ones", tag="decay")
    b: donated[f32[m]] = field(init="zeros")

class Head(Linear[n]):
    gain: donated[f32] = field(init="ones", tag=("gain", "decay"))

class Net:
    first: donated[Linear[n]] = field(tag="frozen")
    rest: donated[dict[str, tuple[Linear[n], ...]]] = field(tag="rest")
    maybe: dynamic[Head | None] = None
    state: dynamic[Any] = field(default=None, tag="state")
    rate: dynamic[float] = 0.5
    name: static[str] = "net"

class Called:
    inner: donated[Linear[n]] = field(tag="frozen")
    rate: dynamic[f32] = 0.5

    @impl("tests.comfort.impl:applied")
    def __call__(self, x: f32[n]) -> f32[n]: ...

class Tied:
    first: donated[Linear[n]] = field(tag="owner")
    other: donated[Linear[n]] = field(tag="borrower")
    share(first, other)

class Rule(abstract=True): ...

class Plain(Rule):
    rate: dynamic[f32]

class Decaying(Plain):
    decay: dynamic[f32] = field(tag="decay")

class Optimiser:
    rule: dynamic[Rule]
