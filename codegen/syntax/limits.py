"""How large and how deep a schema may be, alike on every Python.

Python's own limits differ between its versions and with its settings, and beyond them it answers
with a RecursionError, a MemoryError, or not for minutes; so ours are lower and are met first.

    nested_too_deeply(source, span)    # NESTED_TOO_DEEPLY: this is nested more than 100 deep
    number_too_large(source, span)     # NUMBER_TOO_LARGE: this number is too large ...
"""

from __future__ import annotations

from typing import Final

from codegen.diagnostics import Code, Diagnostic
from codegen.limits import SCHEMA_BYTES_MAX
from codegen.source import Source, Span

NODES_MAX: Final = 200_000
DEPTH_MAX: Final = 100
DIGITS_MAX: Final = 4300

_DIVIDE = "divide it into several modules, which import from one another"


def too_many_bytes(source: Source) -> Diagnostic:
    """What is said of a file that is not read at all."""
    return Diagnostic(
        Code.SOURCE_TOO_LARGE,
        source,
        Span(0, 0),
        f"the file has more than {SCHEMA_BYTES_MAX:,} bytes, which a schema may have",
        help=_DIVIDE,
    )


def too_many_nodes(source: Source, span: Span) -> Diagnostic:
    """What is said of the first node that is too many."""
    return Diagnostic(
        Code.SOURCE_TOO_LARGE,
        source,
        span,
        f"the file holds more than {NODES_MAX:,} names, values and operators",
        label="the limit is reached here",
        help=_DIVIDE,
    )


def nested_too_deeply(source: Source, span: Span) -> Diagnostic:
    """What is said of brackets, operators and classes alike."""
    return Diagnostic(
        Code.NESTED_TOO_DEEPLY,
        source,
        span,
        f"this is nested more than {DEPTH_MAX} deep",
        help="name a part of it above: `Part = ...`",
    )


def number_too_large(source: Source, span: Span) -> Diagnostic:
    """What is said of integers that Python does not print, and of floats that overflow."""
    return Diagnostic(
        Code.NUMBER_TOO_LARGE,
        source,
        span,
        "this number is too large to be written down",
        label=f"an integer has at most {DIGITS_MAX} digits, a float is below 1.8e308",
        help="write a smaller number",
    )
