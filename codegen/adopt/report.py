"""Report on a package, as a document and as lines.

document(found, refused, findings)    ->    {"version": 1, "package": "heat", "classes": [...], ...}

heat: 3 pytree classes, 2 to adopt, 1 not adopted, 1 possibly unsound
heat/plate.py:12: `heat.plate.Plate` is not adopted: it defines `__init__`; write a function ...
heat/plate.py:30: static number: `n` is static, and ...; write `static[...]` ...
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import to_builtins

from codegen.adopt.decide.nodes import NAME_MARK, Note
from codegen.adopt.find.nodes import ClassRefusal, FoundClasses, SourceClass
from codegen.adopt.soundness import UnsoundFinding
from codegen.node import dump

VERSION = 1
"""The version of the document. It changes if earlier readers would misread it."""


def report_document(
    found: FoundClasses,
    refused: Mapping[str, Sequence[ClassRefusal]],
    findings: Sequence[UnsoundFinding],
    notes: Sequence[Note] = (),
) -> dict[str, Any]:
    """Return the report as written to a file: JSON of plain lists and tables."""
    classes = [
        _describe_class(one, refused.get(one.full_name, ())) for one in found.classes.values()
    ]
    reasons = Counter(one["refused"][0]["construct"] for one in classes if one["refused"])
    return {
        "version": VERSION,
        "package": found.package,
        "summary": {
            "modules": len(found.modules),
            "classes": len(classes),
            "adopted": len(classes) - sum(reasons.values()),
            "refused": dict(sorted(reasons.items())),
            "mechanisms": dict(sorted(Counter(one["mechanism"] for one in classes).items())),
            "unsound": dict(sorted(Counter(one.rule for one in findings).items())),
        },
        "classes": classes,
        "unsound": to_builtins(findings),
        "uses": to_builtins(found.uses),
        "notes": to_builtins(notes),
        "unread": to_builtins(found.unread),
    }


def _describe_class(cls: SourceClass, refused: Sequence[ClassRefusal]) -> dict[str, Any]:
    return {
        "name": cls.full_name,
        "file": cls.path,
        "line": cls.line,
        "mechanism": cls.library,
        "fields": [
            {
                "name": field.name,
                "role": field.role,
                "annotation": ast.unparse(field.annotation),
                "line": field.line,
            }
            for field in cls.fields
        ],
        "methods": [*cls.methods],
        "refused": [to_builtins(each) | {"file": cls.path} for each in refused],
    }


def report_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the report for a terminal: a summary, then one line for each item."""
    summary = document["summary"]
    left = sum(summary["refused"].values())
    name = document["package"] or "the folder"
    yield (
        f"{name}: {summary['classes']} pytree classes, {summary['adopted']} to adopt, "
        f"{left} not adopted, {len(document['unsound'])} possibly unsound"
    )
    for one in document["unread"]:
        yield f"{one['file']}:{one['line']}: {one['why']}"
    for one in document["classes"]:
        for each in one["refused"]:
            place = f"{each['file']}:{each['line']}"
            yield f"{place}: `{one['name']}` is not adopted: {each['why']}; {each['instead']}"
    for each in document["unsound"]:
        named = f"{each['name']}.{each['field']}" if each["field"] else each["name"]
        yield f"{each['file']}:{each['line']}: {each['rule']}, `{named}`: {each['why']}; write {each['instead']}"
    for each in (*document["uses"], *document["notes"]):
        yield f"{each['file']}:{each['line']}: {each['kind']}: {each['why']}"


STAGES: Final = ("found", "unsound", "observed", "decided", "written")
"""The stages to print. `observed` needs a command, and the last two need folders."""
_MARKED_NAME = re.compile(
    f"{re.escape(repr(NAME_MARK)[1:-1])}([^:]*?):(.*?){re.escape(repr(NAME_MARK)[1:-1])}"
)


def format_stage(nodes: Iterable[object]) -> str:
    """Return a line for each node, with its content indented below."""
    return "".join(f"{line}\n" for node in nodes for line in dump(node, _format_leaf))


def _format_leaf(value: object) -> str | None:
    """Return a value in one line; None if it has fields."""
    match value:
        case ast.ClassDef():
            return f"<line {value.lineno}>"
        case ast.AST():
            return ast.unparse(value)
        case str():
            return _MARKED_NAME.sub(r"\1.\2", repr(value)).replace("'.", "'")
        case Mapping():
            inner = (
                f"{name}: {_format_leaf(one) or type(one).__name__}" for name, one in value.items()
            )
            return f"{{{', '.join(inner)}}}"
        case bool() | int() | frozenset() | None:
            return repr(value)
        case _:
            return None
