from codegen.schema import dynamic, f32, static

class Itself:
    next: dynamic[Itself]

class Left:
    right: dynamic[tuple[Right, f32]]

class Right:
    left: static[Left | None]
    middle: dynamic[Middle]

class Middle:
    left: dynamic[Left]
