"""`codegen init`: a first schema, and what other tools have to know about schemas and output.

    $ codegen init
    created schemas/example.pyi
    created pyproject.toml
    created .gitattributes
    created .pre-commit-config.yaml
    next: codegen build

Nothing that exists is changed but by adding to its end. Where a table of pyproject.toml exists
already, what it lacks is printed, to be added by hand: no program keeps a hand-written file as
its author wants it.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from codegen.cli import settings, starter
from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.cli.settings import FILE
from codegen.files import scaffold

HELP = "set up a project: a first schema, the settings, what other tools need"


def add_arguments(parser: ArgumentParser) -> None:
    """Say what `init` takes."""
    parser.add_argument(
        "folder", metavar="DIR", nargs="?", default=os.curdir, help="the project (default: .)"
    )


def run(arguments: Namespace, console: Console) -> int:
    """Add what is missing."""
    folder = arguments.folder
    _parsed(_below(folder, FILE))  # before anything is written
    root, out = _folders(folder)
    lacked = [
        _add_schema(_below(folder, root), console),
        _add_tables(_below(folder, FILE), starter.tables(root, out), console),
        _add_attributes(_below(folder, ".gitattributes"), starter.attributes(out), console),
        _add_hook(_below(folder, ".pre-commit-config.yaml"), console),
    ]
    if not any(lacked):
        console.status("nothing to do: all is set up")
    console.status("next: codegen build")
    return 0


def _below(folder: str, path: str) -> str:
    return os.path.normpath(os.path.join(folder, path))


def _folders(folder: str) -> tuple[str, str]:
    """The schema folder and the output folder that the project has chosen, if it has."""
    base, chosen = settings.load(folder) or (None, {})
    if base != os.path.abspath(folder):
        chosen = {}
    return chosen.get("root", "schemas"), chosen.get("out", "generated")


# Each of these tells whether something was lacking.


def _add_schema(root: str, console: Console) -> bool:
    schema = os.path.join(root, "example.pyi")
    is_lacking = not os.path.isdir(root) and scaffold.create(schema, starter.SCHEMA)
    if is_lacking:
        console.status(f"created {schema}")
    return is_lacking


def _add_tables(path: str, tables: list[str], console: Console) -> bool:
    """Append each table that TOML lets stand there, and print the others."""
    import tomllib

    found = _parsed(path)
    before = scaffold.text_of(path) or ""
    after, by_hand = before, []
    for table in tables:
        if _holds(found, tomllib.loads(table)):
            continue
        try:
            longer = f"{after}\n{table}" if after else table
            tomllib.loads(longer)
            after = longer
        except tomllib.TOMLDecodeError:  # the table is there already
            by_hand.append(table)
    if after != before:
        scaffold.extend(path, after.removeprefix(before))
        console.status(f"{'extended' if before else 'created'} {path}")
    if by_hand:
        console.text(f"add to {path}, in the tables that it has\n\n{chr(10).join(by_hand)}\n")
    return after != before or bool(by_hand)


def _parsed(path: str) -> dict[str, object]:
    """What a TOML file says; nothing where there is none."""
    import tomllib

    try:
        return tomllib.loads(scaffold.text_of(path) or "")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Failure(f"{path} is not read as TOML: {error}") from error


def _holds(found: object, wanted: object) -> bool:
    """Whether a table has every key and every list has every item that is wanted."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            key in found and _holds(found[key], value) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return isinstance(found, list) and all(item in found for item in wanted)
    return True


def _add_attributes(path: str, line: str, console: Console) -> bool:
    before = scaffold.text_of(path)
    if line.rstrip() in (before or "").splitlines():
        return False
    scaffold.extend(path, line)
    console.status(f"{'created' if before is None else 'extended'} {path}")
    return True


def _add_hook(path: str, console: Console) -> bool:
    if scaffold.create(path, starter.HOOKS):
        console.status(f"created {path}")
    elif "codegen" not in (scaffold.text_of(path) or ""):
        console.text(f"add to {path}, below `repos:`\n\n{starter.HOOK}\n")
    else:
        return False
    return True
