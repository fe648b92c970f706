from typing import Any

from codegen.schema import Dim, Float, donated, dynamic, f32, impl

n = Dim()
m = Dim()

class Bar:
    u: donated[f32[n]]

class Rod:
    v: dynamic[f32[m]]

@impl("bar:other")
def other(bar: donated[Bar]) -> Rod: ...
@impl("bar:kind")
def kind(bar: donated[Bar]) -> Float[...]: ...
@impl("bar:anything")
def anything(bar: donated[Bar]) -> Any: ...
@impl("bar:both")
def both(bar: donated[Bar], x: donated[f32[n, n]]) -> tuple[Bar, f32[m, m]]: ...
