"""A training that is killed goes on to the same numbers; `benchmarks/killed.py` does so 20 times."""

from pathlib import Path

from benchmarks.killed import require_same


def test_a_killed_training_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    require_same("digits", 1, tmp_path)
