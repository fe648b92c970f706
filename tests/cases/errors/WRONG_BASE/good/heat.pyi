from typing import Generic, TypeVar

from operators import Arithmetic
from codegen.schema import dynamic

T = TypeVar("T")

class First: ...

class A(First, Arithmetic, Generic[T]):
    x: dynamic[T]
