"""What a build would change, as a unified diff.

    --- generated/heat.py
    +++ generated/heat.py
    @@ -1,3 +1,3 @@
    ...

Control characters are shown escaped: a file that was edited by hand may hold any, and a
terminal would obey them. So a carriage return, too, can be seen.
"""

import difflib

from codegen.diagnostics.printable import escape
from codegen.plan.nodes import Plan, Refusal, Step


def diff(plan: Plan, folder: str) -> str:
    """The diff of every file that a build would touch or refuses to; `folder` is shown.

    The manifest is left out: its sums say nothing that the files do not.
    """
    ordered: list[Step | Refusal] = sorted(
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
