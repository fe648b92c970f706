"""The output folder: what is there, what a build does to it, and how it is written.

    with locked(out):
        disk = snapshot(out, paths)      # what is there
        apply(plan(rendered, disk), out) # what is to be there

`plan`, `manifest` and `findings` are pure; the other modules read and write the disk. An error of the
disk is an OSError with the path and the reason, and leaves the old output as it was.
"""
