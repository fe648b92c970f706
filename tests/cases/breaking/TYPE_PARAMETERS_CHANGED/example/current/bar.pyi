from typing import Any

from codegen.schema import dynamic

class Box:
    content: dynamic[Any]
