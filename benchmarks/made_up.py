"""Schemas of any size, made up.

write("/tmp/schemas", classes=1000, files=100)
"""

from pathlib import Path

_HEAD = '''"""Module {number}, made up to be measured."""

from codegen.schema import Dim, donated, dynamic, f32, static

nx = Dim()  # cells along x
ny = Dim()  # cells along y
'''

_CLASS = '''
class Plate{number}:
    """Plate {number} and its clock."""

    u: donated[f32[nx, ny]]  # temperature [K]
    alpha: dynamic[f32[nx, ny]]  # diffusivity [m^2/s]
    t: dynamic[f32] = 0.0  # time [s]
    nx: static[int] = 64  # cells along x
    ny: static[int] = 64  # cells along y
    name: static[str] = "plate"  # as it is shown
'''


def write(root: str, *, classes: int, files: int) -> None:
    """Write `files` schema files with `classes` classes among them below the folder `root`."""
    Path(root).mkdir(parents=True)
    for number in range(files):
        numbers = range(number, classes, files)
        text = _HEAD.format(number=number) + "".join(_CLASS.format(number=one) for one in numbers)
        Path(root, f"module_{number}.pyi").write_text(text, encoding="utf-8")
