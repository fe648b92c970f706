"""No two fields of a class get the same random key.

The key of a field is folded from its path, of whose names 32 bits each count: those of CRC-32, in
`codegen/_runtime/make.py`. A class of thousands of fields may well have two names with the same.
"""

from __future__ import annotations

import zlib

from codegen.checked.rule import Inspection
from codegen.diagnostics.codes import Code
from codegen.program.nodes import Class


def check_names(inspection: Inspection) -> None:
    """Judge the names of every class's fields."""
    for node in inspection.program.classes.values():
        _check_class(inspection, node)


def _check_class(inspection: Inspection, node: Class) -> None:
    own = {field.name for field in node.own_fields}
    first: dict[int, str] = {}
    for field in node.fields:
        other = first.setdefault(zlib.crc32(field.name.encode()), field.name)
        if other == field.name or not own & {field.name, other}:
            continue
        later = field if field.name in own else next(f for f in node.fields if f.name == other)
        inspection.add(
            Code.RESERVED_NAME,
            node.source,
            later.span,
            f"the fields `{other}` and `{field.name}` would get the same random key from `init`",
            label="both names have the same CRC-32, by which keys are told apart",
            advice="rename one of them",
        )
