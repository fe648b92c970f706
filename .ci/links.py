"""Replace the relative links of README.md by addresses of a tag, and add the addresses of the project.

    python .ci/links.py https://github.com/OWNER/REPOSITORY v1.0.0

PyPI shows README.md outside of the repository, where relative links have no target. This changes README.md and
pyproject.toml in the current folder, so an sdist that is built from them builds the same wheel everywhere.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# A code block, which stays as it is, or the target of a relative link or picture.
_LINK = re.compile(r"^```.*?^```$|\]\((?!\w+:|#)([^)\s]+)\)", re.MULTILINE | re.DOTALL)


def main(address: str, tag: str) -> None:
    """Rewrite the files in the current folder for a tag of the repository with this address."""

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if str(found[1]).endswith(".svg") else "blob"
        return f"]({address}/{kind}/{tag}/{found[1]})" if found[1] else found[0]

    readme, project = Path("README.md"), Path("pyproject.toml")
    readme.write_text(_LINK.sub(absolute, readme.read_text("utf-8")), "utf-8")
    text, page = project.read_text("utf-8"), f"{address}/blob/{tag}"
    if "[project.urls]" not in text:
        urls = f"""
[project.urls]
Documentation = "{page}/docs/index.md"
Source = "{address}"
Issues = "{address}/issues"
Changelog = "{page}/CHANGELOG.md"
"""
        project.write_text(text + urls, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
