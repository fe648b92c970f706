# Trees of classes that no schema declares, and constant arrays wherever they may be.

from typing import Any

from codegen.schema import Dim, dynamic, f32, frozendict, impl, static

n = Dim()
m = Dim()

class Held(draft=True):
    x: dynamic[f32]
    tree: dynamic[Any] = None

class Table:
    data: static[f32[n, m]]

class Nested(draft=True):
    x: dynamic[f32]
    value: static[Any]
    several: static[tuple[f32[n, m], ...]] = ()
    named: static[frozendict[str, f32[n, m]] | None] = None
    other: static[f32[n, m] | int] = 0

class Drafted(draft=True):
    x: dynamic[f32]
    data: static[f32[n, m]]

@impl("tests.runtime.test_foreign:seen")
def bare(tree: dynamic[Any]) -> f32[...]: ...
@impl("tests.runtime.test_foreign:seen_in")
def held(obj: dynamic[Held]) -> f32[...]: ...
@impl("tests.runtime.test_views:rows")
def rows(x: dynamic[f32[...]], data: static[f32[n, m]], value: static[Any] = 0) -> f32[...]: ...
