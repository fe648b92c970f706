from codegen.schema import static

from .materails import Steel
from ..common import Thing
from ...outside import Other

class Boiler:
    steel: static[Steel]
    thing: static[Thing]
    other: static[Other]
