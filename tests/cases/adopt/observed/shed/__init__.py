"""Code that no command runs: with objects of any class, or of the classes that types and names show."""
