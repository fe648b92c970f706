"""Adopt the existing pytree classes of a project: the stages of `codegen adopt`.

    find         find the classes of a package with `ast`: their libraries, fields and methods
    soundness    find code that can give a wrong number
    observe      record what the fields contain while a command runs
    prove        run a program for each finding about unsound code
    decide       decide the schema module of each module, or why a class is left as it is
    solve        decide again until all schemas build
    rewrite      replace the classes in the sources by imports

Nothing here imports JAX. Code that imports the project runs in a separate process.
"""
