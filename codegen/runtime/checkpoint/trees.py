"""Arrays, numbers and the containers of them: what a dynamic field holds but objects.

A difference is noted by its path, and `WRONG` stands in place of the value, so that one
run finds all of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final

import jax
import numpy as np

from ..converters import is_named_tuple
from ..dims.abstract import hashed
from .arrays import loaded, stored
from .conversions import widened
from .documents import CheckpointError
from .fitting import ANY, element, fits, is_like, noun, text
from .packing import opened_node
from .schemas import Package, Type, parse
from .values import Encoded, Reading, Wrong, imported, require_list, shown

# In place of a value that could not be read, which has been noted.
WRONG: Final = object()
# The kinds of Python's own numbers; None, bools, small integers and texts have none.
_NUMBERS: Final = ("", "int", "float", "complex")
# Where there is nothing alike to compare with.
NOTHING: Final = object()


class Trees(Reading):
    """Reads what is traced."""

    def __init__(self, package: Package, arrays: Mapping[str, Any]) -> None:
        super().__init__(package)
        self.arrays = arrays
        self.differences: list[str] = []
        # The paths of arrays and given values that found their places.
        self.used: set[str] = set()
        # Whether the field that is read has a wider dtype now.
        self.is_widening = False
        # What `init` folds into its key on the way to what is read; a stack is its path.
        self.steps: list[int | str] = []

    def note(self, path: str, what: str) -> Any:
        """Note a difference."""
        self.differences.append(f"`{path}` {what}" if path else f"the state {what}")
        return WRONG

    def below(self, step: int, *given: Any) -> Any:
        """Return a value below what is read, under an index or a hashed name."""
        self.steps.append(step)
        value = self.dynamic(*given)
        self.steps.pop()
        return value

    def dynamic(self, code: Encoded, path: str, declared: Type, like: Any) -> Any:
        """Return a value of a dynamic field, or `WRONG` where that was noted."""
        depth = len(self.steps)
        self.steps += [path] * stacks(declared)
        value = self._dynamic(code, path, declared, like)
        del self.steps[depth:]
        return value

    def _dynamic(self, code: Encoded, path: str, declared: Type, like: Any) -> Any:
        try:
            kind = code[0] if isinstance(code, list) else ""
            if read := self.opened.get(kind):
                value = read(self, path, declared, like, *code[1:])
            else:
                value = self._number(path, kind, code)
        except Wrong as wrong:
            return self.note(path, str(wrong))
        if value is WRONG:
            return WRONG
        if not fits(value, declared, self.package):
            what = f"is {noun(value)}, which `{text(declared)}` does not take"
            return self.note(path, what)
        if like is not NOTHING and not is_like(value, like):
            return self.note(path, f"is {noun(value)}, and `like` has {noun(like)}")
        return value

    def _number(self, path: str, kind: str, code: Encoded) -> Any:
        if kind not in _NUMBERS:
            raise Wrong(f"is {shown(code)}, which no dynamic field holds")
        return self.static(code, path)

    def _array(
        self,
        path: str,
        declared: Type,
        like: Any,
        dtype: str,
        shape: list[int],
        said: dict[str, Any],
    ) -> Any:
        self.used.add(path)
        array = self.arrays.get(path)
        if array is None and 0 in shape:
            # Not every store has arrays without elements.
            array = np.zeros(shape, dtype)
        if array is None:
            raise Wrong(f"is missing among the arrays: {dtype}{shape} was saved")
        try:
            value = loaded(array, dtype, shape, said)
        except (TypeError, ValueError) as error:
            raise Wrong(str(error)) from None
        if stored(value)[1] != [dtype, shape, said]:
            raise Wrong(f"is {noun(value)}, which is not how {shown(said)} is written")
        if self.is_widening:
            value = widened(value, declared)
        return value

    def _list(self, path: str, declared: Type, like: Any, items: list[Encoded]) -> Any:
        require_list(items)
        likes = [*like] if isinstance(like, list | tuple) else []
        likes += [NOTHING] * (len(items) - len(likes))
        found = [
            self.below(i, item, f"{path}[{i}]", element(declared, i, self.package), one)
            for i, (item, one) in enumerate(zip(items, likes, strict=False))
        ]
        return WRONG if has_wrong(found) else found

    def _tuple(self, *given: Any) -> Any:
        found = self._list(*given)
        return found if found is WRONG else tuple(found)

    def _dict(self, path: str, declared: Type, like: Any, pairs: list[Encoded]) -> Any:
        found: dict[Any, Any] = {}
        for code, item in pairs:
            name = self.static(code, path)
            one = like.get(name, NOTHING) if isinstance(like, dict) else NOTHING
            inner, where = element(declared, 1, self.package), f"{path}[{name!r}]"
            found[name] = self.below(hashed(name), item, where, inner, one)
        if len(found) != len(pairs):
            raise Wrong("has a key twice")
        return WRONG if has_wrong(found.values()) else found

    def _namedtuple(
        self, path: str, _: Type, like: Any, name: str, fields: dict[str, Encoded]
    ) -> Any:
        kind: Any = type(like)
        if not (is_named_tuple(kind) and self.package.name_of(kind) == name):
            kind = self.found(name, is_named_tuple, "named tuple")
        if {*kind._fields} != {*fields}:
            raise Wrong(
                f"is a `{name}`, which has the fields {', '.join(kind._fields)} now"
            )
        # Any other tuple has a `count` and an `index`, too.
        likes = like if type(like) is kind else NOTHING
        made = [
            self.below(
                i, fields[one], f"{path}.{one}", ANY, getattr(likes, one, NOTHING)
            )
            for i, one in enumerate(kind._fields)
        ]
        return WRONG if has_wrong(made) else kind._make(made)

    def _node(
        self, path: str, _: Type, like: Any, name: str, rest: str, items: list[Encoded]
    ) -> Any:
        opened = None if like is NOTHING else opened_node(like)
        if opened is None or self.package.name_of(type(like)) != name:
            raise Wrong(
                f"is a pytree of `{name}`, which no schema declares: give `like=`, a state "
                "with such a one in its place"
            )
        children, now = opened
        steps = [step for step, _ in items]
        if rest != now or [step for step, _ in children] != steps:
            raise Wrong(f"is another `{shown(name)}` than that of `like`")
        pairs = zip(items, children, strict=True)
        made = [
            self.dynamic(code, path + step, ANY, one)
            for (step, code), (_, one) in pairs
        ]
        if has_wrong(made):
            return WRONG
        treedef = jax.tree_util.tree_structure(
            like, is_leaf=lambda one: one is not like
        )
        return jax.tree_util.tree_unflatten(treedef, made)

    def _shared(self, *_: Any) -> Any:
        return imported("sharing").HOLE

    def part(self, document: dict[str, Any], at: str) -> Encoded:
        """Return what is written of the value at a path, and go there.

        Raises:
            CheckpointError: there is nothing
        """
        path, code, declared = "", document.get("root"), ANY
        while path != at:
            ways = self._ways(code, path, declared, document["classes"])
            way = next((one for one in ways if is_below(at, one[0])), None)
            if way is None:
                rest = at[len(path) :].lstrip(".")
                raise CheckpointError(
                    f"nothing was saved at `{at}`: there is no `{rest}`; a path is "
                    "written `model.blocks[0]`"
                )
            path, step, declared, code = way
            self.steps += [step, *[path] * stacks(declared)]
        return code

    def _ways(
        self, code: Encoded, path: str, declared: Type, classes: dict[str, Any]
    ) -> Iterator[tuple[str, int, Type, Encoded]]:
        """Yield the parts of a value: path, step, type, and what is written of it."""
        kind, *rest = code if isinstance(code, list) else ("",)
        if kind == "object":
            for name, one in rest[1].items():
                inner = parse(classes[rest[0]]["fields"][name].partition(" ")[2])
                yield f"{path}.{name}".lstrip("."), hashed(name), inner, one
        for i, name in enumerate(rest[1] if kind == "namedtuple" else ()):
            yield f"{path}.{name}", i, ANY, rest[1][name]
        for i, one in enumerate(rest[0] if kind in ("tuple", "list") else ()):
            yield f"{path}[{i}]", i, element(declared, i, self.package), one
        for key, one in rest[0] if kind == "dict" else ():
            name = self.static(key, path)
            inner = element(declared, 1, self.package)
            yield f"{path}[{name!r}]", hashed(name), inner, one

    opened: ClassVar[dict[str, Callable[..., Any]]] = {
        "array": _array,
        "tuple": _tuple,
        "list": _list,
        "dict": _dict,
        "namedtuple": _namedtuple,
        "node": _node,
        "shared": _shared,
    }


def is_below(path: str, part: str) -> bool:
    """Tell whether a path is that of a part, or leads into it."""
    return not part or path == part or path.startswith((f"{part}.", f"{part}["))


def stacks(declared: Type) -> int:
    """Return how many axes of layers are in front of what is declared."""
    inside = [one.arguments[0] for one in declared.members if one.name == "stacked"]
    return 1 + stacks(inside[0]) if inside else 0


def has_wrong(values: Iterable[Any]) -> bool:
    """Tell whether one of some values could not be read."""
    return any(value is WRONG for value in values)
