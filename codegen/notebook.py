'''Schemas in the cells of a notebook, compiled in memory.

%load_ext codegen.notebook

%%schema heat
from codegen.schema import dynamic, f32

class Plate:
    """A plate that cools."""

    u: dynamic[f32]  # [K]

Plate(300.0)    # from the module `heat`; `%%schema heat --write` saves it as schemas/heat.pyi
'''

from __future__ import annotations

import importlib.util
import linecache
import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from codegen import pipeline
from codegen.cli.failure import Failure
from codegen.hook import SchemaError, build_quietly, project_of
from codegen.options import Options
from codegen.output import write
from codegen.output.schemas import misnamed

# The package of all cells, so that they can import each other: `from .materials import Material`.
_PACKAGE = "codegen_cells"
# A notebook uses the installed package.
_OPTIONS = Options(root="", out="", runtime="package")


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the cell magic `%%schema`. `%load_ext codegen.notebook` calls this."""
    package = sys.modules.setdefault(_PACKAGE, ModuleType(_PACKAGE))
    package.__path__ = []
    shell.magics_manager.register_function(_Cells(shell).schema, "cell", "schema")


class _Cells:
    """The schemas of a notebook, and their modules and names in its namespace."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._names = shell.user_ns
        self._files: dict[str, pipeline.File] = {}
        self._modules: dict[str, ModuleType] = {}

    def schema(self, line: str, cell: str) -> None:
        """Compile this cell in memory, and put its classes and functions into the namespace.

        %%schema heat            as the module `heat`
        %%schema heat --write    also save it in the schema folder, and build
        """
        words = line.split()
        names = [word for word in words if word != "--write"]
        if len(names) != 1 or names[0].startswith("-"):
            raise UsageError("usage: %%schema NAME [--write]")
        name = names[0]
        _require_free(name)
        file = (f"{name}.pyi", name, cell.encode())
        text, own = self._compile(file)
        module = _execute(name, text)
        self._files[name] = file
        self._show(module, own)
        if "--write" in words:
            _write(name, cell)

    def _compile(self, file: pipeline.File) -> tuple[str, set[str]]:
        """Return the generated text, and the names of functions implemented in the notebook.

        Such a function runs the notebook's function with the same name.
        """
        name = file[1]
        files = [*{**self._files, name: file}.values()]
        # A mistake in an unrelated cell must not affect this cell.
        stages = pipeline.run(files, _OPTIONS)
        if stages.report:
            needed = _required_cells(files, name)
            stages = pipeline.run([one for one in files if one[1] in needed], _OPTIONS)
        if stages.report:
            raise SchemaError("this cell could not be compiled", stages.report)
        (declared,) = (one.functions for one in stages.schema if one.name == name)
        own = {
            one.name
            for one in declared
            if (one.impl.module, one.impl.attribute) == ("__main__", one.name)
        }
        (text,) = (one.text for one in stages.rendered if one.path == f"{name}.py")
        return text, own

    def _show(self, module: ModuleType, own: set[str]) -> None:
        """Put a module and its names into the namespace, and remove those of an earlier run."""
        name = module.__name__
        earlier = self._modules.get(name)
        if earlier is not None:
            for one in earlier.__all__:
                if self._names.get(one) is getattr(earlier, one):
                    del self._names[one]
        self._modules[name] = module
        shown = {one: getattr(module, one) for one in module.__all__ if one not in own}
        self._names.update({name: module, **shown})
        for one in sorted(own):
            print(f"`{one}` is your own function; call `{name}.{one}` to run it compiled")  # noqa: T201


def _required_cells(files: list[pipeline.File], name: str) -> set[str]:
    """Return the names of a cell and of all cells that it imports, directly or through others."""
    schemas = {one[1]: pipeline.run([one], _OPTIONS, "schema").schema for one in files}
    required, waiting = {name}, [name]
    while waiting:
        for imported in (one for module in schemas[waiting.pop()] for one in module.imports):
            if imported.level and imported.module in schemas and imported.module not in required:
                required.add(imported.module)
                waiting.append(imported.module)
    return required


def _require_free(name: str) -> None:
    """Raise if a module cannot have this name, or if the cell would hide another module."""
    report = misnamed([(f"{name}.pyi", name, b"")], os.curdir)
    if report:
        raise SchemaError("this cell cannot become a module", report)
    if getattr(sys.modules.get(name), "__package__", "") == _PACKAGE:
        return  # an earlier run of this cell
    spec = importlib.util.find_spec(name) if name not in sys.modules else None
    # A namespace package, which may be any folder, has no origin.
    if name in sys.modules or (spec is not None and spec.origin is not None):
        raise UsageError(f"a module `{name}` already exists: give this cell another name")


def _execute(name: str, text: str) -> ModuleType:
    """Execute the generated text as a module, which other cells can import."""
    file = f"<schema {name}>"
    # This lets editors, tracebacks and `Plate??` show the text.
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    module = ModuleType(name)
    module.__file__ = file
    module.__spec__ = ModuleSpec(f"{_PACKAGE}.{name}", None, origin=file)
    module.__package__ = _PACKAGE
    places = {name: module, module.__spec__.name: module}
    earlier = {place: sys.modules[place] for place in places if place in sys.modules}
    # A class looks up its module while it is created.
    sys.modules.update(places)
    try:
        exec(compile(text, file, "exec"), vars(module))  # noqa: S102 -- the text is generated
    except BaseException:  # a mixin from the notebook may raise anything
        for place in places:
            del sys.modules[place]
        sys.modules.update(earlier)
        raise
    return module


def _write(name: str, cell: str) -> None:
    """Save a cell as a schema of the project around the current folder, and build."""
    project = project_of(os.getcwd())
    path = os.path.join(project.root, f"{name}.pyi")
    try:
        project.keep_inside("schema", path)
    except Failure as failure:
        raise UsageError(str(failure)) from None
    if not write.create(path, cell):
        write.overwrite(path, cell.encode())
    try:
        build_quietly(project)
    except SchemaError:
        # The cell is correct: its imports may not be saved yet, or another file has a mistake.
        print(f"wrote {path}; {project.out} is unchanged until this is fixed:")  # noqa: T201
        raise
    print(f"wrote {path}, and updated {project.out}")  # noqa: T201
