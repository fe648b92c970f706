from codegen.schema import static

class Bar:
    b: static[int] = 1  # codegen: was[a]
    d: static[str]  # codegen: was[b, c]
