"""What a change can break.

SOURCE         code that imports the generated modules: names, attributes, signatures, types
CONSTRUCTOR    calls that make objects, by position or by keyword
TREEDEF        treedefs that were saved, and programs in compilation caches
CHECKPOINT     states that were saved: what `unpack` and `restore` refuse, unless more is given or said

They are no ladder: a field that is added with a default breaks checkpoints and no code; one that
becomes keyword-only breaks calls and no checkpoint.
"""

from __future__ import annotations

from typing import Final

from codegen.diagnostics import Code

SOURCE: Final = "source"
CONSTRUCTOR: Final = "constructor"
TREEDEF: Final = "treedef"
CHECKPOINT: Final = "checkpoint"
KINDS: Final = (SOURCE, CONSTRUCTOR, TREEDEF, CHECKPOINT)

# What is said of two versions, and of no schema alone.
CHANGES: Final = frozenset(
    (
        Code.ABSTRACT_ADDED,
        Code.BASE_CHANGED,
        Code.DECLARATION_REMOVED,
        Code.DECLARATION_RENAMED,
        Code.DEFAULT_CHANGED,
        Code.DEFAULT_REMOVED,
        Code.DIMENSION_RENAMED,
        Code.DONATION_ADDED,
        Code.ENUM_CHANGED,
        Code.ENUM_MEMBER_REMOVED,
        Code.FIELD_ADDED,
        Code.FIELD_KEYWORD_ONLY,
        Code.FIELD_MOVED,
        Code.FIELD_REMOVED,
        Code.FIELD_RENAMED,
        Code.FIELD_ROLE_CHANGED,
        Code.FIELD_TYPE_CHANGED,
        Code.FUNCTION_CHANGED,
        Code.MEMBER_CHANGED,
        Code.MEMBER_REMOVED,
        Code.MODULE_REMOVED,
        Code.REGISTRATION_CHANGED,
        Code.SHARING_CHANGED,
        Code.TYPE_PARAMETERS_CHANGED,
    )
)
