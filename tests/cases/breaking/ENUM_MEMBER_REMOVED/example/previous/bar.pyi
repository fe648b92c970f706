from enum import Enum

class Scheme(Enum):
    EXPLICIT = "explicit"
    IMPLICIT = "implicit"
