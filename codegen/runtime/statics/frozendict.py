"""An immutable mapping that may be a static value.

    rates = frozendict({"u": 0.1, "v": 0.2})
    rates["u"]                              # 0.1
    rates | {"w": 0.3}                      # a new frozendict
    rates == frozendict(v=0.2, u=0.1)       # False: the order of the keys counts

Its keys and values are themselves static values, checked when it is made. Two are equal
where their items are exactly equal (`1` is not `True`), in the same order.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, NoReturn, Self, TypeVar, overload

from .tags import as_static
from .views import fresh, holds_arrays, pickled

K = TypeVar("K")
# Nothing is ever put in, so one of dtypes is one of whatever makes a dtype, too.
V_co = TypeVar("V_co", covariant=True)
W = TypeVar("W")


class frozendict(Mapping[K, V_co], Generic[K, V_co]):
    """An immutable, ordered mapping, hashed and compared exactly."""

    __slots__ = ("__codegen_tag__", "_arrays", "_items")

    __codegen_tag__: Hashable
    _items: dict[K, V_co]
    # Whether there are arrays in the values.
    _arrays: bool

    # Apart: of a union, mypy would not tell what a literal dict is expected to hold.
    @overload
    def __init__(self, items: Mapping[K, V_co], /) -> None: ...
    @overload
    def __init__(self, items: Iterable[tuple[K, V_co]] = (), /) -> None: ...
    @overload
    def __init__(
        self: "frozendict[str, V_co]",  # pyright: ignore[reportInvalidTypeVarUse]
        items: Mapping[str, V_co] | Iterable[tuple[str, V_co]] = (),
        /,
        **named: V_co,
    ) -> None: ...
    def __init__(
        self,
        items: Mapping[Any, V_co] | Iterable[tuple[Any, V_co]] = (),
        /,
        **named: V_co,
    ) -> None:
        given = dict(items) | named
        keys: list[Any] = []
        values: list[V_co] = []
        tags: list[Hashable] = []
        for name, item in given.items():
            key, key_tag = as_static(name, type(self), "keys()")
            value, tag = as_static(item, type(self), f"[{name!r}]")
            keys.append(key)
            values.append(value)
            tags.append((key_tag, tag))
        content = dict(zip(keys, values, strict=True))
        if len(content) < len(given):
            # Several NaNs are keys, and their canonical form would make them one.
            content = dict(zip(given, values, strict=True))
        object.__setattr__(self, "_items", content)
        object.__setattr__(self, "_arrays", any(map(holds_arrays, values)))
        object.__setattr__(self, "__codegen_tag__", tuple(tags))

    def __getitem__(self, key: K) -> V_co:
        item = self._items[key]
        made: V_co = fresh(item) if self._arrays else item
        return made

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __or__(self, other: Mapping[K, W]) -> "frozendict[K, V_co | W]":
        items: dict[K, V_co | W] = {}
        items.update(self._items)
        items.update(other)
        return frozendict(items)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, frozendict):
            return NotImplemented
        return self.__codegen_tag__ == other.__codegen_tag__

    def __hash__(self) -> int:
        return hash(self.__codegen_tag__)

    def __repr__(self) -> str:
        return f"frozendict({self._items!r})"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        items = self._items.items()
        return frozendict, ({pickled(key): pickled(item) for key, item in items},)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a frozendict is immutable: cannot set `{name}`")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a frozendict is immutable: cannot delete `{name}`")
