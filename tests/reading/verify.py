"""Parse the rendered output, and check every statement against the program.

verified(files, Options("schemas", "generated"))     # `pipeline.compile`, and the output is verified
Verifier(checked).verify(Rendered("heat.py", "..."))
# AssertionError: heat.py, line 12: `exec(...)` must not run here

Text of a schema appears in the output as an identifier, a type or a literal (`codegen/emit/`). A module contains only
the statements of its schema's declarations and those of the compiler. It imports nothing else, and runs nothing else
when it is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codegen import pipeline
from codegen.check.check import Checked
from codegen.emit.render import read_back
from codegen.emit.rendered import Rendered
from codegen.options import Options
from codegen.program.nodes import FactoryCall, FunctionPath, Program
from tests.reading.module import ModuleReader


def verified(files: Sequence[pipeline.File], options: Options) -> pipeline.CompileResult:
    """Compile schemas, and verify the output.

    Raises:
        AssertionError: the output contains something that they do not declare.
    """
    stages = pipeline.run(files, options)
    if stages.checked is not None:
        verifier = Verifier(stages.checked)
        for file in stages.rendered:
            verifier.verify(file)
    return pipeline.CompileResult(stages.report, stages.rendered)


class Verifier:
    """Compares generated modules with their program."""

    def __init__(self, checked: Checked) -> None:
        program = checked.program
        self._modules = {f"{m.name.replace('.', '/')}.py": m for m in program.modules}
        self._outside = _outside(program)
        self._classes = frozenset(ref.name for ref in program.classes)

    def verify(self, file: Rendered) -> None:
        """Verify a file.

        Raises:
            AssertionError: the file contains something that the program does not declare.
        """
        if not file.path.endswith(".py"):
            return
        read_back(file)
        tree = ast.parse(file.text)
        module = self._modules.get(file.path)
        if module is None:
            _require_package(file, tree)
        else:
            ModuleReader(file.path, module, self._outside, self._classes).module(tree)


def _outside(program: Program) -> frozenset[str]:
    """Return the foreign Python modules that generated code may import."""
    functions = [f for m in program.modules for f in m.functions]
    functions += [f for node in program.classes.values() for f in node.methods]
    fields = [f for node in program.classes.values() for f in node.fields]
    paths = [path for f in fields for path in (f.convert, f.default, f.init)]
    return frozenset(
        (
            *(i.module for m in program.modules for i in m.imports),
            *(function.impl.module for function in functions),
            *(path.module for path in paths if isinstance(path, FunctionPath | FactoryCall)),
        )
    )


def _require_package(file: Rendered, tree: ast.Module) -> None:
    name = file.path.rpartition("/")[2]
    is_doc = [
        isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in tree.body
    ]
    if name != "__init__.py" or is_doc != [True]:
        raise AssertionError(f"{file.path}: is neither a schema's module nor a package's docstring")
