"""The part of `codegen rename` for Python code: reads the files, and runs mypy on them.

mypy uses the project's configuration, and a cache in the user's cache folder. The first run reads
JAX, which takes a quarter of a minute; later runs take seconds.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from unicodedata import normalize

from mypy import build
from mypy.errors import CompileError
from mypy.main import process_options
from mypy.modulefinder import BuildSource

from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project, work_tree
from codegen.diagnostics import Code, Diagnostic, Report
from codegen.lint.fix import rewritten
from codegen.output import stamp, system
from codegen.output.transaction import FileChange
from codegen.rename.code import code_target, rename_in_code
from codegen.rename.names import SchemaNames
from codegen.rename.target import Target
from codegen.rename.types import PythonTypes
from codegen.source import Source

_SKIPPED = ("jaxlib.mlir.*", "jaxlib.mosaic.*", "IPython.*")
"""Modules that JAX and jaxtyping import, without types that a program uses. They are half of all."""


def code_changes(
    folders: Sequence[str], project: Project, names: SchemaNames, target: Target, new: str
) -> tuple[tuple[FileChange, ...], list[str]]:
    """Return the changes of the Python files below these folders, and notes about other places.

    Raises:
        Failure: if mypy cannot read the files.
        Mistakes: if a file uses the new name for something else.
    """
    outermost = work_tree(project.base) or project.base
    for folder in folders:
        if not system.lies_in(folder, outermost):
            raise Failure(f"the folder `{folder}` of `--code` is outside the project")
    texts, types = _run_mypy(folders, project, target.old)
    modules = _modules_of_output(types, project.out)
    wanted = code_target(names, target, new, modules)
    changes: list[FileChange] = []
    notes: list[str] = []
    taken: list[Diagnostic] = []
    for path, (module, data) in sorted(texts.items()):
        source = Source(path, module, _text(path, data))
        found = rename_in_code(source, wanted, types)
        what = f"`{new}` is already used here, so `{target.old}` cannot get this name"
        taken += [
            Diagnostic(Code.DUPLICATE_NAME, span, what, help="choose another name")
            for span in found.taken
        ]
        if found.edits:
            changes.append(FileChange(path, data, rewritten(data, found.edits)))
        for span, why in found.notes:
            line, _ = source.position(span.start)
            notes.append(f"{path}:{line}: not changed, because {why}: {source.line(line).strip()}")
    if taken:
        raise Mistakes(Report(taken))
    return tuple(changes), [*dict.fromkeys(notes)]


def _run_mypy(
    folders: Sequence[str], project: Project, old: str
) -> tuple[dict[str, tuple[str, bytes]], PythonTypes]:
    """Return the module and bytes of each file that contains the old name, and the types."""
    errors = io.StringIO()
    try:
        sources, options = process_options([*folders], stdout=errors, stderr=errors)
        options.export_types = options.preserve_asts = options.check_untyped_defs = True
        options.incremental = True
        if hasattr(options, "native_parser"):
            options.native_parser = False  # It counts columns in another way than `ast`.
        # With syntax trees, mypy would read the bodies of functions in JAX: four times as long.
        options.per_module_options["*.*"] = {"preserve_asts": False}
        options.per_module_options |= {one: {"follow_imports": "skip"} for one in _SKIPPED}
        place = stamp.place_of(project.root, project.out)
        options.cache_dir = os.path.join(os.path.dirname(place), "mypy") if place else os.devnull
        # Without an `exclude` in the configuration, mypy would read the schemas too.
        sources = [one for one in sources if not system.lies_in(one.path or "", project.root)]
        own = {one.module for one in sources if not system.lies_in(one.path or "", project.out)}
        texts: dict[str, tuple[str, bytes]] = {}
        for i, one in enumerate(sources):
            path = os.path.relpath(one.path or "")
            data = b"" if system.lies_in(path, project.out) else system.regular(path)
            if re.search(rf"\b{old}\b", normalize("NFKC", data.decode(errors="replace"))):
                texts[path] = (one.module, data)
                options.per_module_options.setdefault(one.module, {})["preserve_asts"] = True
                # mypy keeps the types of a file only if its text is given.
                sources[i] = BuildSource(one.path, one.module, _text(path, data), one.base_dir)
        return texts, PythonTypes(build.build(sources, options), own)
    except CompileError as error:
        raise Failure(f"mypy cannot read the code: {error.messages[0]}") from error
    except SystemExit as error:
        reason = errors.getvalue().strip().rpartition("\n")[2]
        raise Failure(f"mypy cannot read the code: {reason}") from error


def _text(path: str, data: bytes) -> str:
    """Return the text of a file, as `rewritten` counts its characters."""
    try:
        return data.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Failure(f"`{path}` is not UTF-8, so it cannot be changed") from error


def _modules_of_output(types: PythonTypes, out: str) -> dict[str, str]:
    """Return the Python module of each schema module that the code imports."""
    start = os.path.realpath(out) + os.sep
    found: dict[str, str] = {}
    for module, tree in types.files.items():
        path = os.path.realpath(tree.path)
        if path.startswith(start) and path.endswith(".py"):
            found[path.removeprefix(start).removesuffix(".py").replace(os.sep, ".")] = module
    return found
