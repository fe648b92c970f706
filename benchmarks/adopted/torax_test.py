"""Simulate one second of the basic example of TORAX."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torax
from torax._src.geometry import eqdsk, geometry_loader
from torax._src.torax_pydantic import torax_pydantic

EXAMPLE = Path(torax.__file__).parent / "examples" / "basic_config.py"


def test_basic_example() -> None:
    config = torax.build_torax_config_from_file(EXAMPLE)
    config.update_fields({"numerics.t_final": 1.0})
    tree, history = torax.run_simulation(config, progress_bar=False)
    assert history.sim_error == torax.SimError.NO_ERROR
    temperatures = tree.children["profiles"].dataset["T_e"].to_numpy()
    assert temperatures.shape[0] > 1
    assert np.isfinite(temperatures).all()


def test_lines_that_read_the_attributes_of_objects() -> None:
    """Run lines that the example does not need, so that their objects are observed."""
    path = Path(torax.__file__).parent / "data/third_party/geo/iterhybrid_cocos11.eqdsk"
    loaded = geometry_loader._load_eqdsk_file(11, str(path))  # noqa: SLF001
    interface = eqdsk.eqdsk.EQDSKInterface.from_file(str(path), from_cocos=11)
    converted = eqdsk._convert_eqdsk_object_to_cocos11_dict(11, interface)  # noqa: SLF001
    np.testing.assert_allclose(converted["psi"], loaded["psi"])
    config = torax.build_torax_config_from_file(EXAMPLE)
    grid = torax_pydantic.Grid1D(face_centers=np.linspace(0, 1, 11))
    torax_pydantic.set_grid(config.profile_conditions, grid, mode="force")
