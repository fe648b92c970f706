import math
import scipy.constants
from math import nan as nothing
from math import inf, pi, sqrt
from codegen.schema import dynamic, f32, static
import numpy as np

class Grid:
    a: static[float] = math.pi
    b: static[float] = -math.inf
    c: static[float] = math.nan
    d: static[float] = inf
    e: static[float] = -pi
    f: static[float] = nothing
    g: static[float] = sqrt(2.0)
    h: static[float] = math.sqrt(2.0)
    i: dynamic[f32] = np.inf
    j: static[float] = scipy.constants.e
    k: static[float] = math.pi / 2
    l: static[float] = -float("inf")
    m: static[float] = -math.e
