"""A killed training resumes to the same numbers. `benchmarks/killed.py` tests this 20 times."""

from pathlib import Path

from benchmarks.killed import require_same


def test_killed_training_resumes_to_the_same_numbers(tmp_path: Path) -> None:
    require_same("digits", 1, tmp_path)
