from typing import Any, ClassVar

from codegen.schema import static

class Lattice:
    weights: static[tuple[float, ...]] = (4 / 9, 1 / 9, 1 / 36)
    nested: static[tuple[Any, ...]] = (1, (-2 * 3,), 7 // 2 - 1)
    third: static[float] = 1 / 3
    unknown: static[float] = 2 * pi
    none: static[float] = 1 / 0
    large: static[int] = 10000000 * 10000000 * 10000000 * 10000000
    power: static[int] = 2**10
    mixed: static[tuple[Any, ...]] = (1 / 4, "a")
    inf: static[float] = 1e308 * 10
    speed: ClassVar[float] = 1 / 4
    many: static[tuple[float, ...]] = (
        1 / 3, 2 / 3, 1 / 7, 2 / 7, 1 / 9, 2 / 9, 1 / 11, 2 / 11, 1 / 13, 2 / 13, 1 / 17, 2 / 17,
    )
