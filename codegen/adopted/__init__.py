"""Adopt the existing pytree classes of a project: the stages of `codegen adopt`.

    finding     find the classes of a package with `ast`: their mechanisms, fields and methods
    unsound     find what can give a wrong number
    observed    record what the fields contain while a command runs
    decided     decide the schema module of each module, or why a class is left as it is
    written     write the schemas as text, and replace the classes in the sources by imports

Nothing here imports JAX. Code that imports the project runs in a separate process.
"""
