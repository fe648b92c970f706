"""Generate the Python classes for the classes of the program.

class Grid: nx: static[int]    ->    ClassView("Grid", bases="(_rt.Static):", members=(__new__, ...), ...)
"""

from __future__ import annotations

from codegen.check.abstract_signature import AbstractSignatures
from codegen.check.assignable import coerce_checked
from codegen.check.contents import ObjectContents
from codegen.emit import drafts, shares
from codegen.emit.annotations import (
    AnnotationStyle,
    annotation,
    base_annotation,
    erased_class,
    mixin_annotation,
)
from codegen.emit.class_traits import ClassTraits
from codegen.emit.constructors import abstract_method, constructor, parameter_annotation
from codegen.emit.expressions import (
    assignment,
    call,
    doc_lines,
    docstring,
    expression,
    format_union,
    paragraph,
    py_str,
    subscript,
    tuple_of,
)
from codegen.emit.functions import method, parameter_of, self_name
from codegen.emit.names import ModuleNames, local_variable
from codegen.emit.registration import registration
from codegen.emit.view import (
    ClassFunctionView,
    ClassMemberView,
    ClassView,
    EqualityView,
    FieldView,
    FlattenView,
    LinesView,
    ProtocolView,
    ReplaceView,
    UnflattenView,
)
from codegen.program.nodes import Class, ClassConstant, Field, Program
from codegen.program.substitution import bases_of
from codegen.program.types import External, Ref
from codegen.schema.names import PREFIX

_WIDTH = 88
# Below `Examples:`, which programs that show a docstring to end users leave out, as tyro does.
_STATIC_USE = "jax.jit(f)(obj)  # static: its value is part of the key of a trace"
_DYNAMIC_USE = "jax.jit(f)(obj)  # a pytree: its arrays are leaves"
_ABSTRACT_USE = "class Other({name}): ...  # a field of type `{name}` holds any subclass"
_ASSIGNED = "Type checkers treat a protocol field without a value as missing in subclasses."
# Type checkers see an abstract class as a protocol. Its bases and type parameters are not those of
# a protocol.
_PROTOCOL = "  # type: ignore[misc, unused-ignore]"
_SHARED = "Shared parts. Each is one object at all of its paths:"


def class_view(
    node: Class,
    names: ModuleNames,
    all_traits: dict[Ref, ClassTraits],
    signatures: AbstractSignatures,
) -> ClassView:
    """Return the view of a class and of its functions."""
    traits = all_traits[node.ref]
    classes = signatures.contents.program.classes
    above = [all_traits[parent.ref] for parent, _ in bases_of(node, classes)]
    own = _own_bases(traits, above)
    constants = tuple(_constant(c, names, signatures.contents.program) for c in node.constants)
    bases = _bases(node, names, classes, own)
    names.current = node.ref
    fields = _fields(traits, names)
    by_name = {f.name: f for f in fields}
    declared = tuple(by_name[f.name] for f in node.own_fields)
    members: list[ClassMemberView] = [constructor(traits, names, signatures.contents, fields)]
    if node.eq:
        kind = "static" if traits.is_static else "dynamic"
        members.append(EqualityView(f"equality_{kind}.py.jinja"))
    if node.fields:
        members.append(_replace(traits, names, signatures.contents, fields))
    abstract = abstract_method(traits, names, signatures)
    members += [abstract] if abstract is not None else []
    members += [method(m, names) for m in node.methods]
    if traits.has_draft:
        members.append(drafts.draft(traits, names, all_traits, classes))
    if node.abstract:
        members.append(_protocol(node))
    names.current = None
    names.defined.add(node.ref)
    return ClassView(
        name=node.ref.name,
        decorator="_rt.abstract_class" if node.abstract else "",
        bases=_head(node, bases),
        doc=docstring(_class_doc(node, is_static=traits.is_static), 4),
        slots=_slots(node, classes),
        constants=constants,
        fields=declared,
        members=tuple(members),
        functions=tuple(_functions(traits, names, signatures)),
    )


def _functions(
    traits: ClassTraits,
    names: ModuleNames,
    signatures: AbstractSignatures,
) -> list[ClassFunctionView]:
    """Return the functions of a class, and its registration."""
    functions: list[ClassFunctionView] = []
    if traits.traced_fields:
        functions.append(_flatten(traits, names))
    if traits.has_unflatten:
        functions.append(_unflatten(traits))
    return [*functions, registration(traits, names, signatures)]


