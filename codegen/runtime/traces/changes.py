"""In what two calls differ, by paths and as text.

find_changes(describe(call), describe(later))
# [Change("plate.u", "f32[64,64]", "f32[128,64]", "shape", "nx: 64 -> 128")]
"""

import dataclasses
from collections.abc import Iterator
from typing import Any, Final

import jax

from ..shapes.declared import is_variadic
from .described import Array, Aspect, Description, axes_of, shortened

# What is said of a value in a mixture of kinds, the first that one of them is.
_KINDS: Final = ("function", "static", "structure")


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """In what a call differs from an earlier program."""

    path: str  # Example: "plate.thickness"
    before: str
    after: str
    # "static", "function", "class", "shape", "dtype", "weak type", "sharding",
    # "committed", "structure" or "context"
    kind: str
    # What is printed in place of the kind, if there is more to say.
    detail: str = ""


def find_changes(before: Description, after: Description) -> list[Change]:
    """Return all in which two descriptions differ."""
    found: list[Change] = []
    for key, now in after.items():
        # What is not in both is within what differs.
        was = before.get(key, now)
        if was != now:
            found += _changes(key[1], was, now)
    wide = [c.before for c in found if c.path == "jax_enable_x64"]
    if wide:
        # Said beside what it has changed.
        detail = f"dtype (jax_enable_x64 was {'on' if wide == ['True'] else 'off'})"
        said = {"dtype": detail}
        found = [
            dataclasses.replace(c, detail=said.get(c.kind, c.detail)) for c in found
        ]
    return found


def _changes(path: str, was: Aspect | Array, now: Aspect | Array) -> Iterator[Change]:
    """Say in what two descriptions of one value differ."""
    if isinstance(was, Array) and isinstance(now, Array):
        pairs = zip(_shown(was), _shown(now), strict=True)
        for (kind, one, before), (_, other, after) in pairs:
            # Not `in`, as `float64 == None` of NumPy's dtypes.
            if one != other and one is not None and other is not None:
                detail = _sizes(was, now) if kind == "shape" else ""
                yield _change(path, before, after, kind, detail)
        return
    kinds = {was.kind, now.kind}
    mixed = [kind for kind in _KINDS if kind in kinds and len(kinds) > 1]
    yield _change(path, was.text, now.text, (*mixed, now.kind)[0])


def _change(path: str, before: str, after: str, kind: str, detail: str = "") -> Change:
    another = f"{kind} (another one)" if before == after else ""
    return Change(path, before, after, kind, detail or another)


def _shown(array: Array) -> list[tuple[str, Any, str]]:
    """Return what can differ between arrays: its kind, what is compared, what is shown."""
    text, is_committed = array.text, array.is_committed
    return [
        ("shape", array.shape, text),
        ("dtype", array.dtype, text.partition("[")[0]),
        ("weak type", array.is_weak, f"weak {text}" if array.is_weak else text),
        ("sharding", array.sharding, _sharding(array.sharding)),
        ("committed", is_committed, "committed" if is_committed else "uncommitted"),
    ]


def _sharding(sharding: Any) -> str:
    if isinstance(sharding, jax.sharding.NamedSharding):
        return shortened(f"{sharding.spec} on {axes_of(sharding.mesh)}")
    devices = [] if sharding is None else [str(one) for one in sharding.device_set]
    return shortened(", ".join(sorted(devices)))


def _named(names: tuple[str, ...], rank: int) -> list[str]:
    """Return what each of so many axes is called; "" where it has no name."""
    several = [place for place, name in enumerate(names) if is_variadic(name)]
    if len(several) > 1:
        return [""] * rank
    # Where none is declared, what stands in front is a stack of objects.
    start = several[0] if several else 0
    first, last = names[:start], names[start + len(several) :]
    between = rank - len(first) - len(last)
    return [*first, *[""] * between, *last] if between >= 0 else [""] * rank


def _sizes(was: Array, now: Array) -> str:
    """Say which dimensions have changed."""
    rank = len(now.shape)
    if len(was.shape) != rank:
        return ""
    sizes = zip(_named(now.names, rank), was.shape, now.shape, strict=True)
    return ", ".join(
        f"{name}: {one} -> {other}"
        for name, one, other in sizes
        if one != other and name not in ("", "_") and not name.isdigit()
    )
