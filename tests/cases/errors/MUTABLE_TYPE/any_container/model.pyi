from typing import Mapping, Sequence

from codegen.schema import static

class Model:
    a: static[Sequence[int]]
    b: static[Mapping[str, int] | None] = None
    c: static[tuple[Sequence[int], ...]]
