from typing import Generic, TypeVar

from codegen.schema import dynamic, f32

class Model:
    u: dynamic[f32]

M = TypeVar("M", bound=Model)

class Ensemble(Generic[M]):
    members: dynamic[tuple[M, ...]]
