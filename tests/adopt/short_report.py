"""Lines for the expected reports of cases."""

from __future__ import annotations

from typing import Any


def short_lines(report: dict[str, Any]) -> str:
    """Split the report into lines that are short enough for a case file."""
    lines = [f"{key} {value}" for key, value in report["summary"].items()]
    for one in report["classes"]:
        lines.append(f"{one['file']}:{one['line']} {one['name']} {one['mechanism']}")
        lines += [f"    {each['role']} {each['name']}" for each in one["fields"]]
        lines += [f"    refused {each['line']} {each['construct']}" for each in one["refused"]]
    lines += [
        f"{one['file']}:{one['line']} {one['rule']} {one['name']} {one['field']}".rstrip()
        for one in report["unsound"]
    ]
    lines += [f"{one['file']}:{one['line']} {one['kind']}" for one in report["uses"]]
    lines += [f"{one['file']}:{one['line']} {one['why']}" for one in report["unread"]]
    return "\n".join(lines) + "\n"
