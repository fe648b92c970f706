"""The same classes, written for codegen and for each alternative library."""
