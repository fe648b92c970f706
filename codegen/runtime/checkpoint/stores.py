"""States on disk, by orbax: arrays in orbax's own format, the text as metadata.

    save("/runs/7/100", state)
    state = restore("/runs/7/100", TrainState)

orbax is imported on first use, and only public names of its v1 interface are used.
"""

import importlib
import os
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import jax
import jax.numpy as jnp
from jax.sharding import Sharding

from ..keys.names import content_of, in_ref_like
from .documents import CheckpointError, is_below
from .packing import NOTHING, pack
from .unpacking import saved_path, unpack

# Errors of creating a sharding whose devices are not on this machine.
_OF_OTHER_DEVICES: Final = (AttributeError, KeyError, ValueError)
# Errors of orbax for a folder that orbax did not create.
_OF_NO_CHECKPOINT: Final = (FileNotFoundError, NotADirectoryError, ValueError)

T = TypeVar("T")

_ABOUT: Final = "codegen_about"
# The only entry of a state without arrays: orbax does not store an empty state.
_NONE: Final = "no arrays"


def save(path: str | os.PathLike[str], state: Any, *, overwrite: bool = False) -> None:
    """Write a state. Every process of a run must call it.

    Args:
        path: a folder, which is created completely or not at all
        state: an object of a generated class
        overwrite: whether to replace an existing checkpoint. orbax removes it before
            it writes the new one, so a process that is killed may leave neither

    Raises:
        CheckpointError: the path is in use
        ImportError: orbax is not installed
        TypeError: the state contains a value that cannot be saved
    """
    _write("save", path, state, overwrite)


def save_async(
    path: str | os.PathLike[str], state: Any, *, overwrite: bool = False
) -> Any:
    """Write a state like `save`, but in the background. The state may be donated at
    once.

    Returns:
        orbax's `AsyncResponse`: its `result()` waits until all is written
    """
    return _write("save_async", path, state, overwrite)


def restore(
    path: str | os.PathLike[str],
    cls: type[T],
    *,
    like: Any = NOTHING,
    at: str = "",
    key: Any = None,
    cast: bool = False,
    statics: Mapping[str, Any] | None = None,
) -> T:
    """Read a state, or a part of one. Every process of a run must call it.

    Args:
        path: the path that was given to `save`
        cls: the class of the state, or of the part
        like: as in `unpack`; if its leaves have shardings, or are shardings, as those
            of `shardings(mesh)`, the arrays get them
        at: the path of the part to read; the rest is not read
        key: as in `unpack`
        cast: as in `unpack`
        statics: as in `unpack`

    Raises:
        CheckpointError: there is no checkpoint; or the error lists every difference by
            path
        ImportError: orbax is not installed
    """
    orbax, metadata = _orbax(), _read_metadata(path)
    if metadata is None:
        raise CheckpointError(
            f"there is no checkpoint at `{path}`: pass the path that was passed to "
            "`save`"
        )
    about = (metadata.custom_metadata or {}).get(_ABOUT)
    if about is None or metadata.metadata is None:
        raise CheckpointError(
            f"`{path}` was not written by `save`, or is damaged: it does not describe "
            f"its {'statics' if about is None else 'arrays'}"
        )
    at = saved_path(cls, about, at) if at else at
    likes = {} if like is NOTHING else _leaves(like, at)
    wanted = {
        name: _abstract(one, likes.get(name))
        for name, one in metadata.metadata.items()
        if is_below(name, at) and name != _NONE
    }
    others = dict.fromkeys(metadata.metadata, orbax.PLACEHOLDER)
    read = orbax.load(_orbax_path(path), others | wanted) if wanted else {}
    arrays = {name: read[name] for name in wanted}
    state = unpack(
        cls, arrays, about, like=like, at=at, key=key, cast=cast, statics=statics
    )
    return state if like is NOTHING else _with_shardings(state, like)


