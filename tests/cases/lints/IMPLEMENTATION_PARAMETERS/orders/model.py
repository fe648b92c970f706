"""Each has an order of its own."""

import jax

DIGITS = "\d"  # Python warns about it, but the lint does not.


def started(shape, key, dtype): ...


class Blends:
    def blend(self, floor, weight): ...

    @staticmethod
    def mixed(rod, floor, weight): ...

    @classmethod
    def scaled(cls, rod, floor, weight): ...


class Size:
    def __init__(self, kind, count, length): ...


def mean(high, low): ...


def minus(other, self): ...


def step(rod, dt, rate): ...


@jax.jit
def compiled(rod, dt, rate): ...


def named(rod, rate, *, dt): ...


def more(rod, rate=1.0, dt=0.1): ...
