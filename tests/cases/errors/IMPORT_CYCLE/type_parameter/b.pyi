from typing import Generic

from codegen.schema import static

from .a import T

class Box(Generic[T]):
    t: static[T]