def _orbax() -> Any:
    try:
        return importlib.import_module("orbax.checkpoint.experimental.v1")
    except ImportError as error:
        raise ImportError(
            "`save` and `restore` need orbax, which is not installed: run "
            "`pip install orbax-checkpoint`. `pack` and `unpack` work with any other "
            "store"
        ) from error


def _orbax_path(path: str | os.PathLike[str]) -> str:
    """Return the path for orbax: an absolute one, or one such as `gs://runs/7`."""
    place = os.fspath(path)
    return place if "://" in place else os.path.abspath(place)


def _read_metadata(path: str | os.PathLike[str]) -> Any:
    """Return orbax's metadata of a checkpoint, or None if there is no checkpoint."""
    try:
        return _orbax().metadata(_orbax_path(path))
    except _OF_NO_CHECKPOINT:
        return None


def _require_free(path: str | os.PathLike[str], overwrite: bool) -> None:
    """Refuse a path that is in use. orbax would remove any folder, also a foreign one."""
    # orbax installs this package. Its paths are local paths, and those of stores.
    place: Any = importlib.import_module("etils.epath").Path(_orbax_path(path))
    if os.path.islink(place):
        raise CheckpointError(f"`{path}` is a link: pass the path that it points to")
    if not place.exists():
        return
    if not overwrite:
        raise CheckpointError(
            f"`{path}` already exists: pass `overwrite=True` to replace a checkpoint, "
            "or pass another path"
        )
    known = getattr(_read_metadata(path), "custom_metadata", None)
    is_empty = place.is_dir() and not [*place.iterdir()]
    if _ABOUT not in (known or ()) and not is_empty:
        raise CheckpointError(
            f"`{path}` was not written by `save`, or is incomplete, so `save` does not "
            "replace it: remove it, or pass another path"
        )


def _write(how: str, path: str | os.PathLike[str], state: Any, overwrite: bool) -> Any:
    """Write a state with orbax. Arrays without elements are only in the text."""
    write = getattr(_orbax(), how)
    _require_free(path, overwrite)
    packed = pack(state)
    arrays = {name: one for name, one in packed.arrays.items() if one.size}
    return write(
        _orbax_path(path),
        arrays or {_NONE: jnp.zeros(1)},
        overwrite=overwrite,
        custom_metadata={_ABOUT: packed.about},
    )


def _abstract(metadata: Any, like: Any) -> Any:
    """Return the abstract array by which orbax restores an array.

    For a NumPy array, that is its metadata: it has no sharding.
    """
    if not hasattr(metadata, "sharding_metadata"):
        return metadata
    sharding = _sharding_of(like)
    if sharding is None:
        try:
            sharding = metadata.sharding_metadata.to_jax_sharding()
        except _OF_OTHER_DEVICES:
            sharding = jax.sharding.SingleDeviceSharding(jax.local_devices()[0])
    struct: Any = jax.ShapeDtypeStruct
    return struct(metadata.shape, metadata.dtype, sharding=sharding)


def _sharding_of(like: Any) -> Any:
    return like if isinstance(like, Sharding) else getattr(like, "sharding", None)


def _leaves(like: Any, at: str) -> dict[str, Any]:
    """Return the leaves of a state by path. The state may be abstract."""
    located: Any = jax.tree_util.tree_leaves_with_path(like)
    key = jax.tree_util.keystr
    return {f"{at}{key(steps)}".removeprefix("."): leaf for steps, leaf in located}


def _with_shardings(state: T, like: Any) -> T:
    """Return a state whose arrays have the shardings of another state."""

    def place(leaf: Any, wanted: Any) -> Any:
        sharding = _sharding_of(wanted)
        if sharding is None or not isinstance(leaf, jax.Array | jax.Ref):
            return leaf
        if leaf.sharding == sharding:
            return leaf
        return in_ref_like(leaf, jax.device_put(content_of(leaf), sharding))

    placed: T = jax.tree_util.tree_map(place, state, like)
    return placed
