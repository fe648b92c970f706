from __future__ import annotations, braces, nope
import enum
import typing
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import List, Optional, Self

from codegen.schema import share, static

nx = Dimension()
N = 3
NAME = "heat"
size: TypeAlias
share(a, b)
print("hello")

@dataclass
class Grid:
    nx: static[Optional[int]] = field(default_factory=int)
    sizes: static[List[int]]
