"""What the templates print: strings, and tuples of strings to loop over.

    EnumView(name="Scheme", base="enum.Enum", doc=(...), members=('EXPLICIT = "explicit"',))

Every text is final: checked, escaped and broken into lines of at most 88 columns. A `template` names the
file that prints the node.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

Lines: TypeAlias = tuple[str, ...]


class LinesView(Struct, frozen=True):
    """Statements that stand together: slots, fields, constants, aliases, type parameters."""

    lines: Lines
    template: str = "lines.py.jinja"


class EnumView(Struct, frozen=True):
    """An enum."""

    name: str
    base: str  # Example: "enum.IntEnum"
    doc: str
    members: Lines  # below an empty line, if there are some. Example: 'EXPLICIT = "explicit"'
    template: str = "enum.py.jinja"


class InitView(Struct, frozen=True):
    """The constructor."""

    signature: str
    statements: Lines
    record: str  # the statement that finds what is known of the class
    key: str  # the statement that makes the key
    fill: str  # the statement that stores everything
    after: Lines
    template: str = "init.py.jinja"


class JaxInitView(Struct, frozen=True):
    """The constructor of a class that `jax.tree_util.register_dataclass` unflattens through it."""

    overload: str
    signature: str  # as users see it
    unflattened: str  # as JAX calls it
    open_signature: str  # as Python sees it: every parameter has a default
    restore: str  # the statement that stores what JAX gave
    required: Lines  # the statement that refuses what users left out
    statements: Lines
    record: str
    key: str
    fill: str
    after: Lines
    template: str = "init_jax.py.jinja"


class AbstractInitView(Struct, frozen=True):
    """The constructor of an abstract class, which has none."""

    abstractmethod: str
    template: str = "init_abstract.py.jinja"


class ReplaceView(Struct, frozen=True):
    """The typed `replace`."""

    signature: str
    converted: Lines  # statements that make arrays of numbers that are shared
    fields: tuple[
        tuple[str, str], ...
    ]  # the line that asks whether each is kept, the one that keeps it
    rebound: Lines  # statements that keep shared parts shared
    result: str
    template: str = "replace.py.jinja"


class MethodView(Struct, frozen=True):
    """A method or property that delegates."""

    decorators: Lines
    signature: str
    doc: Lines
    import_: str
    call: Lines
    template: str = "method.py.jinja"


class ClassMethodView(Struct, frozen=True):
    """A method of the class that makes an object: `abstract`, `zeros`, `init`."""

    decorator: str
    signature: str
    doc: str
    result: str
    template: str = "class_method.py.jinja"


class DraftView(Struct, frozen=True):
    """The mutable twin of a class, and the method that makes it."""

    head: str  # Example: "class Draft(PytreeDraft):"
    doc: str
    blocks: tuple[Lines, ...]  # what stands together: the fields, the class of `at`
    freeze: str  # the signature
    freeze_doc: str
    result: str
    make: str  # the signature of the method that makes it
    template: str = "draft.py.jinja"


Member: TypeAlias = (
    LinesView
    | InitView
    | JaxInitView
    | AbstractInitView
    | ReplaceView
    | MethodView
    | ClassMethodView
    | DraftView
)


class KeyView(Struct, frozen=True):
    """The function that turns static values into the key."""

    signature: str
    doc: str
    statements: Lines
    result: str
    template: str = "key.py.jinja"


class PartsView(Struct, frozen=True):
    """The functions that fill a new object, and that flatten one."""

    fill: str  # the signature of each
    flatten: str
    assignments: Lines  # what sets the fields. Example: "obj.u, obj.t = children"
    children: str  # Example: "(obj.u, obj.t)"
    template: str = "parts.py.jinja"


class SplitView(Struct, frozen=True):
    """The function that appends the leaves of an object to the donated and the kept ones."""

    signature: str
    statements: Lines
    result: str
    template: str = "split.py.jinja"


class FitsView(Struct, frozen=True):
    """The function that says quickly whether every array is as declared."""

    signature: str
    statements: Lines
    result: Lines
    template: str = "fits.py.jinja"


class MakeView(Struct, frozen=True):
    """The function that makes an object from its static fields and the sizes they leave open."""

    signature: str
    imports: Lines
    before: Lines  # statements that bring the arguments to their declared types
    key: str
    sizes: Lines  # statements that read sizes from static values
    children: str
    result: str
    template: str = "make.py.jinja"


# What stands beside a class.
Beside: TypeAlias = LinesView | KeyView | PartsView | SplitView | FitsView | MakeView


class ClassView(Struct, frozen=True):
    """A class with the functions that belong to it."""

    dataclass: str  # Example: "dataclasses.dataclass"
    head: str  # Example: "class Grid(Static):"
    doc: str
    members: tuple[Member, ...]
    functions: tuple[Beside, ...]
    template: str = "class.py.jinja"


class FunctionView(Struct, frozen=True):
    """A jitted function: binding its arguments, calling what it runs, and the object that users call."""

    name: str
    bind: str  # the signature
    doc: str
    donated: str
    kept: str
    list_name: str
    any_name: str
    statements: Lines
    key: str
    arguments: str
    impl: str  # the signature
    imports: Lines
    call: Lines
    object: str
    template: str = "function.py.jinja"


class FunctionTypeView(Struct, frozen=True):
    """The class of a generic function: its signatures, for type checkers."""

    head: str
    doc: str
    condition: str
    methods: Lines
    template: str = "function_type.py.jinja"


Definition: TypeAlias = LinesView | EnumView | ClassView | FunctionTypeView | FunctionView


class ModuleView(Struct, frozen=True):
    """A module of the output."""

    path: str  # relative to the output folder. Example: "a/b.py"
    doc: Lines
    import_blocks: Lines
    all_names: str
    definitions: tuple[Definition, ...]
    runtime: tuple[str, ...]  # the files of the support package that it needs. Example: "keys"
    template: str = "module.py.jinja"


class PackageView(Struct, frozen=True):
    """A package of the output: its `__init__.py`."""

    path: str
    doc: str
    template: str = "package.py.jinja"


class ProgramView(Struct, frozen=True):
    """Everything that a build writes."""

    modules: tuple[ModuleView, ...]
    packages: tuple[PackageView, ...]
    runtime: tuple[str, ...]  # the files of the support package that are needed. Example: "keys"
