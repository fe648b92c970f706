from .b import Second

First = tuple[Second, ...]
