"""The text that goes with the arrays: canonical JSON that ends with a digest of itself.

    text = written({"format": 1, "root": ["object", "heat.Plate", {...}], ...})
    # '{"classes":{...},"format":1,"root":[...],"sha256":"9f0c..."}'
    read(text)["root"]

One value has one text, so equal states give equal bytes; what is not written so is refused
before anything is made of it.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

FORMAT: Final = 1
_END: Final = re.compile(r',"sha256":"([0-9a-f]{64})"\}')
_END_LENGTH: Final = len(',"sha256":""}') + 64
# JavaScript and others have no larger ones; larger ones are written otherwise.
EXACT_MAX: Final = 2**53


class CheckpointError(ValueError):
    """What was saved is not what is to be loaded.

    Attributes:
        differences: each is a path, what differs there, and what to write
    """

    def __init__(self, message: str, differences: Sequence[str] = ()) -> None:
        super().__init__("\n  ".join([message, *differences]))
        self.differences = tuple(differences)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self).split("\n", 1)[0], self.differences)


def canonical(value: Any) -> str:
    """Return the one text of a value."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def is_same(one: Any, other: Any) -> bool:
    """Tell whether two values have one text: `==` takes 1 for True."""
    return canonical(one) == canonical(other)


def digest(value: Any) -> str:
    """Return the SHA-256 of the text of a value."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def written(document: dict[str, Any]) -> str:
    """Return the text of a document, whose entries all sort before `sha256`."""
    text = canonical(document)
    return f'{text[:-1]},"sha256":"{hashlib.sha256(text.encode()).hexdigest()}"}}'


def read(text: object) -> dict[str, Any]:
    """Return what a text holds.

    Raises:
        CheckpointError: it is cut short, changed, or of another format
    """
    if not isinstance(text, str):
        raise CheckpointError(f"`about` is a text, and not a {type(text).__qualname__}")
    end = _END.fullmatch(text, max(0, len(text) - _END_LENGTH))
    body = text[: end.start()] + "}" if end else ""
    if end is None or not body.isascii():
        raise CheckpointError(
            "`about` does not end with its digest: it was cut or changed"
        )
    if hashlib.sha256(body.encode()).hexdigest() != end[1]:
        raise CheckpointError(
            "`about` is not what was written: its digest does not fit"
        )
    try:
        document = json.loads(
            body,
            object_pairs_hook=distinct,
            parse_int=_small,
            parse_float=_refused,
            parse_constant=_refused,
        )
        is_canonical = canonical(document) == body
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"`about` is not what `pack` writes: {error}") from None
    if not is_canonical or not isinstance(document, dict):
        raise CheckpointError(
            "`about` is not what `pack` writes: not in canonical form"
        )
    if document.get("format") != FORMAT:
        raise CheckpointError(
            f"`about` is of format {document.get('format')!r}, and this code reads "
            f"format {FORMAT}: build with a later `pytree-codegen`"
        )
    return document


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the dict of some pairs.

    Raises:
        ValueError: two have one key
    """
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:40]!r} stands there twice")
    return found


def _small(text: str) -> int:
    if len(text) > len(str(-EXACT_MAX)) or abs(int(text)) > EXACT_MAX:
        raise ValueError("a number is too large")
    return int(text)


def _refused(text: str) -> NoReturn:
    raise ValueError(f"a number is written {text[:20]!r}")
