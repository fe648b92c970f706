"""What a build would do to the output folder, worked out before it touches anything.

    plan(rendered, disk)  ->  Plan(steps=(create heat.py, remove old.py), refusals=(), ...)

Everything in here is pure: `disk` is a snapshot, and carrying the plan out is the business of
`codegen.files`. Nothing is imported here, because the manifest is also read by builds that find
nothing to do, and those are to start fast.
"""
