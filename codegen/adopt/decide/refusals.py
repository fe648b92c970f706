"""Find why a class is left as it is: unsupported features and uses, or a related class that is left.

find_refusals(found, seen, is_rewritten=True)    ->    {"heat.Plate": (ClassRefusal("own __init__", 12, ...),)}

A family is adopted either completely or not at all. A schema class cannot have a base that is not
adopted. If the sources are rewritten, a library class cannot derive from a generated one. But base
classes without fields can stay where they are, as plain Python bases:

    @struct.dataclass                  class Base:
    class Base:                   ->       def __add__(self, other): ...
        def __add__(self, other): ...
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from msgspec import structs

from codegen.adopt.decide.features import (
    caches_values,
    can_be_virtual,
    iter_members,
    plain_bases,
    unsupported_features,
)
from codegen.adopt.decide.nodes import Note
from codegen.adopt.find.nodes import ClassRefusal, FoundClasses, ObjectUse, SourceClass
from codegen.adopt.find.reasons import REASONS, refusal
from codegen.adopt.find.uses import iter_extended
from codegen.adopt.libraries import LIBRARIES
from codegen.adopt.observe.run import Observation
from codegen.program.graph import reachable

Refusals: TypeAlias = dict[str, tuple[ClassRefusal, ...]]
"""The reasons for each class that is left as it is; other classes are omitted."""


def find_refusals(found: FoundClasses, seen: Observation | None, *, is_rewritten: bool) -> Refusals:
    """Return the reasons for which the classes of a package are left as they are."""
    refused: Refusals = {
        one.full_name: reasons
        for one in found.classes.values()
        if (reasons := (*unsupported_features(one, found), *_hidden_members(one, found)))
    }
    late = _refuse_unsupported_uses(found, seen, is_rewritten=is_rewritten)
    if is_rewritten:
        for module in found.modules.values():
            for name, line in iter_extended(module, found):
                place = f"{module.path}:{line}"
                reason = refusal("subclass in Python", found.classes[name].line, place=place)
                refused[name] = (*refused.get(name, ()), reason)
        for name, (field, place) in _defaults_read_from_class(found).items():
            one = found.classes[name]
            details = {"name": one.name, "field": field, "place": place}
            refused.setdefault(name, (refusal("default of the class", one.line, **details),))
    else:
        refused |= _refuse_own_constructors(found)
    for name, reason in late.items():
        refused.setdefault(name, (reason,))
    return extend_to_families(found, refused, is_rewritten=is_rewritten)


def _hidden_members(cls: SourceClass, found: FoundClasses) -> Iterator[ClassRefusal]:
    """Refuse a plain base below a pytree that defines the same: mixins come first in a schema."""
    definitions, above = found.names.definitions, dict[str, str]()
    read: set[str] = set()
    own = {name for name, _ in iter_members(cls.node)}
    for base in cls.bases:
        every = [one for one in reachable([base], found.names.bases) if one in definitions]
        new = [one for one in every if one not in read]
        read.update(every)
        members = {name for one in new for name, _ in iter_members(definitions[one][1])}
        if base in found.classes:
            above |= dict.fromkeys(members, base)
        elif hidden := sorted(members & above.keys() - own):
            details = {"method": hidden[0], "base": above[hidden[0]], "other": base}
            yield refusal("order of bases", cls.line, **details)


def _defaults_read_from_class(found: FoundClasses) -> dict[str, tuple[str, str]]:
    """Return the classes whose field default is read from the class: the field, and the place."""
    read: dict[str, tuple[str, str]] = {}
    fields = {name: found.all_fields(one) for name, one in found.classes.items()}
    known = {field for every in fields.values() for field in every}
    for module in found.modules.values():
        own = {
            id(node): one.full_name
            for one in found.classes.values()
            if one.module == module.name
            for node in ast.walk(one.node)
            if isinstance(node, ast.Name) and node.id == "cls"
        }
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and node.attr in known:
                owner = own.get(id(node.value)) or found.names.resolve(module.name, node.value)
                if node.attr in fields.get(owner, ()):
                    read.setdefault(owner, (node.attr, f"{module.path}:{node.lineno}"))
    return read


def _refuse_own_constructors(found: FoundClasses) -> Refusals:
    """Refuse classes with an `__init__`: only a mixin in their source can keep it."""
    instead = "add `--rewrite`, which keeps it"
    return {
        name: (refusal("own", one.line, method="__init__", instead=instead),)
        for name, one in found.classes.items()
        if "__init__" in one.methods
    }


def refuse_imported_differences(
    found: FoundClasses, values: Mapping[str, Mapping[str, object]]
) -> Refusals:
    """Refuse classes whose imported fields differ from the fields found in the source."""
    refused: Refusals = {}
    for name, one in found.classes.items():
        fields, read = values.get(name), [*found.all_fields(one)]
        if fields and read != [*fields]:
            details = {"fields": ", ".join(fields), "read": ", ".join(read) or "none"}
            refused[name] = (refusal("other fields", one.line, **details),)
    return refused


def _refuse_unsupported_uses(
    found: FoundClasses, seen: Observation | None, *, is_rewritten: bool
) -> dict[str, ClassRefusal]:
    """Refuse classes whose objects are used as a tuple or mapping, or changed in place."""
    refused: dict[str, ClassRefusal] = {}
    for name, one in found.classes.items():
        for use in found.object_uses:
            if (
                name not in refused
                and not _is_unknown(use, seen)
                and _is_unsupported(use, name, found, is_rewritten=is_rewritten)
            ):
                refused |= _refuse_use(one, use, seen)
        record = seen.classes.get(name) if seen is not None else None
        if name in refused:
            continue
        if record is None or not record.objects:
            if is_rewritten and one.library == "NamedTuple":
                refused[name] = refusal("tuple", one.line)
        elif "__setattr__" in record.used:
            details = {"code": "an assignment", "place": record.used["__setattr__"], "unseen": ""}
            refused[name] = refusal("attribute assignment", one.line, **details)
        elif is_rewritten and record.used:
            method, place = next(iter(record.used.items()))
            details = {"kind": _interface_kind(one), "method": method, "place": place}
            refused[name] = refusal("used", one.line, **details)
    return refused


def _is_unsupported(use: ObjectUse, name: str, found: FoundClasses, *, is_rewritten: bool) -> bool:
    """Return whether the object can have this class, which does not support the use once generated."""
    counts = not use.is_vague and (is_rewritten or use.kind == "attribute assignment")
    is_kept = use.is_read and name in found.with_dict
    return counts and name in use.classes and not is_kept


def _is_unknown(use: ObjectUse, seen: Observation | None) -> bool:
    """Return whether the object can be anything, and the observed command did not run the line."""
    return use.is_any and seen is not None and use.key not in seen.ran


def unseen_lines(
    found: FoundClasses,
    seen: Observation | None,
    adopted: Collection[str],
    *,
    is_rewritten: bool,
) -> Iterator[Note]:
    """Yield the lines that fail if they get an object of an adopted class, but refuse none."""
    for use in found.object_uses:
        if _is_unknown(use, seen) and any(
            _is_unsupported(use, name, found, is_rewritten=is_rewritten) for name in adopted
        ):
            why = (
                f"generated objects do not support `{use.code}`, whose object can have any class: "
                "observe a command that runs this line, or check it and add `--accept-unseen`"
            )
            yield Note("not run", "", use.path, use.place[0], why)


def _refuse_use(
    cls: SourceClass, use: ObjectUse, seen: Observation | None
) -> dict[str, ClassRefusal]:
    """Refuse a class that the source uses so, unless the line ran only with other objects."""
    ran = seen.ran.get(use.key) if seen is not None else None
    name = use.kind if use.kind in REASONS else "object use"
    if use.is_own and name == "attributes":
        name = "own attributes"
    elif ran is not None and cls.full_name not in ran:
        return {}
    unseen = ", and the observed command did not run this line" if seen and ran is None else ""
    details = {"code": use.code, "place": use.location, "unseen": unseen}
    return {cls.full_name: refusal(name, cls.line, kind=_interface_kind(cls), **details)}


def add_dicts(found: FoundClasses, seen: Observation | None) -> FoundClasses:
    """Return the same package with the classes whose objects' `__dict__` is read.

    Their mixins define one, unless an object has a real one.
    """
    chosen = frozenset(
        name
        for use in found.object_uses
        for name in (use.classes & found.classes.keys() if use.is_read else ())
        if _refuse_use(found.classes[name], use, seen)
    )
    computed = {name for name in chosen if not _has_real_dict(found.classes[name], found)}
    return structs.replace(found, with_dict=frozenset(computed))


def _has_real_dict(cls: SourceClass, found: FoundClasses) -> bool:
    """Return whether a generated object has a `__dict__`: of a cached property, or of a plain base.

    Python then adds one to the generated class, which hides that of a mixin.
    """
    bases = [found.classes[base] for base in cls.bases if base in found.classes]
    is_plain = any(name not in found.mixins for name, _ in plain_bases(cls.bases, found))
    return is_plain or caches_values(cls, found) or any(_has_real_dict(one, found) for one in bases)


def _interface_kind(cls: SourceClass) -> str:
    """Return as what the interface of its library lets an object be used."""
    return {"NamedTuple": "tuple", "chex": "mapping"}.get(cls.library, cls.library)


def extend_to_families(
    found: FoundClasses, refused: Mapping[str, tuple[ClassRefusal, ...]], *, is_rewritten: bool
) -> Refusals:
    """Also refuse subclasses of refused classes and, if sources are rewritten, their bases."""
    whole = dict(refused)
    before = -1
    while before != len(whole):
        before = len(whole)
        for one in found.classes.values():
            for base in one.bases:
                if base in whole and one.full_name not in whole:
                    whole[one.full_name] = (refusal("base", one.line, base=base),)
                elif (
                    is_rewritten
                    and one.full_name in whole
                    and base in found.classes
                    and not can_be_virtual(one, base, found)
                ):
                    line = found.classes[base].line
                    whole.setdefault(base, (refusal("subclass", line, heir=one.full_name),))
    return whole


def find_mixins(found: FoundClasses, constructed: Collection[str] = ()) -> dict[str, SourceClass]:
    """Return the base classes without fields that stay plain bases, by name.

    A decorator made each of them a pytree. A subclass has its own decorator, so it loses nothing.
    Classes in `constructed`, whose objects were observed, are excluded.
    """
    bases = {base for one in found.classes.values() for base in one.bases}
    chosen = {
        name: one
        for name, one in found.classes.items()
        if name in bases and name not in constructed and _is_mixin(one, found)
    }
    called = {
        found.names.resolve(module.name, node.func)
        for module in (found.modules.values() if chosen else ())
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
    }
    return {name: one for name, one in chosen.items() if name not in called}


def _is_mixin(cls: SourceClass, found: FoundClasses) -> bool:
    decorators = {found.names.decorator(cls.module, one).name for one in cls.node.decorator_list}
    return (
        not found.all_fields(cls)
        and "__init__" not in cls.methods
        and not decorators.isdisjoint(LIBRARIES[cls.library].decorators)
        and not any(unsupported_features(cls, found))
    )


def exclude_mixins(found: FoundClasses, mixins: Mapping[str, SourceClass]) -> FoundClasses:
    """Return the same package with these classes as plain bases."""
    rest = {name: one for name, one in found.classes.items() if name not in mixins}
    return structs.replace(found, classes=rest, mixins=mixins)
