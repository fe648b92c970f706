from codegen.schema import static
from outside.materials import Material
from materials import Alloy
from plates import Mode
from .materials import Metal

class Plate:
    metal: static[Metal]
    alloy: static[Alloy]
    material: static[Material]
    mode: static[Mode]
