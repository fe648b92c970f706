"""`equinox.Module`, in short."""

import dataclasses

import jax


def field(*, static=False, converter=None, **options):
    metadata = {"static": static} | ({"converter": converter} if converter else {})
    return dataclasses.field(metadata=metadata, **options)


class _Made(type):
    def __call__(cls, *args, **kwargs):
        obj = cls.__new__(cls)
        _UNDER_CONSTRUCTION.append(obj)
        obj.__init__(*args, **kwargs)
        _UNDER_CONSTRUCTION.pop()
        for one in dataclasses.fields(cls):
            if "converter" in one.metadata:
                value = one.metadata["converter"](getattr(obj, one.name))
                object.__setattr__(obj, one.name, value)
        for base in cls.__mro__:
            vars(base).get("__check_init__", lambda _: None)(obj)
        return obj


_UNDER_CONSTRUCTION = []


def _set(self, name, value):
    if not any(one is self for one in _UNDER_CONSTRUCTION):
        raise dataclasses.FrozenInstanceError(name)
    object.__setattr__(self, name, value)


class Module(metaclass=_Made):
    _has_own_init = False

    def __init_subclass__(cls):
        cls._has_own_init |= "__init__" in vars(cls)
        dataclasses.dataclass(frozen=True, init=not cls._has_own_init)(cls)
        cls.__setattr__ = _set
        data, meta = (
            [one.name for one in dataclasses.fields(cls) if one.metadata.get("static", False) is static]
            for static in (False, True)
        )

        def flatten(obj):
            statics = tuple(getattr(obj, name) for name in meta)
            return [(jax.tree_util.GetAttrKey(name), getattr(obj, name)) for name in data], statics

        def unflatten(statics, children):
            obj = object.__new__(cls)
            for name, value in zip((*meta, *data), (*statics, *children), strict=True):
                object.__setattr__(obj, name, value)
            return obj

        jax.tree_util.register_pytree_with_keys(cls, flatten, unflatten)
