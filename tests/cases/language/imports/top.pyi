from codegen.schema import static

class Top:
    name: static[str] = "top"
