"""What `codegen adopt` finds in the packages of the JAX ecosystem that are installed here.

    $ python -m benchmarks.adopt_report
    | package | classes | adopted | left as they are | unsound |
    | brax 0.14.2 | 35 | 31 | base 2, own __init__ 1 | equal treedefs 25 |

With `--write` the table goes to `docs/adopt.md`. Nothing is imported, and a package that is not installed is
passed over. What is counted as adopted passes every check of the sources with `--rewrite`; the compiler may leave
a few more, with its reason.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import metadata, util
from pathlib import Path

from codegen.adopted.decided.refusals import refusals
from codegen.adopted.finding.find import find
from codegen.adopted.report import document
from codegen.adopted.unsound import unsound

DOCS = Path(__file__).parents[1] / "docs" / "adopt.md"
# The module, and the distribution where it is called otherwise.
PACKAGES = {
    "blackjax": "blackjax",
    "brax": "brax",
    "chex": "chex",
    "diffrax": "diffrax",
    "distrax": "distrax",
    "equinox": "equinox",
    "flax": "flax",
    "gymnax": "gymnax",
    "jax_md": "jax-md",
    "jaxopt": "jaxopt",
    "jumanji": "jumanji",
    "lineax": "lineax",
    "mctx": "mctx",
    "mujoco.mjx": "mujoco-mjx",
    "optax": "optax",
    "optimistix": "optimistix",
    "penzai": "penzai",
    "torax": "torax",
}


def main() -> None:
    """Read each package, and print or write the table."""
    parser = argparse.ArgumentParser(description="Read the pytree classes of packages.")
    parser.add_argument("--write", action="store_true", help="write docs/adopt.md")
    table = "".join(f"{row}\n" for row in _rows())
    if parser.parse_args().write:
        write_table("reports", table)
    print(table, end="")


def write_table(name: str, table: str) -> None:
    """Put a table into the page, between the marks of its name."""
    text = DOCS.read_text(encoding="utf-8")
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, rest = text.split(start)
    DOCS.write_text(f"{before}{start}{table}{end}{rest.split(end)[1]}", encoding="utf-8")


def _rows() -> list[str]:
    rows = [
        "| package | classes | adopted | left as they are | unsound |",
        "|---|---|---|---|---|",
    ]
    for module, distribution in PACKAGES.items():
        folder = _folder(module)
        if folder is None:
            continue
        found, names = find(folder)
        refused = refusals(found, names, is_rewritten=True)
        summary = document(found, refused, unsound(found, names))["summary"]
        rows.append(
            f"| {distribution} {metadata.version(distribution)} | {summary['classes']} "
            f"| {summary['adopted']} | {_counts(summary['refused'])} | {_counts(summary['unsound'])} |"
        )
    return rows


def _folder(module: str) -> str | None:
    try:
        spec = util.find_spec(module)
    except ModuleNotFoundError:
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return places[0] if places else None


def _counts(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{name} {number}" for name, number in ordered)


if __name__ == "__main__":
    main()
