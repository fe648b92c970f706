"""Known attacks on code generators, tried on this one.

Texts that end early, names and limits have their own files beside this one. This file has paths, imports, defaults,
templates and other attacks. The identifiers are those of the published reports.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.cli.main import main
from codegen.diagnostics import Code
from tests.hostile.schemas import HEAD, codes, compiled
from tests.inputs import over

_CLASS = HEAD + "class Grid:\n"

# The attack, a schema that tries it, and the reported codes. Without codes, the schema is legal and harmless.
RECORD: dict[str, tuple[str, set[Code]]] = {
    "GHSA-386q-5hp3-95m9 default_factory": (
        _CLASS + "    nx: static[int] = field(default_factory=canary)\n",
        {Code.UNKNOWN_OPTION},
    ),
    "GHSA-386q-5hp3-95m9 a default that is called": (
        _CLASS + "    nx: static[int] = canary()\n",
        {Code.UNKNOWN_NAME},
    ),
    "GHSA-386q-5hp3-95m9 a foreign class as default": (
        "from os import system\n" + _CLASS + "    nx: static[system] = system('canary')\n",
        {Code.WRONG_DEFAULT},
    ),
    "GHSA-m34r-v34r-rf9q a type that is text": (
        _CLASS + "    nx: static['int; canary()']\n",
        {Code.QUOTED_ANNOTATION},
    ),
    "GHSA-m34r-v34r-rf9q a type that is called": (
        _CLASS + "    nx: static[canary()]\n",
        {Code.NOT_A_TYPE},
    ),
    "GHSA-8m8r-38jm-f355 validators": (
        _CLASS + '    nx: static[int] = field(convert="m:f);canary(")\n',
        {Code.WRONG_PATH},
    ),
    "GHSA-8m8r-38jm-f355 validators that are code": (
        _CLASS + "    nx: static[int] = field(convert=lambda x: canary())\n",
        {Code.OUTSIDE_LANGUAGE},
    ),
    "dmcg 0.73.0 imports with a line end": (
        HEAD + '@impl("m\\nimport canary:f")\ndef step(u: donated[f32]) -> f32: ...\n',
        {Code.WRONG_PATH},
    ),
    "dmcg 0.73.0 imports with a semicolon": (
        HEAD + '@impl("m;import canary:f")\ndef step(u: donated[f32]) -> f32: ...\n',
        {Code.WRONG_PATH},
    ),
    "oapi-codegen GHSA-9c2f-gr95-7wqw an import path": (
        "import os.path as canary\n" + _CLASS + "    nx: static[int]\n",
        set(),
    ),
    "tapir GHSA-gpcc-36pq-8qxr names in backquotes": (
        _CLASS + "    `canary()`: static[int]\n",
        {Code.SYNTAX},
    ),
    "CVE-2020-1747 objects of the loader's language": (
        "import os\n" + _CLASS + "    nx: static[int] = os.system('canary')\n",
        {Code.WRONG_DEFAULT},
    ),
    "CVE-2021-42574 text that is shown in another order": (
        _CLASS + "    nx: static[int]  # \u202e }canary() \u2066\n",
        {Code.CONTROL_CHARACTER},
    ),
    "CVE-2021-42694 names that look alike": (
        _CLASS + "    n\u0445: static[int]\n    nx: static[int]\n",
        set(),
    ),
}


@over(RECORD)
def test_known_attack_is_reported_or_harmless(attack: str) -> None:
    schema, said = RECORD[attack]
    assert codes({"heat.pyi": schema}) == said


@over(
    [
        "x coding: utf-7 .pyi",
        "+AAo-canary.pyi",
        "-*- coding=unicode_escape -*-.pyi",
        "a\nimport canary.pyi",
        "a\rcanary.pyi",
        '"""canary.pyi',
        "..pyi",
        "...pyi",
        "a.b.pyi",
        "a b/heat.pyi",
        "{{ canary }}.pyi",
        "con\u202e.pyi",
        "\udcff.pyi",
        " .pyi",
        ".pyi",
        "a;b.pyi",
        "heat.PYI.pyi",
        "-q.pyi",
        "$(canary).pyi",
    ],
)
def test_hostile_file_names_are_rejected(path: str) -> None:
    """CVE-2020-15141, dmcg#2428: file names become only module names."""
    assert codes({path: ""}) == {Code.BAD_FILE_NAME}
    assert Code.BAD_FILE_NAME in codes({path: "", "fine.pyi": ""})


@over(
    [
        "from ..a import B",
        "from ... import B",
        "from .../etc import B",
        "from . import *",
        "from os import *",
        "from .\\\nos import B",
        "from . import (B,\nC)",
        "import os; canary()",
        "import os, sys; import canary.x",
        "from __future__ import annotations",
        "from . import __init__",
        "from ._runtime.keys.interning import TraceKey",
        "from .heat import Grid as Heat",
        "import canary as __builtins__",
        "from canary import x as __name__",
        "from canary import x as exec",
        "from canary import x as _codegen_key_Grid",
    ],
)
def test_hostile_imports_are_rejected_or_harmless(imported: str) -> None:
    compiled({"a/heat.pyi": f"{imported}\n{_CLASS}    nx: static[int]\n"})


def test_imported_modules_are_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build reads a schema, but not the modules that it imports or the files that it names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    proof = tmp_path / "was_run"
    code = f"open({str(proof)!r}, 'w').close()\nclass X: ...\ndef f(*a): ...\n"
    for name in ("canary.py", "sitecustomize.py", "schemas/canary.py", "schemas/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code)
    (tmp_path / "schemas/heat.pyi").write_text(
        f"from canary import X\nimport canary\n{HEAD}\n"
        "class Grid:\n"
        "    of: static[X]\n"
        "    alike: static[canary.X]\n"
        '    nx: static[int] = field(convert="canary:f")\n\n'
        '@impl("canary:f")\n'
        "def step(u: donated[f32]) -> f32: ...\n"
    )
    assert main(["-q", "build"]) == 0
    assert main(["-q", "check"]) == 0
    assert not proof.exists()


def test_no_module_can_open_a_connection() -> None:
    """GHSA-rfr2-mq9m-x2qx: the compiler imports nothing that can access a network."""
    import subprocess
    import sys

    script = (
        "import sys\n"
        "def hook(event, arguments):\n"
        "    assert not event.startswith(('socket.', 'urllib.', 'http.', 'subprocess.')), event\n"
        "    assert event not in ('os.system', 'os.exec', 'os.posix_spawn'), event\n"
        "sys.addaudithook(hook)\n"
        "from codegen import pipeline\n"
        "from codegen.options import Options\n"
        "text = b'from http import client\\nclass Grid: ...\\n'\n"
        "assert pipeline.compile([('a.pyi', 'a', text)], Options('', 'generated')).rendered\n"
    )
    checkout = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", script], cwd=checkout, check=True)
