"""Build what is stale when it is imported, in scripts and notebooks that are being written.

    import codegen.hook

    codegen.hook.install()
    import generated.heat    # of the schemas as they are now

Mistakes in the schemas are raised from the import. What is committed needs none of this: it is for
a program whose schemas change all the time. Nothing is printed.
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
    """What has to be mended in schemas, shown as in a terminal."""

    def __init__(self, message: str, report: Report | None = None) -> None:
        """Put the frames of the diagnostics below a message."""
        super().__init__(f"{message}\n\n{text.full(report)}" if report else message)
        self.report = report or Report()

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback, which would be about codegen."""
        if not self.report:
            return [f"{type(self).__name__}: {self}"]
        colour = text.is_coloured(os.environ, is_terminal=True)
        return text.full(self.report, colour=colour).splitlines()


def install() -> None:
    """Build what is stale, from now on, when it is imported: of the project in the current folder.

    Its `[tool.codegen]` is read, or the defaults: `schemas` is built to `generated`. Whoever calls
    it again, in another folder, means that one instead.
    """
    sys.meta_path[:] = [one for one in sys.meta_path if not isinstance(one, _BuildOnImport)]
    sys.meta_path.insert(0, _BuildOnImport(os.getcwd()))


def project_of(folder: str) -> Project:
    """The project around a folder.

    Raises:
        SchemaError: where its settings are wrong.
    """
    try:
        return Project.of(Namespace(), start=folder)
    except (Failure, Mistakes) as error:
        raise _said(error) from None


def build_quietly(project: Project) -> None:
    """Bring the output of a project up to date, and have modules of it read anew.

    Raises:
        SchemaError: where something has to be mended first.
        OSError: where the output cannot be written.
    """
    before = _listed(project.out)
    try:
        build(project, _QUIET)
    except (Failure, Mistakes) as error:
        raise _said(error) from None
    changed = [path for path, sums in _listed(project.out).items() if before.get(path) != sums]
    for path in changed:
        # Python tells bytecode by the second and the size of its source, which may be the same.
        with suppress(OSError):
            os.unlink(importlib.util.cache_from_source(os.path.join(project.out, path)))
    importlib.invalidate_caches()


def _listed(out: str) -> manifest.Listing:
    with suppress(OSError):
        return manifest.read(regular(os.path.join(out, manifest.NAME)).decode(errors="replace"))
    return {}


def _said(error: Failure | Mistakes) -> SchemaError:
    if isinstance(error, Mistakes):
        return SchemaError("there is something to mend", error.report)
    return SchemaError(str(error))


class _BuildOnImport:
    """Finds nothing, but is asked first: so it can build what the others are to find."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._name = os.path.basename(project_of(folder).out)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Build, where the module is one of the output folder; JAX alone imports a thousand others."""
        if self._name not in name.split("."):
            return None
        project = project_of(self._folder)
        out, last = os.path.realpath(project.out), name.rpartition(".")[2]
        for entry in sys.path if path is None else path:
            place = os.path.realpath(os.path.join(entry, last))
            # The support package is built with the modules that need it.
            if place == out or (place.startswith(out + os.sep) and not last.startswith("_")):
                build_quietly(project)
                break
        return None
