from codegen.schema import static

class Grid:
    try: static[int]
