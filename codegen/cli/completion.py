"""`codegen completion`: print a script that lets a shell complete verbs, options and folders.

$ codegen completion bash > ~/.local/share/bash-completion/completions/codegen
$ codegen completion zsh > "${fpath[1]}/_codegen"
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _SubParsersAction

import shtab

from codegen.cli.console import Console

HELP = "print a shell completion script for `codegen`"
EXAMPLE = "codegen completion bash > ~/.local/share/bash-completion/completions/codegen"
SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
_FOLDERS = ("ROOT", "DIR")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `completion`."""
    parser.add_argument(
        "shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}"
    )


def run(arguments: Namespace, console: Console) -> int:
    """Print the script, which is generated from the current options."""
    _mark_folders(arguments.command)
    console.text(shtab.complete(arguments.command, shell=arguments.shell))
    return 0


def _mark_folders(parser: ArgumentParser) -> None:
    """Complete arguments that name folders as folders."""
    for action in parser._actions:  # noqa: SLF001 -- argparse has no public way to list them
        if isinstance(action, _SubParsersAction):
            for verb in action.choices.values():
                _mark_folders(verb)
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
