"""Decide how to rewrite each source, and which classes the rewrite would break.

plan_rewrites(decision, adopted, found, package)    ->    {"heat.plate": Rewrite(...)}, {}
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence

from msgspec import Struct, structs

from codegen.adopt.decide.features import (
    added_methods,
    caches_values,
    dropped_methods,
    find_virtual_heirs,
    is_plain_base,
    needs_mixin,
)
from codegen.adopt.decide.imports import bound_names, find_import_place
from codegen.adopt.decide.nodes import (
    MARKED_NAME,
    Decision,
    Factory,
    SchemaModule,
    format_import,
)
from codegen.adopt.decide.refusals import Refusals
from codegen.adopt.find.classes import iter_registrations
from codegen.adopt.find.nodes import FoundClasses, SourceClass
from codegen.adopt.find.package import SourceModule, absolute_module, iter_import_statements
from codegen.adopt.find.reasons import refusal
from codegen.program.graph import reachable
from codegen.schema.stub import dotted

_TYPE_READERS = "mujoco.mjx."
"""Where the bases come from that read the types of fields when a class is defined."""
NOQA = "  # noqa: E402"
_LINE_MAX = 79  # without a comment for linters
_KEPT_BASES = ("abc.ABC", "typing.Protocol")


class RetainedBody(Struct, frozen=True):
    """A class that is removed, and what remains of it: its mixin."""

    name: str
    mixin: str  # empty if nothing remains
    bases: tuple[str, ...]
    fields: tuple[str, ...]  # and the methods that the generated class has too
    has_slots: bool
    added: tuple[str, ...] = ()
    """The methods of its library that are added."""


class Rewrite(Struct, frozen=True):
    """How to rewrite one source."""

    module: str
    classes: tuple[RetainedBody, ...] = ()
    statement: str = ""
    after_line: int = 0
    functions: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """Shared values of default factories that use classes or functions of the module."""
    needs_abc: bool = False
    """Whether `import abc` is needed."""
    quoted: str = ""
    """Which annotations above the import that name the classes become strings: see `ImportPlace`."""
    removed: frozenset[int] = frozenset()
    """The lines of calls that register these classes."""
    plain: Mapping[str, frozenset[str]] = {}
    """The classes that stay, without their decorators and these methods."""
    virtual: Mapping[str, tuple[str, ...]] = {}
    """The classes that stay, and become virtual subclasses of their first base, with its fields."""
    is_first: bool = False
    """Whether its generated module may be imported before other modules of the package."""
    first: Mapping[str, bool] = {}
    """Imported names of the sources that must be imported before the generated module.

    True for the name of such a source. Any other name can go if its import has more names.
    """
    exported: frozenset[str] = frozenset()
    """The imported names that other code takes from this module; with `*`, all of them."""


def plan_rewrites(
    decision: Decision, adopted: Mapping[str, SourceClass], found: FoundClasses, package: str
) -> tuple[dict[str, Rewrite], Refusals]:
    """Return the rewrites by module, and the classes that cannot be imported in their old place."""
    rewrites: dict[str, Rewrite] = {}
    refused: Refusals = {}
    bound = _bound_to_sources(decision, found)
    for module in decision.modules:
        classes = {one.name: one for one in adopted.values() if one.module == module.source}
        tree = found.modules[module.source].tree
        factories = [one for one in decision.factories if one.module == module.source]
        refused |= _refuse_definitions(classes, factories, tree, found)
        calls, elsewhere = _registrations(module.source, classes, found)
        for name, where in elsewhere.items():
            reason = refusal("registered elsewhere", adopted[name].line, place=where)
            refused[name] = (reason,)
        needed = _names_from_source(module, classes, found)
        shared = {one: _names_in(one.expression) for one in factories if one.is_shared}
        needed |= {name for read in shared.values() for name in read} - {*classes}
        defined = (one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef))
        defined_names = {one.name for one in defined}
        late = [one for one, read in shared.items() if read & defined_names]
        nodes = {one.name: one.node for one in classes.values()}
        reads_types = any(
            base.startswith(_TYPE_READERS)
            for node in tree.body
            if isinstance(node, ast.ClassDef) and node.name not in nodes
            for base in (found.names.resolve(module.source, one) for one in node.bases)
        )
        placed = find_import_place(tree, nodes, needed, calls, reads_types=reads_types)
        for name in placed.late:
            reason = refusal("order", classes[name].line, line_used=placed.use)
            refused.setdefault(classes[name].full_name, (reason,))
        names = {one: one for one in sorted(classes, key=_isort_key)}
        early = [_format_value(one) for one in shared if one not in late]
        rewrites[module.source] = Rewrite(
            module=module.source,
            classes=tuple(_retained_body(one, found) for one in classes.values()),
            statement=format_import(f"{package}.{module.name}", names, _LINE_MAX, NOQA),
            after_line=(tree.body[placed.after].end_lineno or 0) if placed.after >= 0 else 0,
            functions=(*early, *map(_format_function, factories)),
            values=tuple(map(_format_value, late)),
            quoted=placed.quoted,
            removed=calls,
            is_first=module.source not in bound,
            first=_names_to_keep(found.modules[module.source], bound.get(module.source, ())),
            exported=_names_taken_from(module.source, found) | needed,
        )
    return rewrites, refused


def _names_to_keep(module: SourceModule, sources: Container[str]) -> dict[str, bool]:
    """Return the names of imports of these sources, and one name of each import from them.

    The value is True if the name is a source. Another name can go if the import has more names.
    """
    kept: dict[str, bool] = {}
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom):
            source = absolute_module(node, module)
            for alias in node.names[:1] if source in sources else node.names:
                is_source = f"{source}.{alias.name}" in sources
                if source in sources or is_source:
                    kept[alias.asname or alias.name] = is_source
    return kept


def _bound_to_sources(decision: Decision, found: FoundClasses) -> dict[str, set[str]]:
    """Return the modules whose generated module imports other sources, directly or not.

    Such a source imports its own generated module, which may be the one that imports it. It must
    have been imported before.
    """
    marks = {one.source: set(MARKED_NAME.findall(_schema_text(one))) for one in decision.modules}
    leaving = {
        one for one, names in marks.items() if any(name and source == one for source, name in names)
    }
    others = {
        # A mark without a name is an adopted class.
        one: {source if name else source.rpartition(".")[0] for source, name in names} - {one}
        for one, names in marks.items()
    }
    ends = leaving | (found.modules.keys() - marks.keys())
    bound = {
        one: {
            each
            for each in several
            if ends & reachable([each], lambda source: others.get(source, ())).keys()
        }
        for one, several in others.items()
    }
    return {one: first for one, first in bound.items() if first}


def _schema_text(module: SchemaModule) -> str:
    """Return the bases, types and defaults of a schema."""
    return " ".join(
        part
        for one in module.classes
        for part in (*one.bases, *(each.type + each.default for each in one.fields))
    )


def _names_taken_from(module: str, found: FoundClasses) -> frozenset[str]:
    """Return the names that other modules of the package take from a module."""
    if found.modules[module].is_package:
        return frozenset("*")
    taken: set[str] = set()
    last = module.rpartition(".")[2]
    for other in found.modules.values():
        if last not in other.text:
            continue
        for node in ast.walk(other.tree):
            match node:
                case ast.ImportFrom(names=aliases) if absolute_module(node, other) == module:
                    taken |= {alias.name for alias in aliases}
                case ast.Attribute(value=ast.Name() | ast.Attribute() as value, attr=name):
                    if other.name != module and _can_be_module(value, other, module, found):
                        taken.add(name)
    return frozenset(taken)


def _can_be_module(
    value: ast.expr, used_in: SourceModule, module: str, found: FoundClasses
) -> bool:
    """Return whether an expression can be a module. An imported name is what its import says."""
    first, names = dotted(value)[0], found.names
    if first not in names.defined(used_in.name):
        return True
    is_variable = names.assigned(names.follow(f"{used_in.name}.{first}")) is not None
    return is_variable or names.resolve(used_in.name, value) == module


def add_mixins(
    rewrites: Mapping[str, Rewrite],
    mixins: Mapping[str, SourceClass],
    adopted: Mapping[str, SourceClass],
) -> dict[str, Rewrite]:
    """Return the rewrites, extended by the bases without fields that adopted classes have."""
    extended = dict(rewrites)
    bases = [base for one in adopted.values() for base in one.bases if base in mixins]
    for name in reachable(bases, lambda one: mixins.keys() & mixins[one].bases):
        one = mixins[name]
        known = extended.get(one.module, Rewrite(one.module))
        plain = {**known.plain, one.name: dropped_methods(one)}
        extended[one.module] = structs.replace(known, plain=plain)
    return extended


def add_virtual_heirs(
    rewrites: Mapping[str, Rewrite], adopted: Mapping[str, SourceClass], found: FoundClasses
) -> dict[str, Rewrite]:
    """Return the rewrites, extended by the classes that become virtual subclasses of adopted ones."""
    extended = dict(rewrites)
    for base in adopted.values():
        for heir in find_virtual_heirs(base, found):
            prefix = ast.unparse(heir.node.bases[0]).rpartition(".")[0]
            fields: list[str] = []
            taken: set[str] = set()
            for name, annotation in base.annotations.items():
                tree = ast.parse(ast.unparse(annotation), mode="eval")
                for node in ast.walk(tree):
                    if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
                        taken.add(node.id)
                        node.id = f"{prefix}.{node.id}" if prefix else node.id
                fields.append(f"{name}: {ast.unparse(tree)}\n")
            extended[base.module] = structs.replace(
                extended[base.module],
                needs_abc="abc" not in found.names.defined(base.module),
                exported=extended[base.module].exported | taken,
            )
            known = extended.get(heir.module, Rewrite(heir.module))
            virtual = {**known.virtual, heir.name: tuple(fields)}
            extended[heir.module] = structs.replace(known, virtual=virtual)
    return extended


def _names_in(expression: str) -> set[str]:
    return {one.id for one in ast.walk(ast.parse(expression)) if isinstance(one, ast.Name)}


def _format_value(one: Factory) -> str:
    return f"{one.name}_value = {one.expression}\n"


def _format_function(one: Factory) -> str:
    value = f"{one.name}_value" if one.is_shared else one.expression
    return f"def {one.name}():\n    return {value}\n"


def _refuse_definitions(
    classes: Mapping[str, SourceClass],
    factories: Sequence[Factory],
    tree: ast.Module,
    found: FoundClasses,
) -> Refusals:
    """Refuse classes that cannot be taken out, or whose new functions or mixin have a used name."""
    bound = Counter(
        name
        for one in iter_import_statements(tree.body)
        if not isinstance(one, ast.Import | ast.ImportFrom)
        for name in bound_names(one)
    )
    added = [(one.mixin_name, one) for one in classes.values() if needs_mixin(one, found)]
    owners = {one.full_name: one for one in classes.values()}
    added += [(one.name, owners[one.owner]) for one in factories if one.owner in owners]
    uses = Counter(name for name, _ in added)
    refused: Refusals = {}
    for one in classes.values():
        if one.node not in tree.body or _shares_line(one, tree):
            refused[one.full_name] = (refusal("inside a statement", one.line),)
        elif bound[one.name] > 1:
            refused[one.full_name] = (refusal("defined twice", one.line),)
    for name, one in added:
        if uses[name] > 1 or bound[name]:
            refused[one.full_name] = (refusal("name taken", one.line, name=name),)
    return refused


def _registrations(
    module: str, classes: Mapping[str, SourceClass], found: FoundClasses
) -> tuple[frozenset[int], dict[str, str]]:
    """Return the lines that only register these classes, and other places that register them."""
    full_names = {one.full_name for one in classes.values()}
    calls: set[int] = set()
    elsewhere: dict[str, str] = {}
    for one in iter_registrations(found.modules, found.names):
        if one.cls not in full_names:
            continue
        plain = (each.value for each in one.module.tree.body if isinstance(each, ast.Expr))
        if one.module.name == module and any(each is one.node for each in plain):
            calls.add(one.node.lineno)
        else:
            elsewhere[one.cls] = f"{one.module.path}:{one.node.lineno}"
    return frozenset(calls), elsewhere


def _shares_line(cls: SourceClass, tree: ast.Module) -> bool:
    last = cls.node.end_lineno
    return any(
        other is not cls.node and other.lineno <= (last or 0) <= (other.end_lineno or 0)
        for other in tree.body
    )


def _names_from_source(
    module: SchemaModule, classes: Mapping[str, SourceClass], found: FoundClasses
) -> set[str]:
    """Return the names that the generated module imports from the source."""
    marked = MARKED_NAME.findall(_schema_text(module))
    imported = {name for source, name in marked if source == module.source and name}
    mixins = {one.mixin_name: one.name for one in classes.values() if needs_mixin(one, found)}
    return {mixins.get(name) or name for name in imported}


def _retained_body(cls: SourceClass, found: FoundClasses) -> RetainedBody:
    bases = [
        ast.unparse(base)
        for base in cls.node.bases
        if (name := found.names.resolve(cls.module, base)) in _KEPT_BASES
        or is_plain_base(cls, name, found)
    ]
    bases += ["abc.ABC"] * bool(find_virtual_heirs(cls, found))
    return RetainedBody(
        name=cls.name,
        mixin=cls.mixin_name if needs_mixin(cls, found) else "",
        bases=tuple(bases),
        fields=(*(each.name for each in cls.fields), *cls.dropped),
        has_slots=not caches_values(cls, found) and "__slots__" not in ast.dump(cls.node),
        added=added_methods(cls, found),
    )


def _isort_key(name: str) -> tuple[bool, bool, list[str | int], str]:
    """Sort as isort does: constants, then classes, then other names, and numbers by their value."""
    is_constant = name.isupper() and len(name) > 1
    parts = re.split(r"(\d+)", name.lower())
    numbered = [int(part) if part.isdecimal() else part for part in parts]
    return not is_constant, not name[:1].isupper(), numbered, name
