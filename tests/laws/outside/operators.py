"""A mixin without a package."""


class Arithmetic:
    __slots__ = ()
