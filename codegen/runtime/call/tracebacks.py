# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
"""What JAX and Python show of a call: the names of its arguments, its place, its frames.

describe(donate, "step", ["plate.u", "dt"], heat_model.step)
# ... while tracing the function step at heat_model.py:14 ... depends on the value of
# the argument plate.u

with hidden_frames:         # a traceback leads from the call to the implementation
    ...
"""

import collections
import inspect
import os
import types
from collections.abc import Callable, Sequence
from typing import Any, Final

import jax

# The package that this folder is in.
_HERE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
# How the functions of generated modules are called that belong to no class.
_GENERATED: Final = "_codegen_"


class _Leaves(inspect.Signature):
    """The signature of a function of leaves, in which JAX finds a name for each of them.

    JAX binds arguments to a signature, and takes what an argument is called from there.
    """

    __slots__ = ("paths",)

    paths: Sequence[str]

    def bind(self, *args: Any, **kwargs: Any) -> inspect.BoundArguments:
        """Bind each leaf to its path."""
        bound = super().bind(*args, **kwargs)
        bound.arguments = dict(zip(self.paths, args, strict=True))
        return bound


def describe(
    function: Any, name: str, paths: Sequence[str], origin: Callable[..., Any]
) -> None:
    """Say what a function of leaves is to be called, and each leaf.

    Args:
        function: what `jax.jit` is given
        name: the declared one
        paths: those of the leaves
        origin: what is shown in its place
    """
    function.__name__ = function.__qualname__ = name
    signature = _Leaves([*inspect.signature(function).parameters.values()])
    counts = collections.Counter(paths)
    # A class may give two of its leaves one key.
    signature.paths = [
        path if counts[path] == 1 else f"{path} (leaf {number})"
        for number, path in enumerate(paths)
    ]
    function.__signature__ = signature
    code = getattr(inspect.unwrap(origin), "__code__", None)
    if code is not None:
        # What JAX asks for the place; of several names it would take the innermost.
        function.__wrapped__ = types.SimpleNamespace(__name__=name, __code__=code)


def hide_frames(error: BaseException) -> None:
    """Leave out the frames of this package, where JAX leaves out its own."""
    config: Any = jax.config
    if config.jax_traceback_filtering == "off":
        return
    each, steps = error.__traceback__, list[types.TracebackType]()
    while each is not None:
        if not _is_hidden(each.tb_frame.f_code):
            steps.append(each)
        each = each.tb_next
    shown: types.TracebackType | None = None
    for step in reversed(steps):
        shown = types.TracebackType(
            shown, step.tb_frame, step.tb_lasti, step.tb_lineno or 0
        )
    error.__traceback__ = shown


def _is_hidden(code: types.CodeType) -> bool:
    return code.co_filename.startswith(_HERE) or code.co_name.startswith(_GENERATED)


class _HiddenFrames:
    """Hides the frames of this package from errors that pass."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, tb: object) -> None:
        if error is not None:
            hide_frames(error)


hidden_frames: Final = _HiddenFrames()
