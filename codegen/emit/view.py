"""The input of the templates: typed facts about the contents of a generated file.

    FieldView(name="t", annotation='Float32[Array, ""]', taken="ArrayLike", keyword="t=", ...)

A text is a name, a type, an expression, or a docstring that is already escaped. None is a line of
output. Lines are broken when a file is printed. A `template` names the file that prints the node.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Texts: TypeAlias = tuple[str, ...]


class Statement(Struct, frozen=True):
    """A conditional assignment. No condition: always; no target: only the value."""

    condition: str  # Example: "type(nx) is not int"
    target: str  # Example: "nx"
    value: str  # Example: 'as_int(nx, cls, "nx")'


class ImportView(Struct, frozen=True):
    """`from module import names`, or `import module as name` where the module is empty."""

    module: str
    names: Texts  # Example: ("cell_area as impl",)


class LinesView(Struct, frozen=True):
    """One-line statements that belong together: constants, type aliases, or a call."""

    lines: Texts  # Example: ('check_mixins("Wave", Doubling)',)
    template: str = "lines.py.jinja"


class MemberView(Struct, frozen=True):
    """A member of an enum."""

    name: str
    value: str
    doc: str


class EnumView(Struct, frozen=True):
    """An enum."""

    name: str
    base: str  # Example: "enum.IntEnum"
    doc: str
    members: tuple[MemberView, ...]
    template: str = "enum.py.jinja"


# --- classes


class FieldView(Struct, frozen=True):
    """A field."""

    name: str
    annotation: str  # of the attribute; empty where a base declares it
    accepted: str  # by the constructor
    parameter: str  # of the constructor. Example: "t: ArrayLike = 0.0"
    role: str  # a comment. Example: "  # donated, stacked"
    doc: str  # the attribute's docstring, or ""
    keyword: str  # how the constructor receives it: "t=", or "" by position
    kept: str  # the constructor's argument where `replace` keeps the field


class CreatedDefaultView(Struct, frozen=True):
    """The default of an omitted constructor argument, created for each object."""

    field: str
    source: tuple[ImportView, ...]  # of the author's function; empty for `{}` and `[]`
    value: str


class Conversion(Struct, frozen=True):
    """The conversion of a value by the author's function."""

    field: str
    variable: str
    annotation: str
    function: str
    source: ImportView


class ConstructorView(Struct, frozen=True):
    """The constructor."""

    cls: str
    parameters: Texts
    imports: tuple[ImportView, ...]
    created_defaults: tuple[CreatedDefaultView, ...]
    array_steps: tuple[Statement, ...]  # convert arrays and their containers
    conversions: tuple[Conversion, ...]
    static_steps: tuple[Statement, ...]  # convert static values
    key: str  # names of local variables
    obj: str
    statics: str  # Example: "(grid,)"
    values: str  # a local variable; empty if there are no static values
    tags: str  # a local variable
    exact: str  # Example: "(grid.__codegen_key__,)"; empty if the values are the tags
    tag_comment: str
    unflatten: str  # the function that creates the object, unchecked
    children: str  # Example: "(u, t)"
    checks: Texts  # calls that check the new object
    is_interned: bool  # whether an equal object that is alive is returned
    name: str = "__new__"
    decorator: str = ""
    is_override: bool = False  # whether a base has another constructor with this name
    template: str = "constructor.py.jinja"


class ReplaceView(Struct, frozen=True):
    """The typed `replace`."""

    self: str
    keep: str  # a local variable
    parameters: Texts
    fields: tuple[FieldView, ...]
    shared: tuple[Statement, ...]  # statements that keep shared parts shared
    is_override: bool  # whether its types may be narrower than those of a base
    constructor: str  # after the class: empty, or the name of a class method
    template: str = "replace.py.jinja"


class AbstractMethodView(Struct, frozen=True):
    """`abstract`."""

    cls: str
    parameters: Texts
    given: Texts  # the names of those that are given
    doc: str
    is_override: bool  # whether its types may be narrower than those of a base
    template: str = "abstract.py.jinja"


class EqualityView(Struct, frozen=True):
    """`__eq__` and `__hash__`."""

    template: str  # of a static class, or of a class with arrays


