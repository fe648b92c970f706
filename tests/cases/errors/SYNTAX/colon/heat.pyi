class Grid
    nx: static[int]
