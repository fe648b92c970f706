"""`codegen init`: a first schema, and what other tools have to know about schemas and output.

    $ codegen init
    created schemas/example.pyi
    created pyproject.toml
    created .gitattributes
    created .pre-commit-config.yaml
    built 1 module: 58 written, 0 removed, 0 unchanged in 0.24 s

What exists is only added to: comments, order and settings of a project stay. A tool that has a
file of its own, such as ruff.toml, gets its settings there, for it would not read others. What
cannot be added without a doubt is printed, to be added by hand. A first schema is built at once,
so that every tool finds what it looks for.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from typing import Any

from codegen.cli import build, settings, starter
from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.cli.project import Project, options_of
from codegen.cli.setup import Setup, below
from codegen.files import links

HELP = "set up a project: a first schema, the settings, what other tools need"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `init` takes."""
    parser.add_argument(
        "folder", metavar="DIR", nargs="?", default=os.curdir, help="the project (default: .)"
    )


def run(arguments: Namespace, console: Console) -> int:
    """Add what is missing; 1 where a schema that is there already has to be mended first."""
    folder = arguments.folder
    found = settings.parsed(below(folder, settings.FILE))  # before anything is written
    base, chosen = settings.load(folder)
    if base != os.path.abspath(folder):  # one above is another project
        chosen = {}
    root, out = _inside(folder, chosen, "root"), _inside(folder, chosen, "out")
    project = Project(
        options_of(folder, chosen, below(folder, root), below(folder, out)), base=folder
    )
    project.keep_output_safe()
    setup = Setup(folder, console, found)
    is_new = setup.schema(root)
    for tool, table in starter.tables(root, out, setup.tools):
        setup.tool(tool, table, root)
    setup.attributes(starter.attributes(out))
    setup.hook()
    setup.finish()
    if not is_new:
        console.status("next: codegen build")
        return 0
    return build.build(project, console)


def _inside(folder: str, chosen: dict[str, Any], setting: str) -> str:
    """The folder that a setting names, which has to lie in the project and behind no link."""
    named: str = os.path.normpath(chosen.get(setting, settings.DEFAULTS[setting]))
    if os.path.isabs(named) or named.split(os.sep, maxsplit=1)[0] in (os.curdir, os.pardir):
        raise Failure(
            f"`{setting}` of [tool.codegen] names `{named}`: `init` writes to folders in the project "
            "alone"
        )
    if links.is_reached(named, folder):
        path = os.path.join(folder, named)
        raise Failure(
            f"`{os.path.normpath(path)}` is reached through a symbolic link, and `init` follows none: "
            "put a folder in its place"
        )
    return named
