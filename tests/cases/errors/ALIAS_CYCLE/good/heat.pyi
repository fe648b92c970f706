from codegen.schema import static

class Tree:
    children: static[tuple[Tree, ...]] = ()
