"""Which folders and settings a command is about.

    $ codegen build                 schemas/ -> generated/, beside the nearest pyproject.toml
    $ codegen build stubs --out gen stubs/ -> gen/, in the current folder

    [tool.codegen]
    root = "schemas"
    out = "generated"
    registration = "exact"

An argument wins over a setting, a setting over the default. What is written in `[tool.codegen]`,
or left to its defaults, is relative to the folder of that pyproject.toml; arguments are relative
to the current folder, and so are the defaults where no pyproject.toml has such a table.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from codegen.cli.failure import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:  # the dataclasses are loaded when there is something to build
    from codegen.options import Options


def add_root(parser: ArgumentParser) -> None:
    """Let a verb take the schema folder."""
    parser.add_argument(
        "root", metavar="ROOT", nargs="?", help="the schema folder (default: schemas)"
    )


def add_out(parser: ArgumentParser) -> None:
    """Let a verb take the output folder."""
    parser.add_argument("--out", metavar="DIR", help="the output folder (default: generated)")


class Project:
    """The folders and settings of one command."""

    def __init__(self, root: str, out: str, registration: str, arguments: list[str]) -> None:
        self.root = root
        """The schema folder, as shown to the user."""
        self.out = out
        """The output folder, as shown to the user."""
        self.registration = registration
        self._arguments = arguments

    @classmethod
    def of(cls, arguments: Namespace) -> Project:
        """Take a command's arguments and the settings together."""
        root, out = arguments.root, getattr(arguments, "out", None)
        base, settings = _settings()
        project = cls(
            root=root or _shown(base, settings.get("root", "schemas")),
            out=out or _shown(base, settings.get("out", "generated")),
            registration=settings.get("registration", "exact"),
            arguments=[*([root] if root else []), *(["--out", out] if out else [])],
        )
        _keep_apart(project.root, project.out)
        return project

    @property
    def options(self) -> Options:
        """What the stages of a build are told."""
        from codegen.options import Options

        return Options(self.root, self.out, self.registration)

    @property
    def build_command(self) -> str:
        """What to type to build this project: "codegen build stubs --out gen"."""
        import shlex

        return shlex.join(["codegen", "build", *self._arguments])


def _settings() -> tuple[str, dict[str, str]]:
    from codegen.cli import settings

    return settings.load(os.curdir) or (os.curdir, {})


def _shown(base: str, folder: str) -> str:
    return os.path.relpath(os.path.join(base, folder))


def _keep_apart(root: str, out: str) -> None:
    """Refuse to write among the schemas, where a stub would hide the module beside it."""
    real_root, real_out = os.path.realpath(root), os.path.realpath(out)
    if os.path.commonpath([real_root, real_out]) == real_root:
        raise Failure(f"the output folder `{out}` lies in the schema folder `{root}`")
