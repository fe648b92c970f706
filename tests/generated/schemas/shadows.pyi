"""Names that the generated code would like to use itself."""

from typing import Any

from codegen.schema import dynamic, f32, impl, static

class Shadow:
    int: static[int]
    list: static[str]
    self: static[int]
    cls: static[int]
    type: dynamic[f32]
    key: static[int]
    obj: static[Any]
    children: dynamic[f32]
    set_field: static[int]
    object: static[tuple[int, ...]]
    property: static[str]
    split: dynamic[tuple[f32, ...]]
    donated: static[int]
    impl: static[int]
    Any: static[Any]
    KEEP: static[int]
    x_tag: static[int]
    x: static[Any]

    @impl("tests.generated.impl.methods:count")
    def tuple(self, impl: int, self_: str, int_: float) -> int: ...

class Array:
    Float32: dynamic[f32]

@impl("tests.generated.impl.functions:shadowed")
def shadowed(
    key: dynamic[f32],
    kept: dynamic[float],
    donated: dynamic[f32],
    impl: static[str],
    result: dynamic[Array],
) -> dict[str, f32]: ...

class _Hidden:
    _x: dynamic[f32]
    _count: static[int] = 1
