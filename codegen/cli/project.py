"""Which folders and settings a command is about.

    $ codegen build                 schemas/ -> generated/, beside the nearest pyproject.toml
    $ codegen build stubs --out gen stubs/ -> gen/, in the current folder

    [tool.codegen]
    root = "schemas"
    out = "generated"
    registration = "exact"
    checks = true

An argument wins over a setting, a setting over the default. What is written in `[tool.codegen]`,
or left to its defaults, is relative to the folder of that pyproject.toml; arguments are relative
to the current folder, and so are the defaults where no pyproject.toml has such a table.
"""

from __future__ import annotations

import os

from codegen.cli.failure import Failure
from codegen.cli.settings import DEFAULTS
from codegen.files import links

TYPE_CHECKING = False
if TYPE_CHECKING:  # for annotations alone: a build with nothing to do is to start fast
    from argparse import ArgumentParser
    from collections.abc import Iterable
    from typing import Any

    from codegen.cli.plain import Arguments
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

    def __init__(
        self,
        root: str,
        out: str,
        registration: str,
        arguments: list[str],
        base: str = os.curdir,
        laws: str | None = None,
        root_origin: str = "",
        *,
        checks: bool = False,
        features: Iterable[str] = (),
    ) -> None:
        self.root = root
        """The schema folder, as shown to the user."""
        self.out = out
        """The output folder, as shown to the user."""
        self.registration = registration
        self.checks = checks
        """Whether functions check their objects."""
        self.features = tuple(sorted({*features}))
        """Parts of the support package that are written though no schema needs them."""
        self.laws = laws
        """The folder for laws, as shown to the user; None where none are wanted."""
        self.root_origin = root_origin
        """Where the name of the schema folder comes from, for a sentence."""
        self._arguments = arguments
        self._base = base

    @classmethod
    def of(cls, arguments: Arguments, *, has_output: bool = True) -> Project:
        """Take a command's arguments and the settings together.

        `has_output` says whether the command has to do with the output folder.
        """
        root, out = arguments.root, getattr(arguments, "out", None)
        laws = getattr(arguments, "laws", None)
        if "" in (root, out, laws):
            raise Failure("the name of a folder is empty; `.` is the current one")
        base, settings = _settings()
        project = cls(
            root=root or _shown(base, settings.get("root", DEFAULTS["root"])),
            out=out or _shown(base, settings.get("out", DEFAULTS["out"])),
            registration=settings.get("registration", "exact"),
            checks=settings.get("checks", False),
            features=settings.get("features", ()),
            arguments=[
                *([root] if root else []),
                *(["--out", out] if out else []),
                *(["--laws", laws] if laws else []),
            ],
            base=base,
            laws=laws,
            root_origin=_origin(root, base, settings),
        )
        if has_output:
            project.keep_output_safe()
        if laws:
            project.keep_apart("laws'", laws)
        return project

    def keep_output_safe(self) -> None:
        """Refuse to write the output where it does not belong."""
        self.keep_safe("output", self.out)
        _keep_apart(self.root, self.out)

    def keep_safe(self, whose: str, folder: str) -> None:
        """Refuse to write to a folder that a project never means: settings may be somebody else's."""
        named = f"the {whose} folder `{folder}`"
        if links.lies_in(self._base, folder):
            raise Failure(
                f"{named} is the project's own, or holds it: name one for the output alone"
            )
        if ".git" in os.path.realpath(folder).casefold().split(os.sep):
            raise Failure(f"{named} lies in a folder `.git`, which is Git's: name another")
        self.keep_inside(whose, folder)

    def keep_inside(self, whose: str, folder: str) -> None:
        """Refuse to write behind a symbolic link out of the project."""
        link = links.way_out(folder, self._base)
        if link is not None:
            raise Failure(
                f"the {whose} folder `{folder}` is reached through `{link}`, a symbolic link out of "
                "the project: put a folder in its place"
            )

    def keep_apart(self, whose: str, folder: str) -> None:
        """Refuse to write laws, say, where something else is read or written, with names of its own."""
        real = os.path.realpath(folder)
        for what, other in (("schema", self.root), ("output", self.out)):
            real_other = os.path.realpath(other)
            if os.path.commonpath([real_other, real]) in (real_other, real):
                raise Failure(
                    f"the {whose} folder `{folder}` and the {what} folder `{other}` overlap"
                )
        self.keep_safe(whose, folder)

    @property
    def options(self) -> Options:
        """What the stages of a build are told."""
        from codegen.options import Options

        return Options(
            self.root, self.out, self.registration, checks=self.checks, features=self.features
        )

    @property
    def package(self) -> str:
        """What the output folder is imported as: its path from the project's folder, "a.generated".

        A first part `src` is left out, since that is a folder of packages and none itself.

        Raises:
            Failure: where the path is no such name.
        """
        from keyword import iskeyword

        path = os.path.relpath(os.path.realpath(self.out), os.path.realpath(self._base))
        parts = path.split(os.sep)
        if parts[0] == "src" and len(parts) > 1:
            del parts[0]
        if not all(part.isidentifier() and not iskeyword(part) for part in parts):
            raise Failure(
                f"laws import `{self.out}` by its path from the project's folder, and `{path}` is "
                "no package: choose another `--out`"
            )
        return ".".join(parts)

    @property
    def build_command(self) -> str:
        """What to type to build this project: "codegen build stubs --out gen"."""
        import shlex

        return shlex.join(["codegen", "build", *self._arguments])

    @property
    def init_help(self) -> str:
        """How to come by a schema: "`codegen init` makes a first schema"."""
        import shlex

        base = os.path.relpath(self._base)
        command = shlex.join(["codegen", "init", *([] if base == os.curdir else [base])])
        is_named = self._arguments[:1] == [self.root]
        makes = "sets up a project with" if is_named else "makes"
        return f"`{command}` {makes} a first schema"


def _settings() -> tuple[str, dict[str, Any]]:
    from codegen.cli import settings

    return settings.load(os.curdir) or (os.curdir, {})


def _origin(root: str | None, base: str, settings: dict[str, str]) -> str:
    if root:
        return "an argument names this folder"
    if "root" in settings:
        from codegen.cli.settings import FILE

        return f"`root` of [tool.codegen] in {_shown(base, FILE)} names this folder"
    return "it is the default, and neither an argument nor `root` of [tool.codegen] names another"


def _shown(base: str, folder: str) -> str:
    return os.path.relpath(os.path.join(base, folder))


def _keep_apart(root: str, out: str) -> None:
    """Refuse to write among the schemas, where a stub would hide the module beside it."""
    real_root, real_out = os.path.realpath(root), os.path.realpath(out)
    if os.path.commonpath([real_root, real_out]) == real_root:
        raise Failure(f"the output folder `{out}` lies in the schema folder `{root}`")
