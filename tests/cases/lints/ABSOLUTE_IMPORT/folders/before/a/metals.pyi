from codegen.schema import static

class Alloy:
    name: static[str]
