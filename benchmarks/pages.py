"""Update the parts of documentation pages that benchmarks write.

    write("docs/adopt.md", "projects", "| mctx | 10 |")

A part begins after a comment with its name, here `<!-- projects -->`, and ends before `<!-- end -->`.
"""

from importlib.metadata import version
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]


def write(page: str, part: str, text: str) -> None:
    """Write a text into a part of a page."""
    before, _, after = _split(page, part)
    written = f"{before}{text.strip()}\n{after}"
    (CHECKOUT / page).write_text(written, encoding="utf-8")


def read(page: str, part: str) -> str:
    """Return the text of a part of a page."""
    return _split(page, part)[1]


def part_of_this_jax(module: str) -> str:
    """Return the name of the part that a module writes with the installed minor version of JAX."""
    return f"python -m {module} --write, jax {_minor_version()}"


def page_of_this_jax(name: str) -> str:
    """Return the name of the page for the installed minor version of JAX; that of 0.10 is the plain name."""
    minor = _minor_version()
    return name if minor == "0.10" else f"{name}-jax-{minor}"


def _minor_version() -> str:
    return ".".join(version("jax").split(".")[:2])


def _split(page: str, part: str) -> tuple[str, str, str]:
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    before, start, rest = text.partition(f"<!-- {part} -->\n")
    inside, end, after = rest.partition("<!-- end -->")
    assert end, f"{page} has no part that begins with <!-- {part} -->"
    assert "<!--" not in inside, f"{page}: the part <!-- {part} --> has no <!-- end -->"
    return before + start, inside, end + after
