from codegen.schema import static

from ..common import Thing
from .materials import Steel

class Boiler:
    steel: static[Steel]
    thing: static[Thing]
