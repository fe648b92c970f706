"""The only part that reads and writes the disk.

    with locked(out):
        disk = snapshot(out, paths)      # what is there
        apply(plan(rendered, disk), out) # what is to be there

What goes wrong is an OSError with the path and the reason, and leaves the old output as it was.
Nothing is imported here: a build that finds nothing to do loads `schemas`, `lock` and `record`
alone.
"""
