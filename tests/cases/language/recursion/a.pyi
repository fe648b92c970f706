from codegen.schema import dynamic, f32, static

from .b import B

class Tree:
    value: dynamic[f32]
    children: dynamic[tuple[Tree, ...]] = ()
    left: dynamic[Tree | None] = None

class A:
    b: dynamic[B | None] = None
    x: dynamic[f32]

class Early:
    late: dynamic[Late | None] = None
    x: dynamic[f32]

class Late(Base):
    early: dynamic[Early | None] = None

class Base:
    x: dynamic[f32]
