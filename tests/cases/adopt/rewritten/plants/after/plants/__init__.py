"""A package made for `codegen adopt`: each construct that it takes over, once."""
