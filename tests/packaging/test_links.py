"""The README of a release has only absolute links, because PyPI shows it outside of the repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

CHECKOUT = Path(__file__).parents[2]
ADDRESS = "https://example.org/one/two"
BEFORE = """\
[page](docs/a.md#part) and [a
link](LICENSE), ![picture](docs/a.svg), [other](https://jax.dev), [here](#part)

```python
f = table[0](name)
```
"""
AFTER = """\
[page](https://example.org/one/two/blob/v9/docs/a.md#part) and [a
link](https://example.org/one/two/blob/v9/LICENSE), ![picture](https://example.org/one/two/raw/v9/docs/a.svg), \
[other](https://jax.dev), [here](#part)

```python
f = table[0](name)
```
"""


def _run(folder: Path, *command: str) -> None:
    subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=folder)


def _rewrite(folder: Path) -> None:
    _run(folder, str(CHECKOUT / ".ci/links.py"), ADDRESS, "v9")


def test_relative_links_become_absolute(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(BEFORE, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "two"\n', encoding="utf-8")
    for _ in range(2):  # The second run changes nothing.
        _rewrite(tmp_path)
        assert (tmp_path / "README.md").read_text(encoding="utf-8") == AFTER
        text = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
        assert tomllib.loads(text)["project"]["urls"]["Source"] == ADDRESS


def test_a_release_has_no_relative_links(tmp_path: Path) -> None:
    for name in ("README.md", "LICENSE", "pyproject.toml", ".gitignore"):
        shutil.copy(CHECKOUT / name, tmp_path)
    for name in ("codegen", "templates"):
        shutil.copytree(CHECKOUT / name, tmp_path / name)
    _rewrite(tmp_path)
    _run(tmp_path, "-m", "build", "--no-isolation")
    with ZipFile(next((tmp_path / "dist").glob("*.whl"))) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith("/METADATA"))
        metadata = message_from_bytes(wheel.read(name))
    assert len(metadata.get_all("Project-URL", [])) == 4
    targets = re.findall(r"\]\(([^)]+)\)", str(metadata.get_payload()))
    assert len(targets) > 20
    assert [target for target in targets if not target.startswith("https://")] == []
