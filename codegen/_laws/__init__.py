"""What generated laws and strategies have in common; written beside them by a build.

    recipes     how values are drawn, type by type, with Hypothesis
    draw        one object being drawn: its sizes, its depth, all that was drawn for it
    extending   which class below an abstract one fits the sizes
    content     what an object holds, worked out apart from the generated code
    laws        the laws, each a function of the objects that it holds for

Nothing here imports Hypothesis before something is drawn, but for `laws`.
"""