# --- the class itself


def _slots(node: Class, classes: dict[Ref, Class]) -> str:
    inherited = _inherited_names(node, classes)
    return tuple_of(*(py_str(f.name) for f in node.own_fields if f.name not in inherited))


def _inherited_names(node: Class, classes: dict[Ref, Class]) -> set[str]:
    return {f.name for f in classes[node.base.ref].fields} if node.base else set()


def _constant(constant: ClassConstant, names: ModuleNames, program: Program) -> str:
    held = annotation(constant.type, AnnotationStyle.PLAIN, names)
    value = expression(coerce_checked(constant.value, constant.type, program), names)
    return assignment(constant.name, subscript(names.use("typing", "ClassVar"), held), value)


def _fields(traits: ClassTraits, names: ModuleNames) -> tuple[FieldView, ...]:
    node = traits.node
    own = {f.name for f in node.own_fields}
    positional = {f.name for f in node.positional}
    self = self_name(f.name for f in node.fields)
    return tuple(
        _field(
            f,
            self,
            names,
            is_own=f.name in own,
            is_positional=f.name in positional,
            # A program that shows fields to end users, as tyro does, shows the comment of a field
            # without documentation. All fields of a static class have one role.
            role="" if traits.is_static and not f.doc else _role(f),
        )
        for f in node.fields
    )


def _field(
    field: Field, self: str, names: ModuleNames, *, is_own: bool, is_positional: bool, role: str
) -> FieldView:
    reading = AnnotationStyle.STATIC if field.role == "static" else AnnotationStyle.DYNAMIC
    accepted = parameter_annotation(field, names)
    stored = f"{self}.{field.name}"
    if field.convert is not None:
        stored = call("_rt.Converted", stored)
    return FieldView(
        name=field.name,
        annotation=annotation(field.type, reading, names) if is_own else "",
        accepted=accepted,
        parameter=parameter_of(field.name, accepted, field.default, names),
        role=role,
        doc=docstring(paragraph(field.doc, _WIDTH - 10), 4) if field.doc else "",
        keyword="" if is_positional else f"{field.name}=",
        kept=stored,
    )


def _own_bases(traits: ClassTraits, above: list[ClassTraits]) -> list[str]:
    """Return the bases from the support package that the class does not inherit from
    its own bases.
    """
    inherited = {name for parent in above for name in parent.bases}
    if inherited & {"InitPytree", "ShardedPytree"}:
        inherited.add("ShapedPytree")
    if inherited & {"ShapedPytree", "TaggedPytree"}:
        inherited.add("Pytree")
    return [f"_rt.{name}" for name in traits.bases if name not in inherited]


def _bases(node: Class, names: ModuleNames, classes: dict[Ref, Class], own: list[str]) -> list[str]:
    bases = [mixin_annotation(mixin, names) for mixin in own_mixins(node, classes)]
    bases += own
    if node.base is not None:
        bases.append(base_annotation(node.base, names))
    if node.abstract:
        bases.append("_rt.Abstract")
    if node.type_parameters:
        parameters = [names.parameter(name) for name in node.type_parameters]
        bases.append(subscript(names.use("typing", "Generic"), *parameters))
    return bases


def _head(node: Class, bases: list[str]) -> str:
    """Format the bases of a class and its pragma, up to the end of the line.

    If the bases do not fit into a line, mypy reports the first line, and pyright the line of the
    base.
    """
    in_line = f"({', '.join(bases)}):"
    if not node.abstract:
        return in_line
    if len(f"class {node.ref.name}{in_line}") <= _WIDTH:
        return in_line + _PROTOCOL
    own = 2 if node.type_parameters else 1  # `Abstract` and `Generic[...]`
    lines = [f"    {base},{_PROTOCOL}" for base in bases[:-own]]
    return "\n".join([f"({_PROTOCOL}", *lines, *(f"    {base}," for base in bases[-own:]), "):"])


