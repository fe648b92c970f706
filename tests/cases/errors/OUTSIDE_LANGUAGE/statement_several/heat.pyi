import sys

if sys.platform == "linux":
    nx = Dim()

for n in range(3):
    pass

def f() -> None: ...

del f
static
