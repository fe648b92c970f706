"""A mixin in a package."""


class Shown:
    __slots__ = ()
