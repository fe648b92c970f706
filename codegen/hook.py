"""An import hook that rebuilds stale modules, for scripts and notebooks in development.

    import codegen.hook

    codegen.hook.install()
    import generated.heat    # built from the current schemas

Mistakes in the schemas are raised from the import. Committed generated code does not need the hook:
it is for a program whose schemas change all the time. Nothing is printed.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec
from types import ModuleType

from codegen.cli.build import build
from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.cli.project import Project
from codegen.diagnostics import Report, text
from codegen.output import manifest
from codegen.output.system import regular

_QUIET = Console("full", is_quiet=True, is_verbose=False)


class SchemaError(Exception):
    """Mistakes in schemas that must be fixed, shown as in a terminal."""

    def __init__(self, message: str, report: Report | None = None) -> None:
        """Add the frames of the diagnostics below a message."""
        super().__init__(f"{message}\n\n{text.full(report)}" if report else message)
        self.report = report or Report()

    def _render_traceback_(self) -> list[str]:
        """Return the lines for IPython instead of a traceback, which would only show codegen."""
        if not self.report:
            return [f"{type(self).__name__}: {self}"]
        colour = text.is_coloured(os.environ, is_terminal=True)
        return text.full(self.report, colour=colour).splitlines()


def install() -> None:
    """Rebuild stale modules of the project in the current folder whenever they are imported.

    The settings are those of its `[tool.codegen]`, or the defaults: `schemas` is built to
    `generated`. If you call this again in another folder, that project replaces the first.
    """
    sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, _BuildOnImport)]
    sys.meta_path.insert(0, _BuildOnImport(os.getcwd()))


def project_of(folder: str) -> Project:
    """Return the project around a folder.

    Raises:
        SchemaError: if its settings are wrong.
    """
    try:
        return Project.of(Namespace(), start=folder)
    except (Failure, Mistakes) as error:
        raise _to_schema_error(error) from None


def build_quietly(project: Project) -> None:
    """Bring the output of a project up to date, and invalidate Python's caches of its modules.

    Raises:
        SchemaError: if something must be fixed first.
        OSError: if the output cannot be written.
    """
    before = _read_manifest(project.out)
    try:
        build(project, _QUIET)
    except (Failure, Mistakes) as error:
        raise _to_schema_error(error) from None
    changed = [
        path for path, sums in _read_manifest(project.out).items() if before.get(path) != sums
    ]
    for path in changed:
        # Python validates bytecode by the time, in seconds, and size of its source. Both may match.
        with suppress(OSError):
            os.unlink(importlib.util.cache_from_source(os.path.join(project.out, path)))
    importlib.invalidate_caches()


def _read_manifest(out: str) -> manifest.Listing:
    with suppress(OSError):
        return manifest.parse(regular(os.path.join(out, manifest.NAME)).decode(errors="replace"))
    return {}


def _to_schema_error(error: Failure | Mistakes) -> SchemaError:
    if isinstance(error, Mistakes):
        return SchemaError("the schemas could not be built", error.report)
    return SchemaError(str(error))


class _BuildOnImport:
    """A finder that finds nothing. It is asked first, so it can build what other finders find."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._name = os.path.basename(project_of(folder).out)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Build if the module is in the output folder. JAX imports a thousand other modules."""
        if self._name not in name.split("."):
            return None
        project = project_of(self._folder)
        out, last = os.path.realpath(project.out), name.rpartition(".")[2]
        for entry in sys.path if path is None else path:
            place = os.path.realpath(os.path.join(entry, last))
            # A copy of the run time is built with the modules that need it.
            if place == out or (place.startswith(out + os.sep) and not last.startswith("_")):
                build_quietly(project)
                break
        return None
