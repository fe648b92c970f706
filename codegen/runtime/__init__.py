"""The runtime that generated code imports: only the parts that its schemas use."""

import sys
from collections.abc import Collection, Hashable, Mapping
from typing import Any, Final, TypeVar

PROTOCOL: Final = 2
# A generated module imports it: `from ._runtime import protocol_v2`.
PROTOCOL_NAME: Final = f"protocol_v{PROTOCOL}"
# The parts that users import, which `[tool.codegen] features` may list.
FEATURES: Final = (
    "checkpoint",
    "export",
    "identities",
    "jit",
    "lift",
    "memory",
    "mesh",
)
_DECLARED: Final = {
    "call": "a function",
    "compiler_options": "a function with `compiler_options=`",
    "dims": "an array",
    "donation": "a function with a donated argument",
    "drafts": "a class with `draft=True`",
    "frozendict": "a static `frozendict`",
    "init": "a field with `init=`",
    "lift": "a class with `draft=True`",
    "mesh": "a mesh axis",
    "mixins": "a class with a mixin",
    "shapes": "an array",
    "sharing": "a class with `share`",
    "stacks": "a type `stacked[Block, layers]`",
    "statics": "a static field of a container, an array or `Any`",
    "tags": "a field with `tag=`",
    "traces": "a function",
}

Name = TypeVar("Name", bound=Hashable)


def former_names(
    saved: Collection[Name], now: Collection[Name], former: Mapping[Name, Name]
) -> dict[Name, Name]:
    """Map the current name of each saved field to its saved name.

    A former name counts if the field's own name was not saved, or if another field
    takes the value saved under it. For example, `b` was `a`, and `c` was `b`: a state
    with `a` and `b` has both values under their former names. Of several former names
    that were saved, the last counts, because they are written from oldest to newest.

    Args:
        saved: all names in the saved version
        now: all current names
        former: the current names by their former names
    """
    earlier: dict[Name, list[Name]] = {}
    for old, name in former.items():
        if old in saved:
            earlier.setdefault(name, []).append(old)
    saved_names: dict[Name, Name] = {}
    vacant = [name for name in now if name not in saved]
    for name in vacant:  # The loop adds to it.
        for old in earlier.get(name, [])[-1:]:
            saved_names[name] = old
            vacant += [old] if old in now else []
    unchanged = {*now}.intersection(saved).difference(saved_names.values())
    return saved_names | {name: name for name in now if name in unchanged}


def __getattr__(name: str) -> Any:
    number = name.removeprefix("protocol_v")
    if number == name or not number.isdecimal():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == PROTOCOL_NAME:
        return PROTOCOL
    what = (
        f"the generated code has protocol v{number}, but `{__name__}` has protocol "
        f"v{PROTOCOL}"
    )
    if int(number) > PROTOCOL:
        raise ImportError(f"{what}. The package is older: upgrade `pytree-codegen`")
    raise ImportError(f"{what}. The code is older: run `codegen build` again")


class _Finder:
    """The last import finder. It explains how to have a missing part written."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        package, _dot, part = name.rpartition(".")
        causes = [f"a schema has {_DECLARED[part]}"] if part in _DECLARED else []
        if part in FEATURES:
            causes.append(f'`[tool.codegen]` has `features = ["{part}"]`')
        if package == __name__ and causes:
            raise ModuleNotFoundError(
                f"`{name}` is missing: `codegen build` writes it only if "
                f"{', or '.join(causes)}"
            )


sys.meta_path.append(_Finder)
