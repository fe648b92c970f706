"""Which identifiers a schema may use.

    check_name(scope, "__x", span, "field")    ->    RESERVED_NAME
"""

import keyword
import unicodedata
from typing import Final

from codegen.diagnostics.codes import Code
from codegen.schema.scope import Scope
from codegen.source import Span

# Every private name of a generated module carries it, so that no name of a schema can collide.
PREFIX: Final = "_codegen_"
# What generated classes define themselves.
MEMBERS: Final = frozenset(
    (
        "abstract",
        "axes",
        "check",
        "constrain",
        "draft",
        "fingerprint",
        "from_process_local",
        "init",
        "replace",
        "shardings",
        "specs",
        "zeros",
    )
)


def check_name(scope: Scope, name: str, span: Span, what: str, *, member: bool = False) -> None:
    """Report a name that generated code cannot carry; `member` names stand inside a class."""
    written = scope.source.text[span.start : span.end]
    # The parser folds identifiers (PEP 3131), so what was typed may not be what Python reads.
    if written != name and unicodedata.normalize("NFKC", written) == name:
        scope.add(
            Code.NAME_NOT_NORMALISED,
            span,
            f"the {what} `{ascii(written)[1:-1]}` is read by Python as `{name}`",
            "not in Unicode's normal form NFKC",
            f"write `{name}`",
        )
    if name.startswith("__"):
        scope.add(
            Code.RESERVED_NAME,
            span,
            f"the {what} `{name}` starts with two underscores",
            "reserved for Python's own names",
            f"call it `{name.strip('_') or 'x'}`",
        )
    elif name.startswith(PREFIX):
        scope.add(
            Code.RESERVED_NAME,
            span,
            f"the {what} `{name}` starts with `{PREFIX}`",
            "the prefix of the generator's own names",
            "choose another name",
        )
    elif keyword.iskeyword(name):
        scope.add(
            Code.RESERVED_NAME,
            span,
            f"the {what} `{name}` is a keyword of Python",
            "not usable as a name",
            f"call it `{name}_`",
        )
    elif member and name in MEMBERS:
        scope.add(
            Code.RESERVED_NAME,
            span,
            f"the {what} `{name}` is a name that every generated class uses itself",
            f"taken by the method `{name}`",
            f"call it `{name}_`",
        )
