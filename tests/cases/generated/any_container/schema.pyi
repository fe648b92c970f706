from collections.abc import Mapping, Sequence

from codegen.schema import dynamic, f32

class Model:
    items: dynamic[Sequence[f32]]
    rates: dynamic[Mapping[str, f32]] = {}
