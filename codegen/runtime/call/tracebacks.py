# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""The frames of this package are hidden from tracebacks.

with hidden_frames:         # a traceback leads from the call to the implementation
    ...
"""

import types
from typing import Any, Final

import jax

from ..traces.calls import is_ours


def hide_frames(error: BaseException) -> None:
    """Leave out the frames of this package, where JAX leaves out its own."""
    config: Any = jax.config
    if config.jax_traceback_filtering == "off":
        return
    each, steps = error.__traceback__, list[types.TracebackType]()
    while each is not None:
        if not is_ours(each.tb_frame.f_code):
            steps.append(each)
        each = each.tb_next
    shown: types.TracebackType | None = None
    for step in reversed(steps):
        shown = types.TracebackType(
            shown, step.tb_frame, step.tb_lasti, step.tb_lineno or 0
        )
    error.__traceback__ = shown


class _HiddenFrames:
    """Hides the frames of this package from errors that pass."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, tb: object) -> None:
        if error is not None:
            hide_frames(error)


hidden_frames: Final = _HiddenFrames()
