"""`equinox.Module`, in short."""

import dataclasses

import jax


def field(*, static=False, converter=None, **options):
    metadata = {"static": static} | ({"converter": converter} if converter else {})
    return dataclasses.field(metadata=metadata, **options)


class _Made(type):
    def __call__(cls, *args, **kwargs):
        obj = super().__call__(*args, **kwargs)
        for one in dataclasses.fields(cls):
            if "converter" in one.metadata:
                value = one.metadata["converter"](getattr(obj, one.name))
                object.__setattr__(obj, one.name, value)
        for base in cls.__mro__:
            vars(base).get("__check_init__", lambda _: None)(obj)
        return obj


class Module(metaclass=_Made):
    def __init_subclass__(cls):
        jax.tree_util.register_dataclass(dataclasses.dataclass(frozen=True)(cls))
