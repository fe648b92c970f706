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

from codegen import starter
from codegen.cli import build, settings
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
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="its output folder (default: generated, in the package of src/)",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Add what is missing; 1 where a schema that is there already has to be mended first."""
    folder, asked = arguments.folder, arguments.out
    found = settings.parsed(below(folder, settings.FILE))  # before anything is written
    base, chosen = settings.load(folder)
    if base != os.path.abspath(folder):  # one above is another project
        chosen = {}
    if asked is not None and chosen.get("out", asked) != asked:
        raise Failure(f"`out` of [tool.codegen] is `{chosen['out']}`: change it there")
    root = _inside(folder, chosen.get("root", "schemas"), "`root` of [tool.codegen]")
    usual = settings.DEFAULTS["out"] if chosen else _usual_output(folder)
    label = "`--out`" if asked is not None else "`out` of [tool.codegen]"
    out = _inside(folder, chosen.get("out", usual) if asked is None else asked, label)
    project = Project(
        options_of(folder, chosen, below(folder, root), below(folder, out)), base=folder
    )
    project.keep_output_safe()
    setup = Setup(folder, console, found)
    is_new = setup.schema(root)
    for tool, table in starter.tables(root, out, setup.tools):
        if tool != "codegen" or tool not in setup.tools or asked is not None:
            setup.tool(tool, table, root)
    setup.attributes(starter.attributes(out))
    setup.hook()
    setup.finish()
    if not is_new:
        console.status("next: codegen build")
        return 0
    return build.build(project, console)


def _usual_output(folder: str) -> str:
    """Where a project without settings has its output: in the one package of `src/`, if it has that."""
    source = below(folder, "src")
    if os.path.islink(source) or not os.path.isdir(source):
        return settings.DEFAULTS["out"]
    with os.scandir(source) as entries:
        packages = [one.name for one in entries if _is_package(one)]
    return os.path.join("src", *packages[: len(packages) == 1], settings.DEFAULTS["out"])


def _is_package(entry: os.DirEntry[str]) -> bool:
    is_folder = entry.is_dir(follow_symlinks=False)
    return is_folder and os.path.isfile(os.path.join(entry.path, "__init__.py"))


def _inside(folder: str, path: str, label: str) -> str:
    """A folder of the project, which has to lie in it and behind no link."""
    named = os.path.normpath(path)
    if os.path.isabs(named) or named.split(os.sep, maxsplit=1)[0] in ("", os.curdir, os.pardir):
        raise Failure(f"{label} names `{named}`: `init` writes to folders in the project alone")
    if links.is_reached(named, folder):
        place = os.path.normpath(os.path.join(folder, named))
        raise Failure(
            f"`{place}` is reached through a symbolic link, and `init` follows none: put a folder in "
            "its place"
        )
    return named.replace(os.sep, "/")
