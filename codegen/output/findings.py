"""Convert a plan to diagnostics and to a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from codegen.diagnostics import Code, Diagnostic, Report
from codegen.diagnostics.printable import escape
from codegen.output import manifest
from codegen.output.plan import Action, BuildPlan, FileStep, Reason, Refusal, with_line_feeds
from codegen.source import whole_file

_REASONS = {
    Reason.EDITED: Code.EDITED_OUTPUT,
    Reason.FOREIGN: Code.FOREIGN_OUTPUT,
    Reason.SYMLINK: Code.LINKED_OUTPUT,
    Reason.OUTSIDE: Code.OUTSIDE_OUTPUT,
    Reason.TAKEN: Code.FOREIGN_OUTPUT,
}
_CONTENTS = {
    "package": ("a package", "codegen build"),
    "site": ("a site", "codegen docs"),
}
_ACTIONS = {
    Action.CREATE: (Code.MISSING_OUTPUT, "is missing"),
    Action.UPDATE: (Code.STALE_OUTPUT, "is not what the schemas make now"),
    Action.REMOVE: (Code.ORPHANED_OUTPUT, "is made by no schema any more"),
}


def refused(plan: BuildPlan, folder: str, command: str, *, option: str = "") -> Report:
    """Report why a plan cannot be carried out; `command` is the build that it belongs to.

    `option` is the option that names the folder, if `codegen check` does not check that folder.

    refused(plan, "generated", "codegen build")
        EDITED_OUTPUT: `generated/heat.py` was edited or reformatted since it was written
    """
    return Report(_refusal(one, folder, command, option) for one in plan.refusals)


def outdated(plan: BuildPlan, folder: str, command: str) -> Report:
    """Report where a folder differs from the output of the build `command`.

    outdated(plan, "generated", "codegen build")
        STALE_OUTPUT: `generated/steel.py` is not what its schema makes now
    """
    return Report((*refused(plan, folder, command), *_changes(plan, folder, command)))


def _changes(plan: BuildPlan, folder: str, command: str) -> Iterator[Diagnostic]:
    advice = f"run `{command}`"
    if plan.refusals:
        place = f"{folder}/{plan.refusals[0].place}"
        advice = f"mend first what is said of `{place}`: a build changes nothing before"
    for step in plan.changes:
        if step is plan.manifest and is_complete(plan):
            continue
        code, what = _ACTIONS[step.action]
        if _only_line_ends_differ(step):
            what = "has line ends of CR LF, which `eol=lf` in .gitattributes prevents"
        if step.is_merged:
            what = "was merged by Git"
        path = f"{folder}/{step.path}"
        yield _diagnostic(code, path, f"`{path}` {what}", advice)


def is_complete(plan: BuildPlan) -> bool:
    """Return whether the manifest on disk lists each file as a build would, or a merge did.

    After a merge it may list more: the order, and checksums of either branch. A file that both
    branches changed is listed with two checksums, and its merged text has neither.
    """
    listing = manifest.read(plan.manifest.before.decode(errors="replace"))
    final = manifest.read(plan.manifest.after.decode())
    return bool(final) and all(
        sums <= listing.get(path, frozenset()) or len(listing.get(path, ())) > 1
        for path, sums in final.items()
    )


def _only_line_ends_differ(step: FileStep) -> bool:
    return step.action is Action.UPDATE and with_line_feeds(step.before) == step.after


def _refusal(refusal: Refusal, folder: str, command: str, option: str) -> Diagnostic:
    path = f"{folder}/{refusal.path}"
    # In a folder with an option of its own, files are not named after schemas.
    otherwise = f"name another folder with `{option or '--out'}`"
    if not option and refusal.reason is not Reason.TAKEN:
        otherwise = "name the schema otherwise"
    message, help_text = _words(refusal, path, f"{folder}/{refusal.place}", command, otherwise)
    if refusal.reason is Reason.EDITED and refusal.after is not None and not option:
        help_text += "; the command `check` with `--diff` shows what would be lost"
    return _diagnostic(_REASONS[refusal.reason], path, message, help_text)


def _words(
    refusal: Refusal, path: str, place: str, command: str, otherwise: str
) -> tuple[str, str]:
    """Return the message and the help of a refusal."""
    match refusal.reason:
        case Reason.EDITED if refusal.after is None:
            return (
                f"`{path}` was edited or reformatted since it was written, and no schema "
                "makes it any more",
                f"remove it yourself, or keep it as your own with `{command} --force`",
            )
        case Reason.EDITED:
            return (
                f"`{path}` was edited or reformatted since it was written",
                f"`{command} --force` overwrites it",
            )
        case Reason.SYMLINK:
            return (
                f"`{place}` is a symbolic link, and none is followed out of the output folder",
                "put a file or a folder in its place",
            )
        case Reason.OUTSIDE:
            return (f"`{path}` would not lie in the output folder", otherwise)
        case Reason.FOREIGN:
            return (
                f"`{place}` stands where a file is to be written, and was not written by codegen",
                f"move it away, or {otherwise}: no option overwrites it",
            )
        case Reason.TAKEN:
            folder = path.removesuffix(f"/{refusal.path}")
            held = " and ".join("{} that `{}` wrote".format(*_CONTENTS[it]) for it in refusal.held)
            return (
                f"`{folder}` holds {held}, which would be removed to make room for "
                f"{_CONTENTS[refusal.wanted][0]}",
                f"{otherwise}, or remove `{folder}` yourself: no option overwrites it",
            )


def _diagnostic(code: Code, path: str, message: str, help_text: str) -> Diagnostic:
    return Diagnostic(code, whole_file(path), message, help=help_text)


def diff(plan: BuildPlan, folder: str) -> str:
    """Return the diff of every file that a build would change or refuses to; `folder` is shown.

    The manifest is left out: its checksums follow from the files.

        --- generated/heat.py
        +++ generated/heat.py
        @@ -1,3 +1,3 @@
        ...

    Control characters are escaped: a file that was edited by hand may contain any of them, and a
    terminal would obey them. This also makes a carriage return visible.
    """
    ordered: list[FileStep | Refusal] = sorted(
        (*(one for one in plan.changes if one is not plan.manifest), *plan.refusals),
        key=lambda one: one.path,
    )
    return "".join(_one(f"{folder}/{one.path}", one.before, one.after) for one in ordered)


def _one(shown: str, before: bytes, after: bytes | None) -> str:
    lines = difflib.unified_diff(
        _lines(before),
        _lines(after or b""),
        escape(shown) if before else "/dev/null",
        escape(shown) if after else "/dev/null",
    )
    return "".join(_ended(line) for line in lines)


def _lines(data: bytes) -> list[str]:
    *whole, last = map(escape, data.decode(errors="backslashreplace").split("\n"))
    return [*(f"{line}\n" for line in whole), *([last] if last else [])]


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
