from typing import Any

from codegen.schema import static

class Heat:
    plate: static[Any] = Plate()
    scheme: static[Any] = Scheme.EXPLICIT
