from codegen.schema import impl, static

from .base import Base

class Sub(Base):
    size: static[int]

    @property
    @impl("heat_model:nx")
    def nx(self) -> int: ...
