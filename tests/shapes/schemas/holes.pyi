"""Sizes that static integers alone say, wherever they stand."""

from codegen.schema import Dim, donated, dynamic, f32, field, static

d = Dim()
heads = Dim()
layers = Dim()

class Config:
    d: static[int]
    heads: static[int]

class Outer:
    config: static[Config]

class Outermost:
    outer: static[Outer]

class Attention(dims=(d, heads)):
    """No array has `heads`."""

    w: donated[f32[d, d]] = field(init="zeros")
    heads: static[int]

class Model:
    attention: donated[Attention[d, heads]]
    config: static[Config]

class Deep:
    """Its sizes are three fields away."""

    attention: donated[Attention[d, heads]]
    w: donated[f32[d]] = field(init="zeros")
    outermost: static[Outermost]

class Plain:
    """An array alone, whose quick check reads a deep size."""

    w: donated[f32[d]] = field(init="zeros")
    outermost: static[Outermost]

class Maybe:
    """A static object that need not be there."""

    w: donated[f32[d]] = field(init="zeros")
    config: static[Config | None]

class Kind(abstract=True, use="static"):
    name: static[str] = "kind"

class Sized(Kind):
    d: static[int]

class Abstract:
    w: donated[f32[d]] = field(init="zeros")
    kind: static[Kind]

class Several:
    """In containers each has sizes of its own."""

    w: donated[f32[d]] = field(init="zeros")
    configs: static[tuple[Config, ...]]

class Twice:
    """Two static objects say one size."""

    w: donated[f32[d]] = field(init="zeros")
    one: static[Config]
    other: static[Outer]

class Table(dims=(layers,)):
    """A static class at several sizes."""

    layers: static[int]

class Summed:
    w: donated[f32[d]] = field(init="zeros")
    table: static[Table[d + 1]]
    ten: static[Table[10]]
    same: static[Table[d]]

class Head(Attention[d, 10], dims=(d,)):
    """Its base's parameter is a number."""

class Renamed(Attention[layers, layers], dims=(layers,)):
    """Its base's parameters are one of its own."""

class Inside:
    """An object that is nested, without parameters."""

    heads: static[int]
    x: dynamic[f32] = 0.0

class Holder:
    inside: dynamic[Inside]
    insides: dynamic[tuple[Inside, ...]]
    w: donated[f32[heads]] = field(init="zeros")

class Unrelated:
    """Integers that are called like no dimension of it may be any."""

    inside: dynamic[Inside]
    config: static[Config]
    x: dynamic[f32] = 0.0

class Half:
    w: dynamic[f32[d // 2]] = field(init="zeros")
    config: static[Config]

class Wrapper:
    tables: static[tuple[Table[d], ...]]

class Wrapped:
    w: donated[f32[d]] = field(init="zeros")
    wrapper: static[Wrapper]

class Lengths:
    many: dynamic[tuple[Inside, ...]]
    maybe: dynamic[list[f32] | None]
    named: dynamic[dict[str, f32]]
    none: dynamic[tuple[f32, ...] | None] = None
    empty: dynamic[tuple[f32, ...]] = ()

class Scaled(dims=(d,)):
    """No array has its parameter."""

    scale: donated[f32] = field(init="zeros")

class Scales:
    """So `abstract` asks for no size of it."""

    layers: dynamic[Scaled[layers]]
