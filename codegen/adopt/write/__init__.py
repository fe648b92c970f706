"""Write the decision: schemas, and sources in which imports replace the classes."""
