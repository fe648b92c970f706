from codegen.schema import f32, frozendict, static

from .other import H2

class G:
    n: static[int] = 1

G2 = G
G3 = G2
Number = f32
Maybe = G | None

class Plate:
    a: static[G2] = G2()
    b: static[G] = G3(n=3)
    c: static[tuple[G2, ...]] = (G(2), G2(n=2))
    d: static[H2] = H2(3)
    e: static[float] = Number(3)
    f: static[Maybe] = Maybe()
