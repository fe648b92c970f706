"""Property tests for generated classes and functions, with Hypothesis and pytest.

    # tests/test_generated.py
    from codegen.testing import properties

    import generated.heat

    test_heat = properties(generated.heat)

`strategy(Plate)` draws objects for your own tests. `register(Mesh, strategy)` defines how values of
a foreign type are drawn.
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("hypothesis") is None or find_spec("pytest") is None:
    raise ImportError("`codegen.testing` needs both: `pip install hypothesis pytest`")

from codegen.testing.properties import properties, register, strategy

__all__ = ["properties", "register", "strategy"]
