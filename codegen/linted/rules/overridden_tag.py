"""A tag of a field whose arrays all have tags of their own, or those of the owner they share.

embed: donated[Embed] = field(tag="frozen")    ->    OVERRIDDEN_TAG: all in `Embed` is tagged itself
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.checked.facts import descendants
from codegen.checked.holding import traced
from codegen.diagnostics import Code, Diagnostic
from codegen.linted.linting import Linting
from codegen.program.nodes import Field, Program
from codegen.program.types import (
    ClassType,
    FixedTuple,
    Mapping,
    NoneType,
    Ref,
    Sequence,
    Type,
    Union,
    class_refs,
    parts,
)


def check(linting: Linting) -> Iterator[Diagnostic]:
    """Report each tag that counts for nothing below its field."""
    for node in linting.program.classes.values():
        owners = {
            path.parts: share.paths[0].parts for share in node.shares for path in share.paths[1:]
        }
        for field in node.own_fields:
            owner = owners.get((field.name,))
            if field.tags and owner is not None:
                yield _borrowed(linting, field, ".".join(owner))
            elif field.tags and not _takes(linting.program, field.type, set()):
                yield _found(linting, field)


def _takes(program: Program, type: Type, seen: set[Ref]) -> bool:
    """Whether something in a value has the tags of what holds it."""
    match type:
        case ClassType():
            refs = {type.ref, *descendants(program, type.ref)} - seen
            seen |= refs
            below = [f for ref in refs for f in traced(program.classes[ref]) if not f.tags]
            return any(_takes(program, f.type, seen) for f in below)
        case Mapping():
            return _takes(program, type.value, seen)
        case Sequence() | FixedTuple() | Union():
            return any(_takes(program, part, seen) for part in parts(type))
        case _:
            return not isinstance(type, NoneType)


def _borrowed(linting: Linting, field: Field, owner: str) -> Diagnostic:
    return linting.warn(
        Code.OVERRIDDEN_TAG,
        linting.program.classes[field.owner].source,
        field.tag_span,
        f"the field `{field.name}` is tagged {_tags(field)}, and is a part of `{owner}` by `share`",
        label="counts for no array",
        advice=f"tag `{owner}`: what is shared has the tags of its owner",
    )


def _tags(field: Field) -> str:
    return ", ".join(f"`{tag}`" for tag in field.tags)


def _found(linting: Linting, field: Field) -> Diagnostic:
    names = " and ".join(f"`{ref.name}`" for ref in sorted({*class_refs(field.type)}))
    return linting.warn(
        Code.OVERRIDDEN_TAG,
        linting.program.classes[field.owner].source,
        field.tag_span,
        f"the field `{field.name}` is tagged {_tags(field)}, and every array in {names} has tags of its own",
        label="counts for no array",
        advice="leave it out, or leave out those below it: the innermost tag counts",
    )
