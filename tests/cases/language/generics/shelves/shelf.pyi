from typing import Generic

from codegen.schema import dynamic, f32, impl, static

from ..boxes import Box, Open, T
from ..boxes import T as Other

Boxes = tuple[Box[T], ...]

class Shelf(Generic[T]):
    box: dynamic[Open[T]]

class Labelled(Open[T], Generic[T]):
    label: static[T]

class Renamed(Open[Other], Generic[Other]):
    label: static[Other]

class Bare:
    box: dynamic[Open]

@impl("boxes_model:opened")
def opened(box: dynamic[Box[T]]) -> Open[T]:
    """The box, opened."""
