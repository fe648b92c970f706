"""Run a few random programs. `run_programs.py` can run any number of them."""

from pathlib import Path

import pytest

from tests.fuzz.run_programs import build, check, numbers_of
from tests.generated.package import forget


def test_random_programs_agree_with_plain_arrays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    worlds = build(range(4), tmp_path)
    for world in worlds:
        for number in numbers_of(world)[:6]:
            check(world, number)
    forget(worlds[0].module.__name__.split(".")[0])
