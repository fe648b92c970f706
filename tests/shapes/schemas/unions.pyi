"""Unions of classes and of arrays."""

from codegen.schema import Dim, donated, dynamic, f32

n = Dim(mesh="rows")
m = Dim(mesh="cols")
k = Dim()
p = Dim()
q = Dim()

class Dense(dims=(p, q)):
    """From p to q."""

    w: donated[f32[p, q]]

class Turned(dims=(p, q)):
    """The same, stored the other way."""

    w: donated[f32[q, p]]

class Layers:
    """Of either sort."""

    one: donated[Dense[n, m] | Turned[m, n]]
    more: donated[tuple[Turned[n, m] | Dense[m, n] | None, ...]] = ()
    turned: donated[Turned[m, n]]
    x: dynamic[f32[n]]
    y: dynamic[f32[m]]

class Either:
    """Where the first type that fits is not always the one."""

    x: dynamic[f32[n] | f32[m]]
    y: dynamic[f32[n] | f32[k, k]]
