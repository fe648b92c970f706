"""Implementations of the methods and properties of the schemas."""

from typing import Any


def total(self: Any, scale: float, name: str) -> Any:
    return self.a.sum() * scale + len(name) - 1


class Measures:
    @staticmethod
    def head(self: Any) -> Any:  # noqa: PLW0211
        return self.a[0], self.a.size


def count(self: Any, impl: int, self_: str, int_: float) -> int:
    return int(self.int + impl + len(self_) + int_)


def size(self: Any) -> float:
    return float(self.area)


def solve(self: Any, x: float) -> float:
    return x * int(self.steps)


def heat_content_of_all_plates_with_boundaries(self: Any) -> float:
    return 0.0


def mean(self: Any) -> Any:
    return self.u.mean()


def nothing(
    self: Any, an_argument_with_a_long_name: int, another_argument_with_a_long_name: str
) -> Any:
    return (an_argument_with_a_long_name,), frozenset({another_argument_with_a_long_name}), None


def stop(self: Any) -> None:
    assert self.name


class Points:
    @staticmethod
    def at(self: Any, factor: Any, shift: float) -> Any:  # noqa: PLW0211
        return self.x * factor + self.y + shift

    @staticmethod
    def added(self: Any, other: Any) -> Any:  # noqa: PLW0211
        return self.replace(x=self.x + other.x, y=self.y + other.y)

    @staticmethod
    def shown(self: Any) -> str:  # noqa: PLW0211
        return f"({self.x}, {self.y})"

    @staticmethod
    def along(cls: Any, y: Any) -> Any:  # noqa: PLW0211
        return cls(0.0, y=y)

    @staticmethod
    def distance(one: Any, other: Any) -> Any:
        return abs(one.x - other.x) + abs(one.y - other.y)
