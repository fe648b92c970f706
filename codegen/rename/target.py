"""The declaration that `codegen rename` is called with, and whether it can have the new name.

find(names, "heat.Plate.u")    ->    Target("field", (Named("heat", "u", "Plate"),), <its name>)
"""

from __future__ import annotations

import keyword
from typing import Final

from msgspec import Struct

from codegen.diagnostics import Code, Diagnostic, Report
from codegen.diagnostics.suggest import did_you_mean
from codegen.program.nodes import Field
from codegen.program.types import Ref
from codegen.rename.dimensions import together
from codegen.rename.names import Named, SchemaNames
from codegen.schema.names import check_name
from codegen.schema.nodes import ClassConstant, Function
from codegen.schema.scope import Scope
from codegen.source import Span, whole_file

_KINDS: Final[dict[type, str]] = {Field: "field", ClassConstant: "constant", Function: "method"}
_FORM: Final = "write a module, a declaration in it and, if needed, its member: `heat.Plate.u`"


class Target(Struct, frozen=True):
    """What to rename."""

    kind: str
    """What messages call it: "field"."""
    named: frozenset[Named]
    """The declarations that are renamed together: more than one for the size of a dimension."""
    old: str
    span: Span
    """The first place that declares it."""


def find(names: SchemaNames, path: str, root: str) -> Target | Report:
    """Return what a path refers to, or the mistake in it.

    `root` is the schema folder, for messages.
    """
    module = max(
        (one for one in names.tables if f"{path}.".startswith(f"{one}.")), key=len, default=""
    )
    if not module:
        known = [f"{one}.{name}" for one in names.tables for name in _declared(names, one)]
        help_text = did_you_mean(path, known, _FORM)
        what = f"no schema module has the name `{path.partition('.')[0]}`"
        return _unknown(whole_file(root), what, help_text, Code.UNKNOWN_MODULE)
    own, *members = path.removeprefix(module).removeprefix(".").split(".")
    declared = _declared(names, module)
    place = whole_file(names.stubs[module].source.path, module)
    if not own:
        what = f"`{module}` is a module, which this command does not rename"
        return _unknown(place, what, "rename its file, and change the imports of it")
    if own not in declared:
        what = f"the schema module `{module}` does not declare `{own}`"
        return _unknown(place, what, did_you_mean(own, declared, _FORM))
    symbol = names.tables[module].symbol(own)
    assert symbol is not None, "it is declared"
    if symbol.kind == "type parameter":
        what = f"`{own}` is a type parameter, which cannot be renamed"
        return _unknown(symbol.decl.span, what, "rename it in your editor: no output depends on it")
    if not members:
        named = Named(module, own)
        return Target(symbol.kind, together(names, named), own, symbol.decl.span)
    return _member(names, symbol.ref, ".".join(members), symbol.decl.span)


def _declared(names: SchemaNames, module: str) -> list[str]:
    table = names.tables[module]
    return [one for one in table.meanings if (s := table.symbol(one)) and s.ref == Ref(module, one)]


def _member(names: SchemaNames, ref: Ref, name: str, place: Span) -> Target | Report:
    kinds: dict[str, str] = {}
    node = first = names.program.classes.get(ref)
    while node is not None:
        kinds = {one.name: _KINDS[type(one)] for one in node.members} | kinds
        node = names.program.classes[node.base.ref] if node.base else None
    if first is not None:
        kinds = dict.fromkeys(first.dims, "dimension") | kinds
    if enum := names.program.enums.get(ref):
        kinds = {one.name: "member" for one in enum.members}
    if name not in kinds:
        what = f"`{ref.name}` does not declare `{name}`"
        return _unknown(place, what, did_you_mean(name, kinds, _FORM))
    named = names.member(ref, name)
    if kinds[name] == "dimension":
        named = names.parameter(ref, name)
    place = min(one.span for one in names.occurrences if one.named == named)
    return Target(kinds[name], together(names, named), name, place)


def _unknown(span: Span, what: str, help_text: str, code: Code = Code.UNKNOWN_NAME) -> Report:
    return Report((Diagnostic(code, span, what, help=help_text),))


def check_new_name(target: Target, new: str) -> Report:
    """Report a name that Python or generated code cannot use."""
    if not new.isidentifier():
        last = new.rpartition(".")[2]
        is_path = last != new and last.isidentifier() and not keyword.iskeyword(last)
        help_text = f"write only the new name: `{last}`" if is_path else "write an identifier"
        what = f"`{new}` cannot be the name of a {target.kind}: it is not an identifier"
        return Report((Diagnostic(Code.SYNTAX, target.span, what, help=help_text),))
    scope = Scope(target.span.source)
    is_member = target.kind in ("field", "method", "constant", "member")
    check_name(scope, new, target.span, target.kind, member=is_member)
    return scope.report