def _protocol(node: Class) -> ProtocolView:
    module = node.ref.module.replace(".", "_")
    fields = tuple(f.name for f in node.own_fields)
    return ProtocolView(
        name=node.ref.name,
        method=f"{PREFIX}is_{module}_{node.ref.name}",
        comment=(_ASSIGNED,) if fields else (),
        fields=fields,
    )


# --- docstrings


def _class_doc(node: Class, *, is_static: bool) -> list[str]:
    """Return the docstring of a class: its purpose and its intended use."""
    lines = doc_lines(node.doc) or [f"{node.ref.name}."]
    if node.shares:
        lines += ["", _SHARED]
        for share in node.shares:
            paths = ", ".join(".".join(path.parts) for path in share.paths)
            lines += ["    " + line for line in paragraph(paths, _WIDTH - 8, "    ")]
    uses = [_ABSTRACT_USE.format(name=node.ref.name)] if node.abstract else []
    uses.append(_STATIC_USE if is_static else _DYNAMIC_USE)
    return [*lines, "", "Examples:", *("    " + use for use in uses)]


def _role(field: Field) -> str:
    """Return the comment with the role of a field."""
    return f"  # {field.role}, stacked" if field.type.is_stack else f"  # {field.role}"


# --- mixins


def own_mixins(node: Class, classes: dict[Ref, Class]) -> tuple[External, ...]:
    """Return the mixins of a class that none of its bases has: Python takes each once, before its
    bases.
    """
    inherited = [mixin for base, _ in bases_of(node, classes) for mixin in base.mixins]
    return tuple(mixin for mixin in node.mixins if mixin not in inherited)


def require_mixins_call(
    node: Class, names: ModuleNames, classes: dict[Ref, Class]
) -> tuple[LinesView, ...]:
    """Return the call above a class that refuses what is not a mixin."""
    own = [names.external(mixin) for mixin in own_mixins(node, classes)]
    if not own:
        return ()
    line = call("_rt.check_mixins", py_str(node.ref.name), *own)
    return (LinesView((line,)),)


def member_checks(traits: ClassTraits) -> tuple[LinesView, ...]:
    """Return the calls below a class that refuse members that its mixins define too, and that make
    the `__init__` of a mixin its constructor.
    """
    functions = ["_rt.check_members"] * traits.has_mixins
    functions += ["_rt.install_init"] * (not traits.node.init)
    lines = (call(one, traits.node.ref.name) for one in functions)
    return tuple(LinesView((line,)) for line in lines)


# --- replace


def _replace(
    traits: ClassTraits,
    names: ModuleNames,
    contents: ObjectContents,
    fields: tuple[FieldView, ...],
) -> ReplaceView:
    keep, default = "_rt.Keep", "_rt.KEEP"
    self = self_name(f.name for f in fields)
    return ReplaceView(
        self=self,
        keep=local_variable("keep", {f.name for f in fields}),
        parameters=tuple(f"{f.name}: {format_union(f.accepted, keep)} = {default}" for f in fields),
        fields=fields,
        shared=shares.rebind_statements(traits, names, contents, self),
        is_override=_redeclares_field(traits.node, contents.program.classes),
        constructor="" if traits.node.init else f".{traits.constructor}",
    )


def _redeclares_field(node: Class, classes: dict[Ref, Class]) -> bool:
    """Return whether a class, or one of its bases, redeclares a field of a base, perhaps with a
    narrower type.
    """
    line = [node, *(base for base, _ in bases_of(node, classes))]
    return any(f.name in _inherited_names(one, classes) for one in line for f in one.own_fields)


# --- the functions beside the class


def _flatten(traits: ClassTraits, names: ModuleNames) -> FlattenView:
    return FlattenView(
        name=traits.node.ref.name,
        cls=erased_class(traits.node, names),
        children=shares.children_expression(traits),
    )


def _unflatten(traits: ClassTraits) -> UnflattenView:
    sources = ((traits.traced_fields, "children"), (traits.static_fields, "key.values"))
    return UnflattenView(
        name=traits.node.ref.name,
        unpacked=tuple(
            (_targets([f"obj.{f.name}" for f in fields]), source)
            for fields, source in sources
            if fields
        ),
        relink_calls=tuple(shares.relink_calls(traits)),
    )


def _targets(names: list[str]) -> str:
    return ", ".join(names) if len(names) > 1 else f"({names[0]},)"
