"""What a build uses of msgspec, as dataclasses: msgspec has no wheel for the browser.

In the playground this module is `msgspec`, and also `msgspec.structs`.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar, Final

field: Final = dataclasses.field
replace: Final = dataclasses.replace
force_setattr: Final = object.__setattr__


class Struct:
    """The base of frozen records; the options are those of msgspec."""

    __struct_fields__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(
        cls, *, frozen: bool = False, eq: bool = True, kw_only: bool = False, **_: bool
    ) -> None:
        super().__init_subclass__()
        for name, default in [*vars(cls).items()]:
            # msgspec copies the empty collections that are defaults.
            if name in cls.__annotations__ and default in ([], {}, set()):
                setattr(cls, name, field(default_factory=type(default)))
        if not eq and "__eq__" not in vars(cls):
            cls.__eq__, cls.__hash__ = object.__eq__, object.__hash__  # type: ignore[method-assign]
        # `==` of a base is inherited, as in msgspec, so dataclasses must not write one.
        dataclasses.dataclass(frozen=frozen, eq=False, kw_only=kw_only)(cls)
        fields = sorted(dataclasses.fields(cls), key=lambda one: bool(one.kw_only))  # type: ignore[arg-type]
        cls.__struct_fields__ = tuple(one.name for one in fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return astuple(self) == astuple(other)

    def __lt__(self, other: Any) -> bool:
        return bool(astuple(self) < astuple(other))

    def __hash__(self) -> int:
        return hash(astuple(self))


def astuple(struct: Struct) -> tuple[Any, ...]:
    """Return the values of the fields."""
    return tuple(getattr(struct, name) for name in struct.__struct_fields__)
