"""The stable codes of all kinds of mistakes.

A code is never reused for another mistake. Each code has a page, `pages/CODE.md`, which
`codegen explain CODE` prints.

    Code.ALIAS_CYCLE.value     # "ALIAS_CYCLE"
    Code.ALIAS_CYCLE.summary   # "an alias defined by itself"
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
    ALIAS_CYCLE = "ALIAS_CYCLE", "an alias defined by itself"
    AMBIGUOUS_RENAME = "AMBIGUOUS_RENAME", "former names that do not tell declarations apart"
    BAD_FILE_NAME = "BAD_FILE_NAME", "a name of a file or folder that no module can have"
    BAD_SETTING = "BAD_SETTING", "a setting with a value that it cannot have"
    BASE_CHANGED = "BASE_CHANGED", "a class that lost or changed its base"
    BASE_CYCLE = "BASE_CYCLE", "a class that is a base of itself"
    CARRIAGE_RETURN = "CARRIAGE_RETURN", "a carriage return that ends no line"
    CASE_COLLISION = (
        "CASE_COLLISION",
        "two names of files or folders that differ in case or in normalisation alone",
    )
    CONTROL_CHARACTER = "CONTROL_CHARACTER", "a character that cannot be seen"
    DECLARATION_REMOVED = "DECLARATION_REMOVED", "a declaration that is not there any more"
    DECLARATION_RENAMED = "DECLARATION_RENAMED", "a declaration with another name than before"
    DEFAULT_CHANGED = "DEFAULT_CHANGED", "a field with another default than before"
    DEFAULT_REMOVED = "DEFAULT_REMOVED", "a field that lost its default"
    DIMENSION_RENAMED = "DIMENSION_RENAMED", "a dimension with another name than before"
    DONATED_WITHOUT_ARRAY = "DONATED_WITHOUT_ARRAY", "a donated place that holds no array"
    DONATES_NOTHING = "DONATES_NOTHING", "a donated object without donated fields"
    DONATION_ADDED = "DONATION_ADDED", "something that is consumed now and was not before"
    DUPLICATE_NAME = "DUPLICATE_NAME", "a name declared twice"
    DYNAMIC_HOLDS_STATIC = "DYNAMIC_HOLDS_STATIC", "a dynamic place of a type that JAX cannot trace"
    DYNAMIC_PYTHON_SCALAR = "DYNAMIC_PYTHON_SCALAR", "a Python scalar among arrays"
    EDITED_OUTPUT = "EDITED_OUTPUT", "a generated file that was changed since it was written"
    ELLIPSIS_DEFAULT = "ELLIPSIS_DEFAULT", "a default of `...`"
    ENUM_CHANGED = "ENUM_CHANGED", "an enum whose kind or values changed"
    ENUM_MEMBER_REMOVED = "ENUM_MEMBER_REMOVED", "a member of an enum that is not there any more"
    EQ_WITHOUT_MIXIN = "EQ_WITHOUT_MIXIN", "`eq=False` where nothing else compares objects"
    FIELD_ADDED = "FIELD_ADDED", "a field that was not there before"
    FIELD_KEYWORD_ONLY = "FIELD_KEYWORD_ONLY", "a field that can be given by keyword alone now"
    FIELD_MOVED = "FIELD_MOVED", "fields in another order than before"
    FIELD_REMOVED = "FIELD_REMOVED", "a field that is not there any more"
    FIELD_RENAMED = "FIELD_RENAMED", "a field with another name than before"
    FIELD_ROLE_CHANGED = "FIELD_ROLE_CHANGED", "a field that moved between trace key and leaves"
    FIELD_TYPE_CHANGED = "FIELD_TYPE_CHANGED", "a field with another type than before"
    FOREIGN_OUTPUT = "FOREIGN_OUTPUT", "something that is not ours where a generated file is to be"
    FORGOTTEN_DONATION = (
        "FORGOTTEN_DONATION",
        "a function that makes an object anew and keeps the old one",
    )
    FUNCTION_CHANGED = "FUNCTION_CHANGED", "a function that does not take every call that it took"
    IDENTITY_OF_VALUE = "IDENTITY_OF_VALUE", "`identity` of what is compared by value"
    IMPLEMENTATION_PARAMETERS = (
        "IMPLEMENTATION_PARAMETERS",
        "an implementation whose parameters have another order",
    )
    IMPORT_CYCLE = "IMPORT_CYCLE", "modules that need each other before either is complete"
    LARGE_STATIC_ARRAY = "LARGE_STATIC_ARRAY", "a large array in the trace key"
    LINKED_OUTPUT = "LINKED_OUTPUT", "a symbolic link where a generated file or its folder is to be"
    MEMBER_CHANGED = "MEMBER_CHANGED", "a method, property or constant that changed"
    MEMBER_REMOVED = "MEMBER_REMOVED", "a method, property or constant that is not there any more"
    MISPLACED_FIELD = "MISPLACED_FIELD", "an annotated name outside a class"
    MISPLACED_OPTION = "MISPLACED_OPTION", "an option of `field` where it has no meaning"
    MISSING_IMPL = "MISSING_IMPL", "a function without `@impl`"
    MISSING_IMPORT = "MISSING_IMPORT", "a word of the language that was not imported"
    MISSING_OUTPUT = "MISSING_OUTPUT", "a generated file that is not there"
    MISSING_ROLE = "MISSING_ROLE", "a field or parameter without a role"
    MODULE_COLLISION = "MODULE_COLLISION", "a schema file and a folder of one name"
    MODULE_REMOVED = "MODULE_REMOVED", "a schema file that is not there any more"
    MUTABLE_TYPE = "MUTABLE_TYPE", "a mutable type in a static place"
    NAME_NOT_NORMALISED = "NAME_NOT_NORMALISED", "a name that Python reads as another"
    NESTED_ROLE = "NESTED_ROLE", "a role inside a type"
    NESTED_TOO_DEEPLY = "NESTED_TOO_DEEPLY", "brackets or operators nested too deeply"
    NEVER_DONATED = "NEVER_DONATED", "a donated field that no function consumes"
    NOT_A_TYPE = "NOT_A_TYPE", "something that is no type where a type belongs"
    NOT_UTF8 = "NOT_UTF8", "a file that is not UTF-8"
    NUMBER_TOO_LARGE = "NUMBER_TOO_LARGE", "a number that is too large to write down"
    ORPHANED_OUTPUT = "ORPHANED_OUTPUT", "a generated file that no schema makes any more"
    OUTSIDE_LANGUAGE = (
        "OUTSIDE_LANGUAGE",
        "something that the schema language does not have at this place",
    )
    OUTSIDE_OUTPUT = "OUTSIDE_OUTPUT", "a generated file outside the output folder"
    PEP_695 = "PEP_695", "type parameters in brackets, or a `type` statement"
    QUOTED_ANNOTATION = "QUOTED_ANNOTATION", "a type written as a string"
    REGISTRATION_CHANGED = "REGISTRATION_CHANGED", "a class that is registered in another way"
    REQUIRED_CYCLE = "REQUIRED_CYCLE", "a class that every one of its objects would contain"
    RESERVED_NAME = "RESERVED_NAME", "a name that generated code cannot carry"
    ROLE_CHANGED = "ROLE_CHANGED", "a subclass that changes a field's role"
    ROLE_IN_METHOD = "ROLE_IN_METHOD", "a role in the signature of a method"
    SHARING_CHANGED = "SHARING_CHANGED", "a class that shares other paths than before"
    SIZE_NOT_STATIC = (
        "SIZE_NOT_STATIC",
        "a field that is called like a dimension and is not its size",
    )
    SOURCE_ENCODING = "SOURCE_ENCODING", "a declared encoding other than UTF-8"
    SOURCE_TOO_LARGE = "SOURCE_TOO_LARGE", "a file that is too large"
    STALE_OUTPUT = "STALE_OUTPUT", "a generated file that is not what the schemas make now"
    STATIC_CLASS_AS_DYNAMIC = "STATIC_CLASS_AS_DYNAMIC", "a static class in a dynamic place"
    STATIC_HOLDS_DYNAMIC = "STATIC_HOLDS_DYNAMIC", "a dynamic class in a static place"
    STATIC_KEY = "STATIC_KEY", "a PRNG key in a static place"
    SWEPT_STATIC = "SWEPT_STATIC", "a static float, for each value of which programs compile anew"
    SYNTAX = "SYNTAX", "text that is not Python"
    TYPE_PARAMETERS_CHANGED = (
        "TYPE_PARAMETERS_CHANGED",
        "a class with another number of type parameters",
    )
    TYPE_WIDENED = "TYPE_WIDENED", "a subclass that gives a field a wider type"
    UNDECLARED_TYPE_PARAMETER = (
        "UNDECLARED_TYPE_PARAMETER",
        "a type parameter that its class does not name",
    )
    UNDOCUMENTED_FIELD = "UNDOCUMENTED_FIELD", "a field without documentation"
    UNKNOWN_DIMENSION = "UNKNOWN_DIMENSION", "a dimension that was not declared"
    UNKNOWN_DTYPE = "UNKNOWN_DTYPE", "a dtype that does not exist"
    UNKNOWN_IMPLEMENTATION = (
        "UNKNOWN_IMPLEMENTATION",
        "a path to a function that its module does not have",
    )
    UNKNOWN_INITIALIZER = "UNKNOWN_INITIALIZER", "an initializer that does not exist"
    UNKNOWN_MODULE = "UNKNOWN_MODULE", "an import of a schema that does not exist"
    UNKNOWN_NAME = "UNKNOWN_NAME", "a name that means nothing"
    UNKNOWN_OPTION = "UNKNOWN_OPTION", "an option that does not exist"
    UNKNOWN_PATH = "UNKNOWN_PATH", "a shared path that leads nowhere"
    UNKNOWN_ROLE = "UNKNOWN_ROLE", "a role that does not exist"
    UNKNOWN_SETTING = "UNKNOWN_SETTING", "a setting that there is not"
    UNUSABLE_DONATION = "UNUSABLE_DONATION", "a donated argument whose buffers no result can use"
    UNUSED_ALIAS = "UNUSED_ALIAS", "an alias that no schema uses"
    UNUSED_DIMENSION = "UNUSED_DIMENSION", "a dimension that no shape has"
    UNUSED_IGNORE = "UNUSED_IGNORE", "an `ignore` comment that silences nothing"
    UNUSED_IMPORT = "UNUSED_IMPORT", "an import that nothing uses"
    UNUSED_TYPE_PARAMETER = "UNUSED_TYPE_PARAMETER", "a type parameter that no class takes"
    USE_MISMATCH = "USE_MISMATCH", "a class that is not what `use` says"
    WRONG_BASE = "WRONG_BASE", "a base that a class cannot have"
    WRONG_DEFAULT = "WRONG_DEFAULT", "a default of the wrong type"
    WRONG_DIMENSION = "WRONG_DIMENSION", "something that is no dimension"
    WRONG_OPTION = "WRONG_OPTION", "an option with a wrong value"
    WRONG_PATH = "WRONG_PATH", "something that is not the place of a function"
    WRONG_RENAME = "WRONG_RENAME", "a former name that nothing can have had"
    WRONG_RESERVED = "WRONG_RESERVED", "a reserved name that is a field, or no name"
    WRONG_SHARE = "WRONG_SHARE", "paths that cannot be shared"
    WRONG_SIGNATURE = "WRONG_SIGNATURE", "a signature that a function cannot have"
    WRONG_STACK = "WRONG_STACK", "`stacked` around something that is no class with arrays"
    WRONG_TYPE_ARGUMENTS = "WRONG_TYPE_ARGUMENTS", "wrong arguments in a type's brackets"
    # fmt: on


# Codes of version 0.1 and the codes that replaced them; None for removed lints. Settings and
# comments may still name them in version 0.2. After that this table can be deleted.
REMOVED: Final[dict[str, Code | None]] = {
    "ASSIGNMENT_TARGET": Code.OUTSIDE_LANGUAGE,
    "ASYNC_FUNCTION": Code.OUTSIDE_LANGUAGE,
    "AUGMENTED_ASSIGNMENT": Code.OUTSIDE_LANGUAGE,
    "COMPREHENSION": Code.OUTSIDE_LANGUAGE,
    "DIMENSION_USED_ONCE": None,
    "EQUAL_CLASSES": None,
    "EXPRESSION": Code.OUTSIDE_LANGUAGE,
    "FUNCTION_BODY": Code.OUTSIDE_LANGUAGE,
    "F_STRING": Code.OUTSIDE_LANGUAGE,
    "LAMBDA": Code.OUTSIDE_LANGUAGE,
    "MULTIPLE_TARGETS": Code.OUTSIDE_LANGUAGE,
    "OVERRIDDEN_TAG": None,
    "POSITIONAL_ONLY": Code.OUTSIDE_LANGUAGE,
    "STAR_IMPORT": Code.OUTSIDE_LANGUAGE,
    "STATEMENT": Code.OUTSIDE_LANGUAGE,
    "STRAY_STRING": Code.OUTSIDE_LANGUAGE,
    "TUPLE_UNPACKING": Code.OUTSIDE_LANGUAGE,
    "UNBOUND_DIMENSION": None,
    "UNPACKED_KEYWORDS": Code.OUTSIDE_LANGUAGE,
    "VARIADIC_PARAMETER": Code.OUTSIDE_LANGUAGE,
    "WALRUS": Code.OUTSIDE_LANGUAGE,
}
