from typing import Any, TypeVar

from codegen.schema import dynamic

class Box:
    content: dynamic[Any]
