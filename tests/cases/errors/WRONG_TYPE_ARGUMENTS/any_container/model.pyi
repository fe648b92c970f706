from collections.abc import Mapping, Sequence

from codegen.schema import dynamic

class Model:
    a: dynamic[Sequence]
    b: dynamic[Mapping[str]]
    c: dynamic[Sequence[int, ...]]
