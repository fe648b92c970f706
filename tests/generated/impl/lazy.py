"""An implementation that imports the generated package, so it can only be imported after that."""

from typing import Any

import declared.functions as generated


def rebuilt(plant: Any) -> Any:
    tank = plant.cold
    return generated.Tank(level=tank.level + plant.hot.level, area=tank.area)
