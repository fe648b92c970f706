"""Rename in the schemas, by edits of their text: comments, format and order stay.

rename_in_schemas(files, names, target, "temperature")    # the new files
check_meaning(names, names_now, target, "temperature")    # Report(): each name means the same
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from codegen.diagnostics import Code, Diagnostic, Edit, Report
from codegen.lint.fix import File, rewritten
from codegen.rename.comments import former_name_edit
from codegen.rename.dimensions import together
from codegen.rename.names import Named, SchemaNames
from codegen.rename.target import Target
from codegen.source import Span


def rename_in_schemas(
    files: Sequence[File], names: SchemaNames, target: Target, new: str
) -> tuple[File, ...]:
    """Return the files with the new name, and with the former name in a comment where it is saved."""
    edits: dict[str, set[Edit]] = {}
    for one in names.occurrences:
        if one.named in target.named:
            source = one.span.source
            found = edits.setdefault(source.module, set())
            found.add(Edit(one.span, new))
            if one.declaration is not None:
                stub = names.stubs[source.module]
                comment = former_name_edit(stub, one, target.old, new)
                found |= {comment} if comment else set()
    return tuple(
        (path, module, rewritten(data, edits.get(module, set()))) for path, module, data in files
    )


def check_meaning(names: SchemaNames, now: SchemaNames, target: Target, new: str) -> Report:
    """Report a name that refers to another declaration after the rename.

    dims=(n,) of the class, f32[m, n]    rename m to n    ->    both would be the class's own `n`
    """

    def renamed(named: Named) -> Named:
        if named in target.named:
            return replace(named, name=new)
        owner = Named(named.module, named.owner)
        return replace(named, owner=new) if named.owner and owner in target.named else named

    for before, after in zip(names.occurrences, now.occurrences, strict=True):
        if renamed(before.named) != after.named:
            return _collision(target, new, str(after.named), before.span)
    for one in target.named:
        both = together(now, renamed(one)) - {renamed(other) for other in target.named}
        if both:
            return _collision(target, new, str(min(both)), target.span)
    return Report()


def _collision(target: Target, new: str, other: str, span: Span) -> Report:
    message = f"the {target.kind} `{target.old}` cannot be called `{new}`: it would be the same as `{other}`"
    return Report((Diagnostic(Code.DUPLICATE_NAME, span, message, help="choose another name"),))
