from codegen.schema import dynamic

type Pair = tuple[int, int]

class Box[T]:
    content: dynamic[T]
