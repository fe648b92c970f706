from codegen.schema import dynamic, f32, static

class Point:
    x: dynamic[f32]
    y: dynamic[f32]

class Vector:
    x: dynamic[f32]
    y: dynamic[f32]

class Rod:
    a: dynamic[f32]
    b: dynamic[f32]
    c: dynamic[f32]

class Wire:
    a: dynamic[f32]
    b: dynamic[f32]
    c: static[float]

class Rope(Wire):
    d: dynamic[f32]
