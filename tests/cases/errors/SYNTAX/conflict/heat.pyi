from codegen.schema import static

class Grid:
    nx: static[int]
<<<<<<< HEAD
    dx: static[float] = 0.2
=======
    dx: static[float] = 0.3
>>>>>>> don't-ask
