"""Choose a name for each import of a module, so that it shadows no name of the schema.

names.use("jax", "Array")    ->    "Array", or "_codegen_Array" where the schema has an `Array` of its own
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from codegen.check.facts import Facts
from codegen.emit.view import ImportView
from codegen.program.names import relative_path
from codegen.program.nodes import Imported, Module
from codegen.program.references import imported_values, named_functions
from codegen.program.types import ClassType, External, Ref, Type
from codegen.schema.names import PREFIX, RUN_TIME, VARIABLES

# The names in the text of the templates, by the module of each. Only names of the schema take
# precedence over them.
_TEMPLATE_NAMES: Final = {
    "builtins": (
        "AttributeError BaseException ImportError NotImplemented bool classmethod hash int "
        "isinstance list object tuple type"
    ),
    "collections.abc": "Hashable",
    "dataclasses": "dataclasses",
    "typing": "Any Final Self TYPE_CHECKING",
}
RESERVED: Final = {
    name: module for module, names in _TEMPLATE_NAMES.items() for name in names.split()
}


def schema_names(module: Module) -> frozenset[str]:
    """Return every identifier of a schema that its generated module defines or binds somewhere."""
    return member_names(module).union(module.defined_names)


def member_names(module: Module) -> frozenset[str]:
    """Return the names of fields, constants, methods and parameters."""
    names: set[str] = set()
    functions = list(module.functions)
    for node in module.classes:
        names |= {f.name for f in node.fields} | {c.name for c in node.constants}
        names |= {m.name for m in node.methods}
        functions += node.methods
    for function in functions:
        names |= {p.name for p in function.parameters}
    return frozenset(names)


def local_variable(name: str, taken: frozenset[str] | set[str]) -> str:
    """Return a name for a local variable that no parameter has."""
    return PREFIX + name if name in taken else name


class ModuleNames(Struct):
    """The names of one generated module, collected while its text is generated.

    A name of the schema is unchanged. All other imports get a prefix if the schema uses their name.
    """

    module: Module
    facts: Facts
    taken: frozenset[str]
    is_vendored: bool = False  # whether the run time is beside the output
    # The schema's names for its imports from other schemas.
    imported: frozenset[str] = frozenset()
    imports: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    late: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    defined: set[Ref] = field(default_factory=set[Ref])
    # The text of each alias that may be used from here on, and that means the same in a class.
    aliases: dict[Ref, str] = field(default_factory=dict[Ref, str])
    current: Ref | None = None  # the class whose body is being generated

    @property
    def depth(self) -> str:
        """Return the dots of a relative import from this module to the output folder."""
        return "." * (self.module.name.count(".") + 1)

    def use(self, module: str, name: str) -> str:
        """Import a name of a Python module; an empty name imports the module itself."""
        known = self.imports.get((module, name))
        if known is None:
            local_name = name or {"numpy": "np"}.get(module, module)
            known = self._free(local_name, module)
            self.imports[module, name] = known
        return known

    def scratch(self) -> ModuleNames:
        """Return names for text that is not printed: it imports nothing, and has no alias."""
        imports, late = dict(self.imports), dict(self.late)
        return replace(self, imports=imports, late=late, aliases={})

    def in_template(self, name: str) -> str:
        """Use a name that a template prints."""
        module = RESERVED[name]
        if module == "builtins":
            return self.builtin(name)
        return self.use(module, "" if name == module else name)

    def _free(self, name: str, module: str) -> str:
        used = {*self.imports.values(), *self.late.values()}
        if RESERVED.get(name) != module:
            used |= RESERVED.keys() | VARIABLES
        candidate = PREFIX + name if name in used or self._is_of_schema(name) else name
        if candidate in used:
            candidate = PREFIX + module.strip(".").replace(".", "_") + "_" + name
        return candidate

    def _is_of_schema(self, name: str) -> bool:
        return name in self.taken or name in self.imported

    def builtin(self, name: str) -> str:
        """Use a builtin, under another name where the schema shadows it."""
        return self.use("builtins", name) if self._is_of_schema(name) else name

    def runtime(self) -> None:
        """Import the run time."""
        place = (self.depth, "_runtime") if self.is_vendored else ("codegen", "runtime")
        self.imports[place] = RUN_TIME

    @property
    def future(self) -> str:
        """Return what a module imports from `__future__`. To mypy it is a name like any other."""
        name = "annotations"
        is_declared = name in self.imported.union(self.module.defined_names)
        return aliased(name, PREFIX + name if is_declared else name)

    def external(self, named: External | Imported) -> str:
        """Use an attribute of a Python module from outside the program."""
        head, dot, rest = named.name.partition(".")
        return self.use(named.module, head) + dot + rest

    def runtime_class(self, ref: Ref) -> str:
        """Return the name of a class. A class that does not exist yet is looked up when it is
        needed.
        """
        if not self.is_forward(ref):
            return self.ref(ref)
        if not self.is_late(ref):
            return f'_rt.later("{ref.name}", __name__)'
        return f'_rt.later("{ref.name}", "{self.relative(ref.module)}", __package__)'

    def relative(self, module: str) -> str:
        """Return the relative path from this module to another of the program."""
        return relative_path(self.module.name, module)

    def ref(self, ref: Ref) -> str:
        """Use a class, enum or alias of the program."""
        if ref.module == self.module.name:
            return ref.name
        path = self.relative(ref.module)
        store = self.late if self.is_late(ref) else self.imports
        known = store.get((path, ref.name))
        if known is None:
            wanted = dict(self.module.refs).get(ref, ref.name)
            is_plain = wanted in self.imported and wanted not in self.taken | VARIABLES
            known = wanted if is_plain else self._free(wanted, ref.module)
            store[path, ref.name] = known
        return known

    def parameter(self, name: str) -> str:
        """Use a type parameter of this module, or of the module from which it is imported."""
        imported = (t.ref for t in self.module.imported_typevars if t.name == name)
        ref = next(imported, None)
        return name if ref is None else self.ref(ref)

    def is_late(self, ref: Ref) -> bool:
        """Return whether a class's module can only be imported when the class is used."""
        return (self.module.name, ref.module) in self.facts.late

    def is_defined(self, ref: Ref) -> bool:
        """Return whether a class exists when the statements next to the current class run."""
        if ref.module == self.module.name:
            return ref in self.defined or ref == self.current
        return not self.is_late(ref)

    def is_forward(self, ref: Ref) -> bool:
        """Return whether a class does not exist yet where an annotation of the current class names
        it.
        """
        return ref == self.current or not self.is_defined(ref)


