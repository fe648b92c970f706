"""The stages of `codegen adopt` in their order, and what is written in the end.

adopt(Wish("src/heat", report="heat.json"))    ->    Done(0, ("heat: 12 pytree classes, ...",))
"""

from __future__ import annotations

import json
import os

from msgspec import Struct

from codegen.adopted import report
from codegen.adopted.decided.refusals import refusals
from codegen.adopted.finding.find import find
from codegen.adopted.unsound import unsound
from codegen.files import scaffold


class Wish(Struct, frozen=True):
    """What the command was asked for."""

    src: str
    report: str = ""
    is_rewritten: bool = False


class Done(Struct, frozen=True):
    """What is to be said, and the exit status."""

    status: int
    lines: tuple[str, ...]


def adopt(wish: Wish) -> Done:
    """Find, judge, and report.

    Raises:
        ValueError: where there is nothing to read; its text says it to the user.
        OSError: where a file cannot be read or written.
    """
    if not os.path.exists(wish.src):
        raise ValueError(f"`{wish.src}` does not exist: name the folder of a package")
    found, names = find(wish.src)
    if not found.modules and not found.unread:
        raise ValueError(f"there is no module of Python below `{wish.src}`")
    refused = refusals(found, names, is_rewritten=wish.is_rewritten)
    document = report.document(found, refused, unsound(found, names))
    if wish.report:
        scaffold.replace(wish.report, json.dumps(document, indent=2) + "\n")
    return Done(0, tuple(report.lines(document)))
