# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""Several processes that have to run one program.

    jax.distributed.initialize(...)
    assert_same_everywhere(training)    # ValueError: `Training.config.epochs` is 40 in ...
    training, metrics = train_step(training, batch)

JAX does not notice where a static value differs between processes: each runs the program
that it has compiled, their collectives meet all the same, and the result is a number that
neither of the programs gives.
"""

import json
from typing import Any, Final

import jax
import numpy as np

from .fingerprints import Entry, digest, entries

# How much of a value an error text shows, in characters.
_WIDTH_MAX: Final = 60


def assert_same_everywhere(value: object) -> None:
    """Check that every process has the same schema and the same static values.

    Every process has to call it, as any collective. Compared are the structure, classes
    with their schemas, static values, Python numbers, and the dtypes and shapes of arrays
    that are spread over processes; not what arrays hold.

    Args:
        value: an object of a generated class, or any tree

    Raises:
        ValueError: in every process; it names the field and both values
    """
    if jax.process_count() == 1:
        return
    listed = entries(value, numbers=True)
    digests = _gathered(np.frombuffer(bytes.fromhex(digest(listed)), np.uint8))
    if (digests == digests[0]).all():
        return
    # All processes have the same digests, and so all of them come here.
    raise _difference(type(value), _gathered_entries(listed))


def _gathered(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an array of every process, in their order."""
    # Imported late: it is slow, and few programs have several processes.
    from jax.experimental import multihost_utils  # noqa: PLC0415

    gather: Any = multihost_utils.process_allgather
    return np.asarray(gather(array))


def _gathered_entries(listed: list[Entry]) -> list[list[Entry]]:
    data = np.frombuffer(json.dumps(listed).encode(), np.uint8)
    sizes = _gathered(np.array([data.size], np.int32)).ravel()
    padded = np.zeros(sizes.max(), np.uint8)
    padded[: data.size] = data
    pairs = zip(_gathered(padded), sizes, strict=True)
    return [json.loads(bytes(row[:size])) for row, size in pairs]


def _difference(kind: type[Any], listed: list[list[Entry]]) -> ValueError:
    """Return the error of what differs first."""
    tables = [dict(entries) for entries in listed]
    paths = dict.fromkeys(path for table in tables for path in table)
    path, *others = [p for p in paths if len({table.get(p) for table in tables}) > 1]
    values: dict[str, list[str]] = {}
    for process, table in enumerate(tables):
        values.setdefault(table.get(path, "absent"), []).append(str(process))
    found = "; ".join(
        f"{_cut(value)} in process{'es' if len(where) > 1 else ''} {', '.join(where)}"
        for value, where in values.items()
    )
    more = f" {len(others)} more differ." if others else ""
    return ValueError(
        f"`{kind.__qualname__}{path}` is not the same in every process: {found}.{more} "
        "Each of them would run a program of its own, and their collectives would mix "
        "the numbers: give every process the same static values"
    )


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH_MAX else f"{text[: _WIDTH_MAX - 3]}..."
