"""What the function of the schema runs."""

from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def advance(state: Any, dt: Any) -> Any:
    draft = state.draft()
    draft.u = draft.u + dt
    draft.t += dt
    return draft.freeze()
