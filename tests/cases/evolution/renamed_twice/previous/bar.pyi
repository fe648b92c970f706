from codegen.schema import static

class Bar:
    b: static[int] = 1  # codegen: was[a]
    c: static[str]  # codegen: was[b]
