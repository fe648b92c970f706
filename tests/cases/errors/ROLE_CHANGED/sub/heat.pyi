from codegen.schema import dynamic, f32

from .base import Base

class Sub(Base):
    u: dynamic[f32]
    n: dynamic[int]
