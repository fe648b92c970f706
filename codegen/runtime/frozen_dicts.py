"""An immutable mapping that may be a static value.

    rates = frozendict({"u": 0.1, "v": 0.2})
    rates["u"]                              # 0.1
    rates == frozendict(v=0.2, u=0.1)       # False: the order of the keys counts

Keys and values are static values themselves, and are checked on construction. Two
frozendicts are equal if their items are exactly equal (`1` is not `True`) and in the
same order.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, NoReturn, Self, TypeVar, overload

from .statics.views import fresh, pickled

K = TypeVar("K")
# Covariant, since nothing is ever added: a frozendict of dtypes is also one of values
# that convert to dtypes.
V_co = TypeVar("V_co", covariant=True)
W = TypeVar("W")


class frozendict(Mapping[K, V_co], Generic[K, V_co]):
    """An immutable, ordered mapping, hashed and compared exactly."""

    __slots__ = ("__codegen_tag__", "_items")

    __codegen_tag__: Hashable
    _items: dict[K, V_co]

    # Separate overloads: with a union, mypy could not infer the expected type of a dict
    # literal.
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
        from .statics.tagging import as_static

        entries = dict(items) | named
        cls = type(self)
        pairs = [
            (as_static(name, cls, "keys()"), as_static(item, cls, f"[{name!r}]"))
            for name, item in entries.items()
        ]
        names = distinct([name for (name, _), _ in pairs], entries)
        content = zip(names, (item for _, (item, _) in pairs), strict=True)
        tags = tuple([(name_tag, tag) for (_, name_tag), (_, tag) in pairs])
        object.__setattr__(self, "_items", dict(content))
        object.__setattr__(self, "__codegen_tag__", tags)

    def __getitem__(self, key: K) -> V_co:
        item: V_co = fresh(self._items[key])
        return item

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __or__(self, other: Mapping[K, W]) -> "frozendict[K, V_co | W]":
        items: dict[K, V_co | W] = {**self._items, **other}
        return frozendict(items)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, frozendict):
            return NotImplemented
        return self.__codegen_tag__ == other.__codegen_tag__

    def __hash__(self) -> int:
        return hash(self.__codegen_tag__)

    def __repr__(self) -> str:
        return f"frozendict({self._items!r})"

    def __copy__(self, *_memo: object) -> Self:
        return self

    __deepcopy__ = __copy__

    def __reduce__(self) -> tuple[Any, ...]:
        items = self._items.items()
        return frozendict, ({pickled(key): pickled(item) for key, item in items},)

    def __setattr__(self, name: str, *_value: object) -> NoReturn:
        raise AttributeError(f"a frozendict is immutable: cannot change `{name}`")

    __delattr__ = __setattr__


def distinct(names: Collection[Any], original: Collection[Any]) -> Collection[Any]:
    """Return canonical names; the original names if several NaNs would become one."""
    return names if len({*names}) == len(original) else original
