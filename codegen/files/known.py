"""Remember of each module what a build made of it, so that the next makes the changed ones alone.

    known.save(place, {"heat": Known(own="1de70b...", fingerprint="cae669...", made="30c6a5...",
                                     outline=Outline(("steel",), is_open=False), runtime=("keys",))})
    known.load(place)    # the same; {} where there is none

Each line says: from texts with this fingerprint a module with that checksum was made (a verifying
trace: Mokhov, Mitchell, Peyton Jones, "Build Systems a la Carte", ICFP 2018). A line is believed
about a file only where both sums fit; one that is damaged says nothing.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct

from codegen.checksum import checksum
from codegen.files import record
from codegen.files.read import regular
from codegen.program.outline import Outline

_BYTES_MAX = 1 << 26
_LINE = re.compile(
    r"([0-9a-f]{32}) ([0-9a-f]{32}) ([0-9a-f]{32}) (open|closed) (\S+)((?: \S+)*) :((?: \w+)*) :(\S*)"
)


class Known(Struct, frozen=True):
    """What is known of one module."""

    own: str
    """The digest of its own text, and of what it depends on besides."""
    fingerprint: str
    """The digest of all on which its output depends."""
    made: str
    """The checksum of its output."""
    outline: Outline
    runtime: tuple[str, ...]
    """The files of the support package that it needs."""
    declared: str = ""
    """What it adds to the table of what the schemas declare."""


def load(place: str | None) -> dict[str, Known]:
    """Return what is known of each module."""
    try:
        text = regular(_file(place), _BYTES_MAX).decode() if place else ""
    except (OSError, UnicodeDecodeError):
        return {}
    found: dict[str, Known] = {}
    for line in text.split("\n"):
        match = _LINE.fullmatch(line[len(_sealed("")) :])
        if match is not None and line == _sealed(match[0]):
            outline = Outline(tuple(match[6].split()), match[4] == "open")
            runtime = tuple(match[7].split())
            declared = b64decode(match[8]).decode()
            found[match[5]] = Known(match[1], match[2], match[3], outline, runtime, declared)
    return found


def save(place: str, modules: Mapping[str, Known]) -> None:
    """Write it down, for the next build."""
    lines = [
        f"{one.own} {one.fingerprint} {one.made} {'open' if one.outline.is_open else 'closed'} "
        f"{' '.join([name, *one.outline.needs, ':', *one.runtime])} "
        f":{b64encode(one.declared.encode()).decode()}"
        for name, one in modules.items()
    ]
    with suppress(OSError):  # a build that cannot remember is no reason to fail
        record.write(_file(place), "".join(f"{_sealed(line)}\n" for line in lines).encode())


def _sealed(line: str) -> str:
    """Put before a line what tells a damaged one."""
    return f"{checksum(line.encode())} {line}"


def _file(place: str) -> str:
    return f"{place}.modules"
