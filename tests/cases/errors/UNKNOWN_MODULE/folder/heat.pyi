import generated.steel
from generated import steel
from generated.steel import Steel
from generated.heat import Plate as Other
from generated.model import Model
from codegen.schema import static

class Plate:
    steel: static[Steel]
    model: static[Model]
