"""The flag is a Python bool."""

from codegen.schema import dynamic, f32

class Step:
    observation: dynamic[f32[4]]
    reward: dynamic[f32]
    done: dynamic[bool]
