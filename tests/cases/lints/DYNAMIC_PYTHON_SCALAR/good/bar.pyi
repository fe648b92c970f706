"""An array, numbers by themselves, numbers among numbers, and numbers beside something else."""

from codegen.schema import Bool, donated, dynamic, f32, i32, static

class Step:
    observation: donated[f32[4]]
    done: dynamic[Bool]
    count: dynamic[i32]
    limit: static[int] = 5
    weight: static[float] = 1.0

class Single:
    rate: dynamic[float]

class Clock:
    t: dynamic[float]
    n: dynamic[int]
    u: dynamic[f32[4]]

class Holder:
    step: dynamic[Step]
    u: dynamic[f32[4]]
    is_last: dynamic[bool]

class Maybe:
    u: dynamic[f32[4]]
    rate: dynamic[float | None]

class Wave:
    u: dynamic[f32[4]]
    phase: dynamic[complex]

class Meant:
    u: dynamic[f32[4]]
    scale: dynamic[float]  # codegen: ignore[DYNAMIC_PYTHON_SCALAR]

class Base:
    rate: dynamic[float]

class Derived(Base):
    v: dynamic[f32[4]]
