"""Update the parts of documentation pages that benchmarks write.

    write("docs/benchmarks/saving.md", "benchmarks.saving", "save 1.00, restore 1.01")

The page has a comment before the part, `<!-- python -m benchmarks.saving --write -->`, and `<!-- end -->` after it.
"""

import re
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]


def write(page: str, module: str, text: str) -> None:
    """Write a text into the part of a page that belongs to a module."""
    path = CHECKOUT / page
    before, after = f"<!-- python -m {module} --write -->\n", "\n<!-- end -->"
    pattern = re.compile(re.escape(before) + ".*?" + re.escape(after), re.DOTALL)
    written, count = pattern.subn(
        lambda _: f"{before}{text.strip()}{after}", path.read_text(encoding="utf-8")
    )
    assert count == 1, f"{page} has {count} parts of {module}"
    path.write_text(written, encoding="utf-8")
