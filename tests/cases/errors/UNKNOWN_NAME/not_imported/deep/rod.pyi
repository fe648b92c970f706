from codegen.schema import dynamic, static

class Rod(Plate):
    scheme: static[Scheme] = Scheme.EXPLICIT
    u: dynamic[Field]
