"""Each has the declared order, or one that nothing says."""

import dataclasses

from elsewhere import imported, logged


def started(key, shape, dtype=None): ...


def drawn(rng, size, kind): ...


class Blends:
    def blend(weight, strength, floor): ...

    @staticmethod
    def mixed(rod, weight, floor, more=1.0): ...

    @classmethod
    def scaled(cls, rod, weight, floor): ...


def total(anything): ...


class Size:
    def __init__(self, kind, length, count): ...


class Made:
    def __new__(cls, *arguments): ...

    def __init__(self, kind, count, length): ...


@dataclasses.dataclass
class Record:
    count: float
    length: float


def mean(low, high): ...


def step(rod, dt, rate): ...


def step(rod, rate, dt): ...


def other_names(x, by, step): ...


def passed_on(*arguments): ...


@logged
def with_log(log, rod, rate, dt): ...


def _assigned(rod, dt, rate): ...


assigned = logged(_assigned)


def one(x, rate=1.0): ...
