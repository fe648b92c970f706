from codegen.schema import static

class Grid:
    ﬁeld: static[int]
    field: static[int]

class ℌeat:
    𝐢𝐟: static[int]
