from typing import Generic, TypeVar

from codegen.schema import static

from .b import Box

T = TypeVar("T")

class A(Box[int]):
    n: static[int]
