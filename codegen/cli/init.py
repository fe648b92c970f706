"""`codegen init`: write a first schema, and the settings that other tools need.

    $ codegen init
    created schemas/example.pyi
    created pyproject.toml
    created .gitattributes
    created .pre-commit-config.yaml
    built 1 module: 3 written, 0 removed, 0 unchanged in 0.18 s

It creates files, and appends `[tool.codegen]` to a pyproject.toml that lacks it. It never edits any
other existing file: it prints what to add there. A first schema is built at once, so that every
tool finds the files that it looks for.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import textwrap
import tomllib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import suppress

from msgspec import Struct, structs

from codegen.cli import build, settings
from codegen.cli.console import Console
from codegen.cli.failure import Failure
from codegen.cli.project import OUT, ROOT, Project, options_of, work_tree
from codegen.cli.settings import ProjectSettings
from codegen.diagnostics.printable import escape
from codegen.output import manifest, system, write
from codegen.output.schemas import paths

HELP = "create a first schema and the settings"
EXAMPLE = "codegen init . --out src/heat/generated"

SCHEMA = '''"""A plate that conducts heat. Replace this example with your own schema."""

from codegen.schema import Dim, donated, dynamic, f32, static

nx = Dim()  # cells along x
ny = Dim()  # cells along y

class Grid:
    """Equal cells that cover the plate."""

    nx: static[int]  # cells along x
    ny: static[int]  # cells along y
    dx: static[float] = 0.01  # size of a cell [m]

class Plate:
    """The plate's state, which changes from step to step."""

    temperature: donated[f32[nx, ny]]  # [K]
    diffusivity: dynamic[f32[nx, ny]]  # [m^2/s]
    grid: static[Grid]
    time: dynamic[f32] = 0.0  # [s]
