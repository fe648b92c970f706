"""Simulate one second of the basic example of TORAX."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torax

EXAMPLE = Path(torax.__file__).parent / "examples" / "basic_config.py"


def test_basic_example() -> None:
    config = torax.build_torax_config_from_file(EXAMPLE)
    config.update_fields({"numerics.t_final": 1.0})
    tree, history = torax.run_simulation(config, progress_bar=False)
    assert history.sim_error == torax.SimError.NO_ERROR
    temperatures = tree.children["profiles"].dataset["T_e"].to_numpy()
    assert temperatures.shape[0] > 1
    assert np.isfinite(temperatures).all()
