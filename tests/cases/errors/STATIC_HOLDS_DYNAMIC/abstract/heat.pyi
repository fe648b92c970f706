from codegen.schema import static

from .base import Model

class Plate:
    model: static[Model]
