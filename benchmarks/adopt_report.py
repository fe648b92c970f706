"""Run `codegen adopt` on the installed packages of the JAX ecosystem, and count what it finds.

    $ python -m benchmarks.adopt_report
    | package | classes | adopted | not adopted | unsound |
    | brax 0.14.2 | 35 | 31 | base 2, own __init__ 1 | equal treedefs 25 |

Each package is adopted with `--rewrite --dry-run --no-import`. This includes the compiler and the rewriting, but
imports and writes nothing. No command is observed, so a use that may be of one of these classes counts: a run would
adopt more classes. Packages that are not installed are skipped.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from importlib import metadata, util
from typing import Any

from msgspec import json

from codegen.adopt.adopt import AdoptOptions, adopt

# Module names, with the name of the distribution if it differs.
PACKAGES = {
    "blackjax": "blackjax",
    "brainstate": "brainstate",
    "brax": "brax",
    "chex": "chex",
    "diffrax": "diffrax",
    "distrax": "distrax",
    "dynamax": "dynamax",
    "equinox": "equinox",
    "evosax": "evosax",
    "flax": "flax",
    "flowjax": "flowjax",
    "gpjax": "gpjax",
    "gymnax": "gymnax",
    "haiku": "dm-haiku",
    "jax_dataclasses": "jax_dataclasses",
    "jax_md": "jax-md",
    "jaxlie": "jaxlie",
    "jaxopt": "jaxopt",
    "jumanji": "jumanji",
    "kfac_jax": "kfac-jax",
    "lineax": "lineax",
    "mctx": "mctx",
    "mujoco.mjx": "mujoco-mjx",
    "numpyro": "numpyro",
    "optax": "optax",
    "optimistix": "optimistix",
    "penzai": "penzai",
    "rlax": "rlax",
    "simple_pytree": "simple-pytree",
    "tinygp": "tinygp",
    "torax": "torax",
}


def main() -> None:
    """Analyse each package, and print the table."""
    for row in _rows():
        print(row, flush=True)


def _rows() -> Iterator[str]:
    yield "| package | classes | adopted | not adopted | unsound |"
    yield "|---|---|---|---|---|"
    for module, distribution in PACKAGES.items():
        folder = _folder(module)
        if folder is not None:
            found = _report(folder)["summary"]
            assert sum(found["refused"].values()) + found["adopted"] == found["classes"]
            yield (
                f"| {distribution} {metadata.version(distribution)} | {found['classes']} "
                f"| {found['adopted']} | {_counts(found['refused'])} | {_counts(found['unsound'])} |"
            )


def _report(folder: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as scratch:
        options = AdoptOptions(
            folder,
            schemas=os.path.join(scratch, "schemas"),
            out=os.path.join(folder, "_generated"),
            report=os.path.join(scratch, "report.json"),
            is_rewritten=True,
            is_dry_run=True,
            reads_imported=False,
        )
        adopt(options)
        with open(options.report, "rb") as file:
            report: dict[str, Any] = json.decode(file.read())
    return report


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
