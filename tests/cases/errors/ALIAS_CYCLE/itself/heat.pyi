Tree = tuple[Tree, ...]
