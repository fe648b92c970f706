"""What generated laws and strategies have in common; written beside them by a build.

    recipes     how objects and what else holds others are drawn, with Hypothesis
    values      how values of the types that hold no others are
    draw        one object being drawn: its sizes, its depth, all that was drawn for it
    extending   which class below an abstract one fits the sizes
    roles       what a schema declares of each class
    calls       how functions are called twice, with equal arguments
    stacks      objects that are stacked along an axis
    content     what an object holds, worked out apart from the generated code
    saved       the law of checkpoints
    laws        the laws, each a function of the objects that it holds for

Nothing here imports Hypothesis before something is drawn, but for `laws`.
"""
