"""A training that is killed goes on to the same numbers; `benchmarks/killed.py` does so 20 times."""

from pathlib import Path

from benchmarks.killed import killed, require_same
from generated.digits import Architecture, Config


def test_a_killed_training_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    config = Config(architecture=Architecture(hidden=16), epochs=4)
    assert killed(config, tmp_path, times=1)[-1] == config.epochs
    require_same(config, tmp_path)
