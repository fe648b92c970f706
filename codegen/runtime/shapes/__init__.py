"""What a schema declares of shapes, and the check that holds objects against it."""

from .declared import AnyOf as AnyOf
from .declared import Each as Each
from .declared import Given as Given
from .declared import Items as Items
from .declared import Opaque as Opaque
from .declared import Parent as Parent
from .declared import Part as Part
from .declared import Shaped as Shaped
from .declared import Shapes as Shapes
from .declared import Weak as Weak
