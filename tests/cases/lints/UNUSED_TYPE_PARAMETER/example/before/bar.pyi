from typing import Any, TypeVar

from codegen.schema import dynamic

T = TypeVar("T")

class Box:
    content: dynamic[Any]
