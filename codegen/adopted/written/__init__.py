"""Write what was decided: schemas, and sources with imports in the place of the classes."""
