"""An abstract class with the name, the module's name and the members of another."""

class Empty(abstract=True):
    pass

class Full(Empty):
    pass
