"""Classes that would be hidden by a member inside of every class that holds one."""

from enum import Enum

from codegen.schema import dynamic, f32, static

class At(Enum):
    HERE = 1

class zeros(abstract=True):
    x: dynamic[f32]

class replace:
    n: static[int]

Draft = f32
