from .second import Platte, Material
from . import second
from .. import third
from ..third import Missing
