"""Schema to program: names resolved to what they name, classes in an order that works."""
