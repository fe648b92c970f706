"""Report on a package, as a document and as lines.

document(found, refused, findings)    ->    {"version": 1, "package": "heat", "classes": [...], ...}

heat: 3 pytree classes, 2 to adopt, 1 not adopted, 1 possibly unsound
heat/plate.py:12: `heat.plate.Plate` is not adopted: it defines `__init__`; write a function ...
heat/plate.py:30: static number: `n` is static, and ...; write `static[...]` ...
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from codegen.adopt.decide.nodes import Note
from codegen.adopt.find.nodes import ClassRefusal, FoundClasses, SourceClass
from codegen.adopt.soundness import UnsoundFinding

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