class MethodView(Struct, frozen=True):
    """A method or property that delegates."""

    name: str
    decorators: Texts
    parameters: Texts
    returns: str
    doc: str
    source: ImportView
    call: str
    has_result: bool
    template: str = "method.py.jinja"


class DraftView(Struct, frozen=True):
    """The draft of a class, and the method that creates it."""

    name: str  # of the class
    cls: str  # Example: "Box[Any]"
    base: str
    fields: Texts  # Example: ('u = DraftArray("float32")',)
    arrays: Texts  # whose items `at` writes
    at_base: str  # the base of its type, where there are such arrays
    items: str  # the type of an array's items
    template: str = "draft.py.jinja"


class ProtocolView(Struct, frozen=True):
    """The attributes that identify an abstract class to type checkers: see
    `codegen/runtime/classes/__init__.py`.
    """

    name: str
    method: str  # a name that no other class has. Example: "_codegen_is_heat_Solver"
    comment: Texts  # on the assignments
    fields: Texts  # those that the class adds
    template: str = "protocol.py.jinja"


ClassMemberView: TypeAlias = (
    ConstructorView
    | EqualityView
    | ReplaceView
    | AbstractMethodView
    | MethodView
    | DraftView
    | ProtocolView
)


class FlattenView(Struct, frozen=True):
    """The function that splits an object into its children and its key."""

    name: str
    cls: str  # Example: "Box[Any]"
    children: str  # the returned children
    template: str = "flatten.py.jinja"


class UnflattenView(Struct, frozen=True):
    """The function that creates an object from its children and its key."""

    name: str
    unpacked: tuple[tuple[str, str], ...]  # Example: (("obj.u, obj.t", "children"),)
    relink_calls: Texts  # calls on a new object
    template: str = "unflatten.py.jinja"


class RegistrationView(Struct, frozen=True):
    """The call that registers a class."""

    function: str
    name: str
    arguments: tuple[tuple[str, str], ...]
    template: str = "registration.py.jinja"


ClassFunctionView: TypeAlias = LinesView | FlattenView | UnflattenView | RegistrationView


class ClassView(Struct, frozen=True):
    """A class with the functions that belong to it."""

    name: str
    decorator: str  # before that of `dataclasses`; empty where the class is not abstract
    bases: str  # with the brackets and the text after them. Example: "(Pytree):"
    doc: str
    slots: str  # Example: '("nx", "ny")'
    constants: Texts
    fields: tuple[FieldView, ...]
    members: tuple[ClassMemberView, ...]
    functions: tuple[ClassFunctionView, ...]
    template: str = "class.py.jinja"


# --- functions


class FunctionView(Struct, frozen=True):
    """A jitted function: what a call of it does, the call of the implementation, and the object that
    users call.
    """

    name: str
    receiver: str  # the first parameter, which is that object. Example: "self"
    error: str  # the variable of an error
    parameters: Texts  # as users see them, after the receiver
    doc: str
    summary: str  # its beginning, for editors
    lists: Texts  # the names of the lists that receive the leaves
    donated: str
    kept: str
    imports: tuple[ImportView, ...]
    steps: tuple[Statement, ...]
    key: str
    arguments: str
    inner: Texts  # the parameters of the traced function
    returns: str
    source: ImportView
    call: str
    has_result: bool
    constructor: str  # Example: "Function"
    options: tuple[tuple[str, str], ...]
    template: str = "function.py.jinja"


class FunctionTypeView(Struct, frozen=True):
    """The class of a generic function: its signatures, for type checkers."""

    name: str
    function: str
    parameters: Texts  # with `self`
    methods: tuple[tuple[str, str], ...]  # Example: (("keep", "Plate"),)
    template: str = "function_type.py.jinja"


Definition: TypeAlias = LinesView | EnumView | ClassView | FunctionTypeView | FunctionView


class ModuleView(Struct, frozen=True):
    """A module of the output."""

    path: str  # relative to the output folder. Example: "a/b.py"
    doc: str
    imports_annotations: bool  # from `__future__`
    protocol: str  # the call that checks the protocol; "" if nothing is used of the run time
    all_names: str
    definitions: tuple[Definition, ...]
    template: str = "module.py.jinja"


class PackageView(Struct, frozen=True):
    """A package of the output: its `__init__.py`."""

    path: str
    doc: str
    template: str = "package.py.jinja"