def late_imports(types: Iterable[Type], names: ModuleNames) -> tuple[ImportView, ...]:
    """Return imports inside a function that its module could not import at the top: of the classes
    that values are converted to directly, without a description.
    """
    imports: dict[ImportView, None] = {}
    direct = (type for type in types if isinstance(type.without_none, ClassType))
    for part in (part for type in direct for part in type.iter_held()):
        if isinstance(part, ClassType) and names.is_late(part.ref):
            module, local_name = names.relative(part.ref.module), names.ref(part.ref)
            imports[ImportView(module, (aliased(part.ref.name, local_name),))] = None
    return tuple(imports)


def aliased(name: str, local_name: str) -> str:
    """Format an imported name, with `as` if its local name differs."""
    return name if name == local_name else f"{name} as {local_name}"


Imports = Mapping[tuple[str, str], str]


# The standard libraries of all Pythons that this project supports, so that each gives the same
# output: this Python's, the modules of 3.11 that were removed since, and the modules that were
# added.
_STANDARD: Final = sys.stdlib_module_names | {
    *("aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt", "distutils"),
    *("imghdr", "imp", "lib2to3", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes"),
    *("smtpd", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib"),
    *("annotationlib", "compression"),
}


# These import no generated module, and are not scripts.
_LIBRARIES: Final = ("jax", "numpy")

Block = tuple[ImportView, ...]


class ImportsView(Struct, frozen=True):
    """The imports of a module, block by block."""

    blocks: tuple[Block, ...]
    # Imports that may fail because the module imports this one.
    around: tuple[Block, ...]
    late: tuple[tuple[str, Block], ...]  # only for type checkers, under a guard


def module_imports(names: ModuleNames, holder: str) -> ImportsView:
    """Return the imports of a module whose definitions are printed, in blocks: standard library,
    others, relative ones.

    {("jax", "Array"): "Array", ("enum", ""): "enum"}    ->    "import enum", "from jax import Array"
    """
    # Its name is imported, too.
    condition = names.use("typing", "TYPE_CHECKING") if names.late else ""
    around = modules_around(names, holder)
    blocks: tuple[dict[tuple[str, str], str], ...] = ({}, {}, {}, {})
    for (module, name), local in names.imports.items():
        blocks[-1 if module in around else _block_index(module)][module, name] = local
    *plain, guarded = (_block(block) for block in blocks)
    return ImportsView(
        tuple(filter(None, plain)),
        (guarded,) if guarded else (),
        ((condition, _block(names.late)),) if names.late else (),
    )


def modules_around(names: ModuleNames, holder: str) -> frozenset[str]:
    """Return the modules that may import this one themselves.

    These are the modules of mixins, of functions and values that the schema names, and of its own
    package. Each may also be the running script.
    """
    modules = {mixin.module for node in names.module.classes for mixin in node.mixins}
    named = {path.module for path in named_functions(names.module)}
    named |= {value.module for value in imported_values(names.module)}.difference(_LIBRARIES)
    modules |= {module for module, _ in names.imports if module in named}
    package = holder.partition(".")[0]
    modules |= {module for module, _ in names.imports if module.partition(".")[0] == package}
    return frozenset(module for module in modules if _block_index(module) == 1)


def _block_index(module: str) -> int:
    if module.startswith("."):
        return 2
    return 0 if module.partition(".")[0] in _STANDARD else 1


def _block(imports: Imports) -> Block:
    plain = sorted((m, local) for (m, name), local in imports.items() if not name)
    views = [ImportView("", (aliased(module, local),)) for module, local in plain]
    by_module: dict[str, list[tuple[str, str]]] = {}
    for (module, name), local in imports.items():
        if name:
            by_module.setdefault(module, []).append((name, local))
    for module in sorted(by_module, key=_module_order):
        pairs = sorted(by_module[module], key=_name_order)
        own = [name for name, local in pairs if name == local]
        if own:
            views.append(ImportView(module, tuple(own)))
        views += [
            ImportView(module, (aliased(name, local),)) for name, local in pairs if name != local
        ]
    return tuple(views)


def _module_order(module: str) -> tuple[int, str]:
    """Put relative imports from further up first."""
    dots = len(module) - len(module.lstrip("."))
    return -dots, module.lower()


def _name_order(pair: tuple[str, str]) -> tuple[int, str, str]:
    """Put constants first, then classes, then the rest."""
    name = pair[0]
    if len(name) > 1 and name.isupper():
        return 0, name, name
    return (1 if name[:1].isupper() else 2), name.lower(), name
