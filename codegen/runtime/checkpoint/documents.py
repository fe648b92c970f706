"""The text that goes with the arrays: canonical JSON that ends with a digest of itself.

    text = written({"format": 1, "root": ["object", "heat.Plate", {...}], ...})
    # '{"classes":{...},"format":1,"root":[...],"sha256":"9f0c..."}'
    read(text)["root"]

One value has one text, so equal states give equal bytes; what is not written so is refused
before anything is made of it.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from ..keys.messages import cut

Encoded = Any  # What JSON holds.

FORMAT: Final = 1
NOT_WRITTEN: Final = "`about` is not what `pack` writes"
_END_LENGTH: Final = len(',"sha256":""}') + 64
_DIFFERENCE_MAX: Final = 2000
# JavaScript and others have no larger ones; larger ones are written otherwise.
EXACT_MAX: Final = 2**53
# What making a value raises where its parts are wrong.
MISFITS: Final = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)


class CheckpointError(ValueError):
    """What was saved is not what is to be loaded.

    Attributes:
        differences: each is a path, what differs there, and what to write
    """

    def __init__(self, message: str, differences: Sequence[str] = ()) -> None:
        # A path may hold a name of the checkpoint, which may be of any length.
        short = (cut(one, _DIFFERENCE_MAX) for one in differences)
        super().__init__("\n  ".join([cut(message, _DIFFERENCE_MAX), *short]))
        self.differences = tuple(differences)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self).split("\n", 1)[0], self.differences)


class Wrong(Exception):
    """A value that cannot be taken; its text says why."""


def canonical(value: Any) -> str:
    """Return the one text of a value: `==` takes 1 for True."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def written(document: dict[str, Any]) -> str:
    """Return the text of a document, whose entries all sort before `sha256`."""
    return _ended(canonical(document))


def read(text: object) -> dict[str, Any]:
    """Return what a text holds.

    Raises:
        CheckpointError: it is cut short, changed, or of another format
    """
    if not isinstance(text, str):
        raise CheckpointError(f"`about` is a text, and not a {type(text).__qualname__}")
    body = text[:-_END_LENGTH] + "}"
    if not body.isascii() or text != _ended(body):
        raise CheckpointError("`about` was cut or changed: its digest does not fit")
    try:
        document = json.loads(body, parse_int=_small, parse_float=_small)
        # One that has a key twice, or NaN, is not what is written of it.
        is_canonical = canonical(document) == body
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{NOT_WRITTEN}: {error}") from None
    if not is_canonical or not isinstance(document, dict):
        raise CheckpointError(f"{NOT_WRITTEN}: not canonical JSON")
    if document.get("format") != FORMAT:
        raise CheckpointError(
            f"`about` is of format {document.get('format')!r}, and this code reads "
            f"format {FORMAT}: build with a later `pytree-codegen`"
        )
    return document


def _ended(body: str) -> str:
    return f'{body[:-1]},"sha256":"{digest(body)}"}}'


def _small(text: str) -> int:
    value = int(text)
    if abs(value) > EXACT_MAX:
        raise ValueError("a number is too large")
    return value


# --- JSON that others write


def read_plain(text: str | bytes) -> Any:
    """Return what a JSON of a configuration holds.

    Raises:
        ValueError: it is no JSON, has a key twice, or a number that no float holds
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_float=_finite,
            parse_constant=_finite,
        )
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, one in pairs:
        if name in found:
            raise ValueError(f"the key {name[:40]!r} stands there twice")
        found[name] = one
    return found


def _finite(number: str) -> float:
    value = float(number)
    if value - value != 0:
        raise ValueError(
            f'{number[:20]} is no number of JSON: write "nan", "inf" or "-inf"'
        )
    return value
