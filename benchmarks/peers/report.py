"""Tables of libraries, as text, Markdown and pictures.

write_soundness("Which libraries give the right answer", {"codegen": {"NaN": ("right", "traced once")}}, "jax 0.10.2")
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks import pages
from benchmarks.peers.libraries import Library
from benchmarks.peers.matrix import MARKS, matrix

FOLDER = Path(__file__).parents[2] / "docs" / "benchmarks"
Verdicts = Mapping[str, Mapping[str, tuple[str, str]]]


def versions(libraries: Sequence[Library]) -> str:
    """Describe the compared versions: `jax 0.10.2, flax 0.12.8, ... on CPython 3.11.7`."""
    packages = {"jax": "", **{each.package: each.version for each in libraries}}
    del packages["pytree-codegen"]
    packages["jax"] = metadata.version("jax")
    listed = ", ".join(f"{name} {version}" for name, version in packages.items())
    return f"{listed}; CPython {platform.python_version()}"


def text_table(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Format one line per row and one column per library."""
    rows = list(next(iter(columns.values())))
    width = max(map(len, rows)) + 2
    widths = {c: 2 + max(len(c), *(len(v) for v in cells.values())) for c, cells in columns.items()}
    lines = [" " * width + "".join(c.ljust(widths[c]) for c in columns)]
    lines += [
        row.ljust(width) + "".join(columns[c][row].ljust(widths[c]) for c in columns)
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def markdown_table(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Format the same table in Markdown, with libraries as rows if there are more of them."""
    rows = list(next(iter(columns.values())))
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {row} | " + " | ".join(columns[c][row] for c in columns) + " |" for row in rows]
    return "\n".join(lines)


def write_soundness(title: str, verdicts: Verdicts, compared: str) -> None:
    """Write the table and the picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    marked = {
        library: {case: f"{MARKS[kind]} {text}" for case, (kind, text) in cases.items()}
        for library, cases in verdicts.items()
    }
    text = (
        f"# {title}\n\n"
        f"Made by `python -m benchmarks.soundness --write` with {compared}.\n\n"
        "✓ right; ✗ a wrong result, or a crash of the process; ! an error that comes late or names no "
        f"field; ~ the right result, with a needless trace.\n\n"
        f"{markdown_table(marked)}\n"
    )
    name = pages.page_of_this_jax("soundness")
    (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
    (FOLDER / f"{name}.svg").write_text(matrix(title, verdicts), encoding="utf-8")


def save(figure: Any, name: str) -> None:
    """Save a picture; the same figure gives the same bytes."""
    figure.savefig(FOLDER / name, bbox_inches="tight", facecolor="white", metadata={"Date": None})


def pyplot() -> Any:
    """Return pyplot, configured to write searchable text."""
    # Import it only here, so that it does not affect the measurements.
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("svg")
    # Use ids that are the same in every run, and searchable text.
    mpl.rcParams.update(
        {"svg.hashsalt": "codegen", "svg.fonttype": "none", "font.family": "sans-serif"}
    )
    from matplotlib import pyplot as plt  # noqa: PLC0415

    return plt


Ratios = Mapping[str, Mapping[str, float]]


def speed_columns(ratios: Ratios) -> dict[str, dict[str, str]]:
    """Return a column per library and a text per row; it is empty if the library lacks the feature."""
    libraries = list(dict.fromkeys(name for each in ratios.values() for name in each))
    return {
        library: {
            row: f"{each[library]:.2f}" if library in each else "" for row, each in ratios.items()
        }
        for library in libraries
    }


def write_speed(ratios: Ratios, compared: str) -> None:
    """Write the table and the chart."""
    name = pages.page_of_this_jax("speed")
    FOLDER.mkdir(parents=True, exist_ok=True)
    lost = _lost(ratios)
    text = (
        f"# Speed compared with other libraries: jax {metadata.version('jax')}\n\n"
        f"Made by `python -m benchmarks --write` with {compared}.\n\n"
        "Time divided by that of a frozen dataclass under `jax.tree_util.register_dataclass`, in the same "
        "process and in turns. Less is faster. A named tuple, which has no static field, is the lower limit.\n\n"
        f"{markdown_table(speed_columns(ratios))}\n\n"
        "## Where codegen is not the fastest\n\n"
        f"{lost or 'Nowhere.'}\n"
    )
    (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
    _chart(f"{name}.svg", ratios)


def _lost(ratios: Ratios) -> str:
    lines: list[str] = []
    for row, each in ratios.items():
        ours = each["codegen"]
        faster = [f"{name} ({ratio:.2f})" for name, ratio in each.items() if ratio < 0.98 * ours]
        faster = [name for name in faster if not name.startswith("named tuple")]
        if faster:
            lines.append(f"- {row}: {ours:.2f}, slower than {', '.join(faster)}")
    return "\n".join(lines)


def _chart(name: str, ratios: Ratios) -> None:
    """Draw dots on a logarithmic scale, one line per row, narrow enough for a phone, with its own background."""
    plots = pyplot()
    libraries = [*speed_columns(ratios)]
    rows = list(ratios)
    figure, axes = plots.subplots(figsize=(4.6, 0.4 * len(rows) + 0.6))
    markers = "Dosv^<>PX*"
    for number, library in enumerate(libraries):
        points = [(each[library], y) for y, each in enumerate(ratios.values()) if library in each]
        is_ours = library == "codegen"
        axes.scatter(
            [x for x, _ in points],
            [y for _, y in points],
            label=library,
            marker=markers[number % len(markers)],
            s=60 if is_ours else 22,
            zorder=3 if is_ours else 2,
        )
    axes.set_xscale("log")
    axes.axvline(1.0, color="grey", linewidth=0.8)
    # Put the label above its line, where it needs no extra width.
    for y, row in enumerate(rows):
        axes.text(0.01, y - 0.3, row, transform=axes.get_yaxis_transform(), fontsize=8)
    axes.set_yticks(range(len(rows)), [""] * len(rows))
    axes.set_ylim(len(rows) - 0.5, -0.8)
    axes.tick_params(labelsize=8, left=False)
    axes.grid(axis="both", alpha=0.25)
    axes.set_xlabel("time over that of register_dataclass (left is faster)", fontsize=8)
    axes.legend(
        fontsize=7.5, loc="upper center", bbox_to_anchor=(0.5, -0.09), ncols=3, frameon=False
    )
    save(figure, name)
