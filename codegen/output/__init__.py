"""The output folder: its content, the plan of a build, and how files are written.

    with locked(out, print):
        disk = snapshot(out, paths)      # read the current content
        apply(plan(rendered, disk), out) # write the new content

`plan`, `manifest` and `findings` are pure; the other modules read and write the disk. A disk
error is an OSError with the path and the reason, and leaves the old output unchanged.
"""
