r"""What `codegen init` does to each file of a project, and what it says of it.

setup = Setup("demo", console, {"tool": {"ruff": {...}}})
setup.tool("ruff", '[tool.ruff]\nextend-exclude = ["generated"]\n', "schemas")
setup.finish()
# extended demo/pyproject.toml
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable
from contextlib import suppress

from codegen import merge, starter
from codegen.cli.console import Console
from codegen.cli.settings import FILE
from codegen.diagnostics.printable import escape
from codegen.files import links, scaffold
from codegen.files.schemas import paths

_MYPY_FILES = ("mypy.ini", ".mypy.ini")
_RUFF_FILES = (".ruff.toml", "ruff.toml")
_HOOKS_FILE = ".pre-commit-config.yaml"


def _repository(folder: str) -> str | None:
    """The top of the repository of Git that a folder is in, where it is not the top itself."""
    start = os.path.realpath(folder)
    top = start
    while not os.path.exists(os.path.join(top, ".git")):
        top, below_it = os.path.dirname(top), top
        if top == below_it:
            return None
    return top if top != start else None


def below(folder: str, path: str) -> str:
    """How a path in the project is named to the user."""
    return os.path.normpath(os.path.join(folder, path))


class Setup:
    """Adds to the files of a project what they lack, and says so."""

    def __init__(self, folder: str, console: Console, found: dict[str, object]) -> None:
        self._folder = folder
        self._console = console
        tools = found.get("tool", {})
        self.tools = tools if isinstance(tools, dict) else {}
        self._did: dict[str, str] = {}  # what was done to each file
        self._by_hand = False
        self._has_driver = True  # in Git's settings, as far as is known

    def schema(self, root: str) -> bool:
        """Write the first schema, unless there are schemas; whether it was written."""
        folder = below(self._folder, root)
        if os.path.isdir(folder) and any(paths(folder)):
            return False
        path = below(self._folder, os.path.join(root, "example.pyi"))
        is_new = scaffold.create(path, starter.SCHEMA)
        if is_new:
            self._did[path] = "created"
        return is_new

    def tool(self, tool: str, table: str, root: str) -> None:
        """Add the settings of one tool where it reads them."""
        own = [name for name in _RUFF_FILES if tool == "ruff" and self._has(name)]
        if own:
            # As its tables are called in a file of the tool's own.
            text = re.sub(r"(?m)^\[tool\.ruff(\]\n|(\.))", lambda at: "[" if at[2] else "", table)
            self._change(own[0], lambda before: merge.toml(before, text), text)
        elif tool == "mypy" and (ini := self._mypy_ini()):
            pattern = starter.mypy_pattern(root)
            self._change(
                ini,
                lambda text: merge.ini(text, "mypy", "exclude", pattern),
                f"exclude = {pattern}",
            )
        elif tool == "pyright" and self._has("pyrightconfig.json"):
            self._change(
                "pyrightconfig.json",
                lambda text: merge.json_list(text, "ignore", root),
                f'"ignore": [{json.dumps(root)}]',
            )
        else:
            self._change(FILE, lambda before: merge.toml(before, table), table)

    def _mypy_ini(self) -> str | None:
        """The file that mypy reads in place of pyproject.toml, if there is one."""
        files = [name for name in _MYPY_FILES if self._has(name)]
        is_in_setup = "mypy" not in self.tools and "[mypy]" in (self._text("setup.cfg") or "")
        return files[0] if files else "setup.cfg" if is_in_setup else None

    def attributes(self, lines: str) -> None:
        """Say that the output is generated, and how its manifest is merged."""

        def add(before: str) -> str:
            gap = "" if before.endswith("\n") or not before else "\n"
            known = before.splitlines()
            lacking = [line for line in lines.splitlines(True) if line.rstrip() not in known]
            return f"{before}{gap}{''.join(lacking)}" if lacking else before

        self._has_driver = not self._change(".gitattributes", add, lines)

    def hook(self) -> None:
        """Check the output before each commit."""
        top = _repository(self._folder)
        if top is not None:
            self._hook_above(top)
            return

        def add(before: str) -> str | None:
            if not before.strip():
                return starter.HOOKS
            return before if "codegen" in before else merge.yaml_list(before, "repos", starter.HOOK)

        self._change(_HOOKS_FILE, add, f"below `repos:`\n\n{starter.HOOK}")

    def _hook_above(self, top: str) -> None:
        """Print the hook for the repository that the project is a folder of.

        pre-commit reads the configuration at its top alone, which is not the project's to change.
        """
        path = os.path.join(top, _HOOKS_FILE)
        with suppress(UnicodeDecodeError):
            if "codegen" in (scaffold.text_of(path) or ""):
                return
        inner = shlex.quote(os.path.relpath(self._folder, top).replace(os.sep, "/"))
        command = f"sh -c {shlex.quote(f'cd {inner} && codegen check')}"
        # A word is one in YAML too, unless it is said otherwise.
        is_plain = command.isprintable() and not re.search(": | #", command)
        entry = command if is_plain else json.dumps(command)
        hook = starter.HOOK.replace("entry: codegen check", f"entry: {entry}")
        self._ask(os.path.relpath(path), f"below `repos:`\n\n{hook}")

    def finish(self) -> None:
        """Say what was done to each file."""
        for path, what in self._did.items():
            self._console.status(f"{what} {path}")
        if not self._has_driver:
            self._console.status(f"run once in each clone: {starter.MERGE_DRIVER}")
        if not self._did and not self._by_hand:
            self._console.status("nothing to do: all is set up")

    def _has(self, name: str) -> bool:
        return os.path.isfile(below(self._folder, name))

    def _text(self, name: str) -> str | None:
        return scaffold.text_of(below(self._folder, name))

    def _change(self, name: str, change: Callable[[str], str | None], lacking: str) -> bool:
        """Write what a file is to hold, or print what it lacks; whether there was anything."""
        path = below(self._folder, name)
        is_link = links.is_reached(name, self._folder)
        try:
            before = scaffold.text_of(path)
            after = change(before or "")
        except (UnicodeDecodeError, RecursionError):  # somebody else's encoding, or no end of lists
            before = after = None
        if after is not None:
            after = scaffold.like(before or "", after)
        if after is None or (is_link and after != before):
            self._ask(f"{path}, a symbolic link" if is_link else path, lacking)
        elif after != before:
            scaffold.replace(path, after)
            self._did.setdefault(path, "created" if before is None else "extended")
        return after != before

    def _ask(self, where: str, lacking: str) -> None:
        """Have somebody add by hand what a file lacks."""
        self._by_hand = True
        self._console.text(f"add to {escape(where)}:\n\n{lacking}\n\n")
