"""Which name a module uses for each thing it imports, so that no name of the schema is shadowed.

names.use("jax", "Array")    ->    "Array", or "_codegen_Array" where the schema has an `Array` of its own
"""

from __future__ import annotations

from msgspec import Struct, field

from codegen.checked.facts import Facts
from codegen.program.names import relative
from codegen.program.nodes import Module
from codegen.program.types import ClassType, External, Ref, Type, walk
from codegen.schema.names import PREFIX
from codegen.view.layout import import_as


def names_of(module: Module) -> frozenset[str]:
    """Return every identifier of a schema that its generated module defines or binds somewhere."""
    found = set(module.declared)
    functions = list(module.functions)
    for node in module.classes:
        found |= {f.name for f in node.fields} | {c.name for c in node.constants}
        found |= {m.name for m in node.methods}
        functions += node.methods
    for function in functions:
        found |= {p.name for p in function.parameters}
    return frozenset(found)


def local(name: str, taken: frozenset[str] | set[str]) -> str:
    """Return a name for a local variable that no parameter has."""
    return PREFIX + name if name in taken else name


class Names(Struct):
    """The names of one generated module, collected while its text is made."""

    module: Module
    facts: Facts
    taken: frozenset[str]
    imports: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    late: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    runtime_files: set[str] = field(default_factory=set[str])
    defined: set[Ref] = field(default_factory=set[Ref])
    current: Ref | None = None  # the class whose body is being written

    @property
    def depth(self) -> str:
        """The dots that lead from this module to the output folder."""
        return "." * (self.module.name.count(".") + 1)

    def use(self, module: str, name: str) -> str:
        """Import a name of a Python module; an empty name imports the module itself."""
        known = self.imports.get((module, name))
        if known is None:
            local_name = name or {"numpy": "np"}.get(module, module)
            known = self._free(local_name, module)
            self.imports[module, name] = known
        return known

    def mark(self) -> tuple[set[tuple[str, str]], set[str]]:
        """Return what is used so far, for `forget`."""
        return {*self.imports}, {*self.runtime_files}

    def forget(self, mark: tuple[set[tuple[str, str]], set[str]]) -> None:
        """Undo what was used since `mark`, for a text that is not printed after all."""
        imported, files = mark
        self.imports = {k: name for k, name in self.imports.items() if k in imported}
        self.runtime_files &= files

    def _free(self, name: str, module: str) -> str:
        used = {*self.taken, *self.imports.values(), *self.late.values()}
        candidate = PREFIX + name if name in used else name
        if candidate in used:
            candidate = PREFIX + module.strip(".").replace(".", "_") + "_" + name
        return candidate

    def builtin(self, name: str) -> str:
        """Use a builtin, under another name where the schema shadows it."""
        return self.use("builtins", name) if name in self.taken else name

    def runtime(self, file: str, name: str) -> str:
        """Use a name of the support package."""
        self.runtime_files.add(file.partition(".")[0])
        return self.use(f"{self.depth}_runtime.{file}", name)

    def external(self, type: External) -> str:
        """Use a Python type from outside the program."""
        head, dot, rest = type.name.partition(".")
        return self.use(type.module, head) + dot + rest

    def relative(self, module: str) -> str:
        """Return the relative path from this module to another of the program."""
        return relative(self.module.name, module)

    def ref(self, ref: Ref) -> str:
        """Use a class, enum or alias of the program."""
        if ref.module == self.module.name:
            return ref.name
        path = self.relative(ref.module)
        wanted = dict(self.module.refs).get(ref, ref.name)
        store = self.late if self.is_late(ref) else self.imports
        known = store.get((path, ref.name))
        if known is None:
            known = self._free(wanted, ref.module)
            store[path, ref.name] = known
        return known

    def parameter(self, name: str) -> str:
        """Use a type parameter of this module, or of that which this one imports it from."""
        imported = (t.ref for t in self.module.imported_typevars if t.name == name)
        ref = next(imported, None)
        return name if ref is None else self.ref(ref)

    def is_late(self, ref: Ref) -> bool:
        """Say whether a class's module can only be imported when the class is used."""
        return (self.module.name, ref.module) in self.facts.late

    def is_defined(self, ref: Ref) -> bool:
        """Say whether a class exists when the statements beside the current class are run."""
        if ref.module == self.module.name:
            return ref in self.defined or ref == self.current
        return not self.is_late(ref)

    def is_forward(self, ref: Ref) -> bool:
        """Say whether a class does not exist yet where an annotation of the current class names it."""
        return ref == self.current or not self.is_defined(ref)


def late_imports(types: list[Type], names: Names, indent: int) -> list[str]:
    """Import, inside a function, what its module could not import at the top; a blank line follows."""
    found: dict[str, None] = {}
    for part in (p for type in types for p in walk(type)):
        if isinstance(part, ClassType) and names.is_late(part.ref):
            module = names.relative(part.ref.module)
            found[import_as(module, part.ref.name, names.ref(part.ref), indent)] = None
    return [*found, ""] if found else []