'''
_HOOK = """\
- repo: local
  hooks:
    - id: codegen-check
      name: codegen check (fix with `codegen build`)
      entry: codegen check
      language: system
      always_run: true
      pass_filenames: false
"""
_HOOKS = f"repos:\n{textwrap.indent(_HOOK, '  ')}"
_HOOKS_FILE = ".pre-commit-config.yaml"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `init`."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        default=os.curdir,
        help="the project folder (default: .)",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="the output folder (default: generated, or src/PACKAGE/generated if the project "
        "has a src/ folder)",
    )
    parser.add_argument(
        "--vendored",
        action="store_true",
        help='copy the run time to the output folder, `runtime = "vendored"`, so that the output '
        "does not need the installed package",
    )


def run(arguments: Namespace, console: Console) -> int:
    """Create the missing files; return 1 if an existing schema has a mistake."""
    folder, requested = arguments.folder, arguments.out
    document = settings.parsed(_below(folder, settings.FILE))  # before anything is written
    base, chosen = settings.load(folder)
    if base != os.path.abspath(folder):  # a pyproject.toml in a folder above is another project's
        chosen = ProjectSettings()
    tools = document.get("tool", {})
    tools = tools if isinstance(tools, dict) else {}
    is_set_up = "codegen" in tools
    if is_set_up:
        _require_setting("out", chosen.out, requested)
        _require_setting("runtime", chosen.runtime, "vendored" if arguments.vendored else None)
    elif arguments.vendored:
        chosen = structs.replace(chosen, runtime="vendored")
    root = _inside(folder, chosen.root or ROOT, "`root` in [tool.codegen]")
    usual = OUT if is_set_up else _usual_output(folder)
    label = "`--out`" if requested is not None else "`out` in [tool.codegen]"
    out = _inside(folder, chosen.out or usual if requested is None else requested, label)
    project = Project(
        options_of(folder, chosen, _below(folder, root), _below(folder, out)), base=folder
    )
    project.keep_output_safe()
    setup = Setup(folder, console)
    is_new = setup.schema(root)
    setup.settings(root, out, tools, chosen.runtime)
    setup.attributes(out)
    setup.hook()
    setup.finish()
    if not is_new:
        console.status("next, run `codegen build`")
        return 0
    return build.build(project, console)


def _require_setting(name: str, value: str | None, requested: str | None) -> None:
    """Raise if an argument asks for another value than that of the settings, which stay."""
    if requested is not None and value != requested:
        now = f"`{value}`" if value else "not set"
        flag = "--vendored" if name == "runtime" else f"--{name}"
        raise Failure(
            f"`{name}` in [tool.codegen] is {now}: write `{name} = {_toml(requested)}` there, and "
            f"omit `{flag}`"
        )


class Setup:
    """Create the files of a project, and print what to add to files that exist."""

    def __init__(self, folder: str, console: Console) -> None:
        self._folder = folder
        self._console = console
        self._is_done = True

    def schema(self, root: str) -> bool:
        """Write the first schema, unless there are schemas; return whether it was written."""
        folder = _below(self._folder, root)
        if os.path.isdir(folder) and any(paths(folder)):
            return False
        return self._create(os.path.join(root, "example.pyi"), SCHEMA)

    def settings(self, root: str, out: str, tools: dict[str, object], runtime: str) -> None:
        """Write the settings of each tool to a new pyproject.toml; else print the missing ones."""
        wanted = list(_tools(root, out))
        own = f"[tool.codegen]\nroot = {_toml(root)}\nout = {_toml(out)}\n"
        own += f"runtime = {_toml(runtime)}\n" if runtime == "vendored" else ""
        here = [one for one in wanted if not one.is_optional and not self._own_file(one.name)]
        if self._create(settings.FILE, "\n".join([own, *(one.table for one in here)])):
            wanted = [one for one in wanted if one not in here]
        elif "codegen" not in tools:
            self._append(own)
        for one in wanted:
            place = self._own_file(one.name)
            if one.is_optional and one.name not in tools:
                continue
            known = self._text(place) if place else json.dumps(tools.get(one.name))
            if not all(value in known for value in one.values):
                self._ask(place or settings.FILE, one.in_own_file if place else one.table)

    def _own_file(self, tool: str) -> str:
        """Return the file that a tool reads instead of pyproject.toml, if it exists."""
        files = {
            "mypy": ("mypy.ini", ".mypy.ini"),
            "pyright": ("pyrightconfig.json",),
            "ruff": (".ruff.toml", "ruff.toml"),
        }
        for name in files.get(tool, ()):
            if os.path.isfile(_below(self._folder, name)):
                return name
        if tool == "mypy" and "[mypy]" in self._text("setup.cfg"):
            return "setup.cfg"
        return ""

    def _append(self, table: str) -> None:
        """Append a table to pyproject.toml, if the result is valid TOML; else print the table."""
        path = _below(self._folder, settings.FILE)
        before = write.text_of(path) or ""
        gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
        after = write.like(before, f"{before}{gap}{table}")
        is_link = system.is_reached(settings.FILE, self._folder)
        with suppress(tomllib.TOMLDecodeError):
            if not is_link and tomllib.loads(after)["tool"]["codegen"]:
                write.overwrite(path, after.encode())
                self._say(f"added [tool.codegen] to {path}")
                return
        self._ask(settings.FILE, table)

    def attributes(self, out: str) -> None:
        """Set the Git attributes: which files are generated, and how to merge the manifest."""
        files, listing = _git_pattern(out, "**"), _git_pattern(out, manifest.NAME)
        lines = f"{files} linguist-generated=true text eol=lf\n{listing} merge=union\n"
        if not self._create(".gitattributes", lines):
            known = self._text(".gitattributes").splitlines()
            lacking = [line for line in lines.splitlines() if line not in known]
            if lacking:
                self._ask(".gitattributes", "\n".join(lacking))

    def hook(self) -> None:
        """Add the pre-commit hook that checks the output."""
        top = work_tree(self._folder)
        if top is not None and top != os.path.realpath(self._folder):
            self._hook_above(top)
        elif not self._create(_HOOKS_FILE, _HOOKS) and "codegen" not in self._text(_HOOKS_FILE):
            self._ask(_HOOKS_FILE, f"below `repos:`\n\n{_HOOK}")

    def _hook_above(self, top: str) -> None:
        """Print the hook for the repository that contains the project.

        pre-commit reads only the configuration in the top folder of the repository. `init` may not
        write there.
        """
        path = os.path.join(top, _HOOKS_FILE)
        with suppress(UnicodeDecodeError):
            if "codegen" in (write.text_of(path) or ""):
                return
        inner = shlex.quote(os.path.relpath(self._folder, top))
        command = f"sh -c {shlex.quote(f'cd {inner} && codegen check')}"
        # In YAML most words need no quotes.
        is_plain = command.isprintable() and not re.search(": | #", command)
        entry = command if is_plain else json.dumps(command)
        hook = _HOOK.replace("entry: codegen check", f"entry: {entry}")
        self._print(os.path.relpath(path), f"below `repos:`\n\n{hook}")

    def finish(self) -> None:
        """Print a line if there was nothing to do."""
        if self._is_done:
            self._console.status("nothing to do: the project is already set up")

    def _text(self, name: str) -> str:
        with suppress(UnicodeDecodeError):
            return write.text_of(_below(self._folder, name)) or ""
        return ""

    def _create(self, name: str, text: str) -> bool:
        path = _below(self._folder, name)
        is_new = write.create(path, text)
        if is_new:
            self._say(f"created {path}")
        return is_new

    def _say(self, line: str) -> None:
        self._is_done = False
        self._console.status(line)

    def _ask(self, name: str, lacking: str) -> None:
        """Print what a file of the project lacks."""
        self._print(_below(self._folder, name), lacking)

    def _print(self, path: str, lacking: str) -> None:
        self._is_done = False
        self._console.text(f"add to {escape(path)}:\n\n{lacking.rstrip()}\n\n")


class _Tool(Struct, frozen=True):
    """A tool, and the settings that it needs."""

    name: str
    table: str
    """The settings for pyproject.toml, with the reason."""
    values: tuple[str, ...]
    """The values in the table. A tool whose settings contain them needs nothing."""
    in_own_file: str = ""
    """The same settings for a separate file of the tool."""
    is_optional: bool = False
    """Whether to add it only if pyproject.toml already has settings of the tool."""


def _tools(root: str, out: str) -> Iterator[_Tool]:
    pattern = f"^{_escaped(root)}/"
    yield _Tool(
        "mypy",
        "# Schemas are not meant for type checkers: dimensions are values in type positions.\n"
        f"[tool.mypy]\nexclude = [{_toml(pattern)}]\n",
        (json.dumps(pattern)[1:-1],),
        f"[mypy]\nexclude = {pattern}\n",
    )
    ignored = json.dumps(root)
    yield _Tool(
        "pyright",
        f"[tool.pyright]\nignore = [{_toml(root)}]\n",
        (ignored,),
        f'"ignore": [{ignored}]\n',
    )
    ruff = (
        "# Do not reformat generated code.\n"
        f"[tool.ruff]\nextend-exclude = [{_toml(out)}]\n"
        "\n# Schemas contain real defaults instead of `...`. `{}` and `[]` are new for each object.\n"
        "# `dims=` declares names. `codegen build` reports undefined ones.\n"
        f'[tool.ruff.lint.per-file-ignores]\n{_toml(f"{root}/**")} = ["F821", "PYI", "RUF012"]\n'
    )
    # In ruff's own file the table names have no `tool.ruff` prefix.
    short = re.sub(r"(?m)^\[tool\.ruff(\]\n|(\.))", lambda at: "[" if at[2] else "", ruff)
    yield _Tool("ruff", ruff, (json.dumps(out), json.dumps(f"{root}/**")), short)
    excluded = f"^/{_escaped(out)}/"
    black = f"[tool.black]\nextend-exclude = {_toml(excluded)}\n"
    yield _Tool("black", black, (json.dumps(excluded)[1:-1],), is_optional=True)
    isort = f"[tool.isort]\nextend_skip = [{_toml(out)}]\n"
    yield _Tool("isort", isort, (json.dumps(out),), is_optional=True)


def _escaped(folder: str) -> str:
    """Return a regular expression that matches this text, on one line."""
    return _with_escapes(folder, lambda character: character.isalnum() or character in "_-/")


def _toml(text: str) -> str:
    """Return a text as a TOML basic string."""
    shown = _with_escapes(text, lambda character: character not in ('"', "\\"))
    return f'"{shown}"'


def _with_escapes(text: str, is_plain: Callable[[str], bool]) -> str:
    """Put a backslash before each character that is not plain; escape unprintable ones."""
    return "".join(
        f"\\U{ord(one):08x}" if not one.isprintable() else one if is_plain(one) else f"\\{one}"
        for one in text
    )


def _git_pattern(folder: str, names: str) -> str:
    """Return the Git pattern for files of a folder, quoted as a C string if necessary."""
    plain = re.sub(r"^!|[\\*?\[]", r"\\\g<0>", folder) + f"/{names}"
    if re.fullmatch(r"[\w./*?!\[\]\\-]+", plain, re.ASCII):
        return plain
    codes = plain.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    shown = "".join(chr(code) if 0x20 <= code < 0x7F else f"\\{code:03o}" for code in codes)
    return f'"{shown}"'


def _below(folder: str, path: str) -> str:
    """Return a path in the project, as messages show it."""
    return os.path.normpath(os.path.join(folder, path))


def _usual_output(folder: str) -> str:
    """Return the default output folder: in the package in `src/`, if there is exactly one."""
    source = _below(folder, "src")
    if os.path.islink(source) or not os.path.isdir(source):
        return OUT
    with os.scandir(source) as entries:
        packages = [one.name for one in entries if _is_package(one)]
    return os.path.join("src", *packages[: len(packages) == 1], OUT)


def _is_package(entry: os.DirEntry[str]) -> bool:
    is_folder = entry.is_dir(follow_symlinks=False)
    return is_folder and os.path.isfile(os.path.join(entry.path, "__init__.py"))


def _inside(folder: str, path: str, label: str) -> str:
    """Return a folder of the project; refuse one that is outside it or reached through a link."""
    named = os.path.normpath(path)
    if os.path.isabs(named) or named.split(os.sep, maxsplit=1)[0] in ("", os.curdir, os.pardir):
        raise Failure(f"{label} is `{named}`, but `init` writes only to folders inside the project")
    if system.is_reached(named, folder):
        place = os.path.normpath(os.path.join(folder, named))
        raise Failure(
            f"`{place}` is reached through a symbolic link, but `init` follows no links: replace the "
            "symbolic link with a real folder"
        )
    return named
