"""Test that following a page finds its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.follow import follow

PAGE = """\
```python
# numbers_of.py
ONE = 1
```

```sh
ls
```

```text
numbers_of.py
```

```python
from numbers_of import ONE

ONE + 1  # 2
print("a", "b")  # a b
{}["key"]  # KeyError: 'key'
int("x")
```

```text
ValueError: invalid literal ... 'x'
```

```python not run: it is wrong on purpose
1 / 0
```

```sh
mkdir below && cd below
exit 3  # exit status 3
```

```sh
cd ../below
```

```python excerpt of ../numbers_of.py
ONE = 1
```
"""


def test_correct_page_passes(tmp_path: Path) -> None:
    follow("page.md", PAGE, tmp_path / "reader")


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("# 2", "# 3", 17),
        ("# a b", "# a", 18),
        ("KeyError: 'key'", "KeyError: 'other'", 19),
        ('{}["key"]', '{"key": 0}["key"]', 19),
        ("ValueError: invalid", "ValueError: valid", 15),
        ('int("x")', 'int("1")', 15),
        ("```text\nnumbers_of", "```text\nletters_of", 7),
        ("exit status 3", "exit status 4", 32),
        ("exit 3  ", "false  ", 32),
        ("cd ../below", "cd elsewhere", 37),
        (".py\nONE = 1\n```\n\n```sh", ".py\nONE = 2\n```\n\n```sh", 17),
        ("../numbers_of.py\nONE = 1", "../numbers_of.py\nONE = 2", 41),
    ],
)
def test_wrong_page_fails_at_the_line(tmp_path: Path, right: str, wrong: str, line: int) -> None:
    assert right in PAGE
    with pytest.raises(AssertionError, match=f"page.md:{line}"):
        follow("page.md", PAGE.replace(right, wrong, 1), tmp_path / "reader")
