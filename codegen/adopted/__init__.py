"""Take over the pytree classes that a project has: the stages behind `codegen adopt`.

    finding     the classes of a package, by `ast`: what each is by its mechanism, its fields, its methods
    unsound     what of them can give a wrong number
    observed    what their fields held while a command ran
    decided     a schema module for each module with classes, or why a class is left as it is
    written     the schemas as text, the sources with imports in the place of the classes

Nothing here imports JAX. What imports the project does so in a process of its own.
"""
