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

from typing import Any, Final

import jax
import numpy as np

from .fingerprints import Entry, digest, entries

# How much of a value an error text shows, in characters.
_WIDTH_MAX: Final = 60
_SEPARATOR: Final = "\x1f"


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
    texts = _gathered_texts(_SEPARATOR.join(part for entry in listed for part in entry))
    raise _difference(type(value), [_parsed(text) for text in texts])


def _gathered(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an array of every process, in their order."""
    # Imported late: it is slow, and few programs have several processes.
    from jax.experimental import multihost_utils  # noqa: PLC0415

    gather: Any = multihost_utils.process_allgather
    return np.asarray(gather(array))


def _gathered_texts(text: str) -> list[str]:
    data = np.frombuffer(text.encode(), np.uint8)
    lengths = _gathered(np.array([data.size], np.int32)).ravel()
    padded = np.zeros(lengths.max(), np.uint8)
    padded[: data.size] = data
    rows = _gathered(padded)
    return [
        bytes(row[:length]).decode() for row, length in zip(rows, lengths, strict=True)
    ]


def _parsed(text: str) -> list[Entry]:
    parts = text.split(_SEPARATOR)
    return list(zip(parts[::2], parts[1::2], strict=True))


def _difference(kind: type[Any], listed: list[list[Entry]]) -> ValueError:
    """Return the error of what differs first."""
    tables = [dict(entries) for entries in listed]
    paths = dict.fromkeys(path for entries in listed for path, _ in entries)
    differing = [
        path for path in paths if len({table.get(path) for table in tables}) > 1
    ]
    path, *others = differing
    values: dict[str, list[int]] = {}
    for process, table in enumerate(tables):
        values.setdefault(table.get(path, "absent"), []).append(process)
    found = "; ".join(
        f"{_cut(value)} in {_of(where)}" for value, where in values.items()
    )
    more = f" {len(others)} more differ." if others else ""
    return ValueError(
        f"`{kind.__qualname__}{path}` is not the same in every process: {found}.{more} "
        "Each of them would run a program of its own, and their collectives would mix "
        "the numbers: give every process the same static values"
    )


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH_MAX else f"{text[: _WIDTH_MAX - 3]}..."


def _of(processes: list[int]) -> str:
    name = "process" if len(processes) == 1 else "processes"
    return f"{name} {', '.join(map(str, processes))}"
