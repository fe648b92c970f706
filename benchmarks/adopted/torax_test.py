"""Simulate one second of the basic example of TORAX."""

from __future__ import annotations

import numpy as np
import torax
from torax.examples.basic_config import CONFIG


def test_basic_example() -> None:
    numerics = {**CONFIG["numerics"], "t_final": 1.0}
    config = torax.ToraxConfig.from_dict({**CONFIG, "numerics": numerics})
    tree, history = torax.run_simulation(config, progress_bar=False)
    assert history.sim_error == torax.SimError.NO_ERROR
    temperatures = tree.children["profiles"].dataset["T_e"].to_numpy()
    assert temperatures.shape[0] > 1
    assert np.isfinite(temperatures).all()
