"""The stable codes of all kinds of mistakes.

A code is never reused for another mistake. Each code has a page, `pages/CODE.md`, which
`codegen explain CODE` prints.

    Code.ALIAS_CYCLE.value     # "ALIAS_CYCLE"
    Code.ALIAS_CYCLE.summary   # "an alias that refers to itself"
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Self


class Code(StrEnum):
    """A kind of mistake, with a summary of one line. Members are sorted by name."""

    summary: str

    def __new__(cls, word: str, summary: str) -> Self:
        code = str.__new__(cls, word)
        code._value_ = word
        code.summary = summary
        return code

    # fmt: off  (a table: a code and its summary on each line)
    ABSOLUTE_IMPORT = "ABSOLUTE_IMPORT", "a schema imported as a Python module"
    ABSTRACT_ADDED = "ABSTRACT_ADDED", "a class that became abstract"
    ALIAS_CYCLE = "ALIAS_CYCLE", "an alias that refers to itself"
    AMBIGUOUS_RENAME = "AMBIGUOUS_RENAME", "former names that do not identify one declaration"
    BAD_FILE_NAME = "BAD_FILE_NAME", "a file or folder name that is not a valid module name"
    BAD_SETTING = "BAD_SETTING", "a setting with an invalid value"
    BASE_CHANGED = "BASE_CHANGED", "a class that lost or changed its base"
    BASE_CYCLE = "BASE_CYCLE", "a class that is a base of itself"
    CARRIAGE_RETURN = "CARRIAGE_RETURN", "a carriage return without a line feed"
    CASE_COLLISION = (
        "CASE_COLLISION",
        "two file or folder names that differ only in case or Unicode normalisation",
    )
    CONTROL_CHARACTER = "CONTROL_CHARACTER", "an invisible character"
    DECLARATION_REMOVED = "DECLARATION_REMOVED", "a removed declaration"
    DECLARATION_RENAMED = "DECLARATION_RENAMED", "a renamed declaration"
    DEFAULT_CHANGED = "DEFAULT_CHANGED", "a field whose default changed"
    DEFAULT_REMOVED = "DEFAULT_REMOVED", "a field that lost its default"
    DIMENSION_RENAMED = "DIMENSION_RENAMED", "a renamed dimension"
    DONATED_WITHOUT_ARRAY = "DONATED_WITHOUT_ARRAY", "`donated` on a type that contains no array"
    DONATES_NOTHING = "DONATES_NOTHING", "a donated object without donated fields"
    DONATION_ADDED = "DONATION_ADDED", "a field or argument that was dynamic and is donated now"
    DUPLICATE_NAME = "DUPLICATE_NAME", "a name declared twice"
    DYNAMIC_HOLDS_STATIC = (
        "DYNAMIC_HOLDS_STATIC",
        "a dynamic field, argument or result of a type that JAX cannot trace",
    )
    DYNAMIC_PYTHON_SCALAR = "DYNAMIC_PYTHON_SCALAR", "a Python scalar among arrays"
    EDITED_OUTPUT = "EDITED_OUTPUT", "a generated file that was changed after it was written"
    ELLIPSIS_DEFAULT = "ELLIPSIS_DEFAULT", "a default of `...`"
    ENUM_CHANGED = "ENUM_CHANGED", "an enum whose kind or values changed"
    ENUM_MEMBER_REMOVED = "ENUM_MEMBER_REMOVED", "a removed member of an enum"
    FIELD_ADDED = "FIELD_ADDED", "an added field"
    FIELD_KEYWORD_ONLY = "FIELD_KEYWORD_ONLY", "a field that became keyword-only"
    FIELD_MOVED = "FIELD_MOVED", "fields whose order changed"
    FIELD_REMOVED = "FIELD_REMOVED", "a removed field"
    FIELD_RENAMED = "FIELD_RENAMED", "a renamed field"
    FIELD_ROLE_CHANGED = (
        "FIELD_ROLE_CHANGED",
        "a field that moved between the trace key and the leaves",
    )
    FIELD_TYPE_CHANGED = "FIELD_TYPE_CHANGED", "a field whose type changed"
    FOREIGN_OUTPUT = (
        "FOREIGN_OUTPUT",
        "a file that codegen did not write, at the path of a generated file",
    )
    FORGOTTEN_DONATION = (
        "FORGOTTEN_DONATION",
        "a function that returns an updated object but does not donate the old one",
    )
    FUNCTION_CHANGED = "FUNCTION_CHANGED", "a function that no longer accepts every earlier call"
    IMPORT_CYCLE = "IMPORT_CYCLE", "modules that need each other while they are imported"
    LARGE_STATIC_ARRAY = "LARGE_STATIC_ARRAY", "a large array in the trace key"
    LINKED_OUTPUT = "LINKED_OUTPUT", "a symbolic link at the path of a generated file or its folder"
    MEMBER_CHANGED = "MEMBER_CHANGED", "a method, property or constant that changed"
    MEMBER_REMOVED = "MEMBER_REMOVED", "a removed method, property or constant"
    MISPLACED_FIELD = "MISPLACED_FIELD", "an annotated name outside a class"
    MISPLACED_OPTION = "MISPLACED_OPTION", "an option of `field` that does not apply to this field"
    MISSING_IMPL = "MISSING_IMPL", "a function without `@impl`"
    MISSING_IMPORT = "MISSING_IMPORT", "a name of the schema language that is not imported"
    MISSING_OUTPUT = "MISSING_OUTPUT", "a missing generated file"
    MISSING_ROLE = "MISSING_ROLE", "a field or parameter without a role"
    MODULE_COLLISION = "MODULE_COLLISION", "a schema file and a folder with the same name"
    MODULE_REMOVED = "MODULE_REMOVED", "a removed schema file"
    MUTABLE_TYPE = "MUTABLE_TYPE", "a mutable type in a static field or argument"
    NAME_NOT_NORMALISED = "NAME_NOT_NORMALISED", "a name that is not in Unicode normal form NFKC"
    NESTED_ROLE = "NESTED_ROLE", "a role inside a type"
    NESTED_TOO_DEEPLY = "NESTED_TOO_DEEPLY", "brackets or operators nested too deeply"
    NEVER_DONATED = "NEVER_DONATED", "a donated field that no function donates"
    NOT_A_TYPE = "NOT_A_TYPE", "an expression that is not a type"
    NOT_UTF8 = "NOT_UTF8", "a file that is not UTF-8"
    NUMBER_TOO_LARGE = "NUMBER_TOO_LARGE", "a number that is too large"
    ORPHANED_OUTPUT = "ORPHANED_OUTPUT", "a generated file that no schema produces any more"
    OUTSIDE_LANGUAGE = (
        "OUTSIDE_LANGUAGE",
        "Python syntax that the schema language does not allow here",
    )
    OUTSIDE_OUTPUT = "OUTSIDE_OUTPUT", "a generated file outside the output folder"
    PEP_695 = "PEP_695", "type parameters in brackets, or a `type` statement"
    QUOTED_ANNOTATION = "QUOTED_ANNOTATION", "a type, or a dimension, written as a string"
    REF_CHANGED = "REF_CHANGED", "a field that became a `jax.Ref`, or that is no longer one"
    REF_WITHOUT_ARRAY = "REF_WITHOUT_ARRAY", "the role `ref` around a type other than an array"
    REQUIRED_CYCLE = (
        "REQUIRED_CYCLE",
        "a class whose objects would each need another object of the class",
    )
    RESERVED_NAME = "RESERVED_NAME", "a name that generated code cannot use"
    ROLE_CHANGED = "ROLE_CHANGED", "a subclass that changes a field's role"
    ROLE_IN_METHOD = "ROLE_IN_METHOD", "a role in the signature of a method"
    SHARING_CHANGED = "SHARING_CHANGED", "a class whose shared paths changed"
    SIZE_NOT_STATIC = (
        "SIZE_NOT_STATIC",
        "a field or argument that has the name of a dimension but is not its size",
    )
    SOURCE_ENCODING = "SOURCE_ENCODING", "a declared encoding other than UTF-8"
    SOURCE_TOO_LARGE = "SOURCE_TOO_LARGE", "a file that is too large"
    STALE_OUTPUT = "STALE_OUTPUT", "a generated file that does not match the schemas"
    STATIC_CLASS_AS_DYNAMIC = (
        "STATIC_CLASS_AS_DYNAMIC",
        "a static class in a dynamic field or argument",
    )
    STATIC_HOLDS_DYNAMIC = "STATIC_HOLDS_DYNAMIC", "a dynamic class in a static field or argument"
    STATIC_KEY = "STATIC_KEY", "a PRNG key in a static field or argument"
    SWEPT_STATIC = "SWEPT_STATIC", "a static float, so that every new value recompiles"
    SYNTAX = "SYNTAX", "invalid Python syntax"
    TYPE_PARAMETERS_CHANGED = (
        "TYPE_PARAMETERS_CHANGED",
        "a class whose number of type parameters changed",
    )
    TYPE_WIDENED = "TYPE_WIDENED", "a subclass that gives a field a wider type"
    UNDECLARED_TYPE_PARAMETER = (
        "UNDECLARED_TYPE_PARAMETER",
        "a type parameter that its class does not declare",
    )
    UNKNOWN_DIMENSION = "UNKNOWN_DIMENSION", "a dimension that is not declared"
    UNKNOWN_DTYPE = "UNKNOWN_DTYPE", "a dtype that does not exist"
    UNKNOWN_IMPLEMENTATION = (
        "UNKNOWN_IMPLEMENTATION",
        "a path to a function that its module does not define",
    )
    UNKNOWN_INITIALIZER = "UNKNOWN_INITIALIZER", "an initializer that does not exist"
    UNKNOWN_MODULE = "UNKNOWN_MODULE", "an import of a schema that does not exist"
    UNKNOWN_NAME = "UNKNOWN_NAME", "a name that is not defined"
    UNKNOWN_OPTION = "UNKNOWN_OPTION", "an option that does not exist"
    UNKNOWN_PATH = "UNKNOWN_PATH", "a shared path that does not exist"
    UNKNOWN_ROLE = "UNKNOWN_ROLE", "a role that does not exist"
    UNKNOWN_SETTING = "UNKNOWN_SETTING", "a setting that does not exist"
    UNUSABLE_DONATION = "UNUSABLE_DONATION", "a donated argument whose buffers no result can reuse"
    UNUSED_DIMENSION = "UNUSED_DIMENSION", "a dimension that no shape uses"
    UNUSED_IGNORE = "UNUSED_IGNORE", "an `ignore` comment that silences nothing"
    USE_MISMATCH = "USE_MISMATCH", "a class that does not match its `use` option"
    WRONG_BASE = "WRONG_BASE", "a base that a class cannot have"
    WRONG_DEFAULT = "WRONG_DEFAULT", "a default of the wrong type"
    WRONG_DIMENSION = "WRONG_DIMENSION", "an expression that is not a dimension"
    WRONG_OPTION = "WRONG_OPTION", "an option with a wrong value"
    WRONG_PATH = "WRONG_PATH", "a value that is not the path of a function"
    WRONG_RENAME = "WRONG_RENAME", "an invalid comment with former names, `# codegen: was[...]`"
    WRONG_RESERVED = (
        "WRONG_RESERVED",
        "a reserved name that is used by a field, or is not a valid name",
    )
    WRONG_SHARE = "WRONG_SHARE", "paths that cannot be shared"
    WRONG_SIGNATURE = "WRONG_SIGNATURE", "an invalid signature of a function or method"
    WRONG_STACK = "WRONG_STACK", "`stacked` around a type that is not a class with arrays"
    WRONG_TYPE_ARGUMENTS = "WRONG_TYPE_ARGUMENTS", "wrong arguments in a type's brackets"
    # fmt: on


# What to use instead of the codes that this version removed. Settings and comments may still name
# them. The next version will not know them, and no code is ever used for another problem.
REMOVED: Final = {
    "EQ_WITHOUT_MIXIN": "`eq=False` without a mixin changes nothing",
    "IDENTITY_OF_VALUE": "`identity` is for values that are compared by identity on purpose",
    "IMPLEMENTATION_PARAMETERS": "implementations are called by keyword, so Python and type checkers "
    "report a wrong name",
    "REGISTRATION_CHANGED": "every class has the exact registration",
    "UNDOCUMENTED_FIELD": "read the docstrings of the generated module",
    "UNUSED_ALIAS": "a program may import the alias from the generated module",
    "UNUSED_IMPORT": "ruff reports it too (F401)",
    "UNUSED_TYPE_PARAMETER": "an unused type parameter changes nothing",
}
