"""Generate pages from other files: docs/language-cases.md and docs/errors.md.

python -m tests.docs.reference    # writes all
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from codegen import pipeline
from codegen.diagnostics import Code
from codegen.diagnostics.pages import RUN_TIME
from codegen.diff.comparison import CHANGES
from codegen.lint.lint import LINTS
from codegen.options import Options
from codegen.output.schemas import schemas
from tests.docs.written import Written, functions

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/cases/language"

# In the order of the page. Other cases come last, under their own names.
TITLES = {
    "types": "Types",
    "arrays": "Arrays",
    "dimensions": "Dimensions of classes",
    "stacks": "Stacks and tuples of a dimension",
    "defaults": "Defaults",
    "identity": "Identity",
    "any_container": "Sequences and mappings of any kind",
    "made": "Factories and imported defaults",
    "methods": "Methods and properties",
    "inheritance": "Bases and mixins",
    "generics": "Type parameters",
    "refs": "Refs",
}
# Cases, and modules of cases, that show a reader no other types or signatures.
_OMITTED = (
    *("bare", "bound_dimensions", "changed_names", "empty", "imports", "methods/wide", "module"),
    *("names", "options", "recursion", "roles", "share", "tags"),
)
# How many parameters of `abstract` are shown.
_SHOWN_MAX = 6
_CASES = """\
# Generated types and signatures

<!-- Made by `python -m tests.docs.reference` from tests/cases/language: change those. -->

[The language](language.md) explains the constructs. The tables on this page are written from schemas that the tests
compile. Each row shows:

- a declaration in the schema,
- the class, attribute or function in the generated module,
- for a field, the parameter of the constructor, unless it has the type of the attribute and the default of the schema,
- for a class, its `abstract` method, if it has one.

Dimensions have no code of their own: they appear in the types that use them.
"""
_ERRORS = """\
# Errors, lints and breaking changes

<!-- Made by `python -m tests.docs.reference` from codegen/diagnostics: change that. -->

Every message about a schema has a code in square brackets. A code keeps its meaning forever.
`codegen explain CODE` prints its page: what it means, the reason, an example, and what to write instead.
"""
_RUN_TIME = """\
## Errors and warnings at run time

Generated code and the import hook raise these. `codegen explain ConsumedError` prints a page too.

"""
_KINDS = (
    ("Errors", "An error stops a build.", frozenset(Code) - LINTS - CHANGES),
    ("Lints", "`codegen lint` reports legal code that is probably a mistake.", LINTS),
    (
        "Breaking changes",
        "`codegen breaking` compares the schemas with an earlier version.",
        CHANGES,
    ),
)

Row = tuple[str, ...]


def language_cases() -> str:
    """Return the text of docs/language-cases.md."""
    others = {path.name for path in CASES.iterdir()} - {*TITLES, *_OMITTED}
    order = [*TITLES, *sorted(others)]
    return "\n".join([_CASES, *(_topic(name) for name in order)])


def errors() -> str:
    """Return the text of docs/errors.md."""
    parts = [_ERRORS]
    for title, words, codes in _KINDS:
        rows = [
            f"| [{code}](../codegen/diagnostics/pages/{code}.md) | {_in_table(code.summary)} |\n"
            for code in sorted(codes)
        ]
        parts.append(f"## {title}\n\n{words}\n\n| code | means |\n|---|---|\n{''.join(rows)}")
    rows = [
        f"| [{name}](../codegen/diagnostics/run_time/{name}.md) | {summary} |\n"
        for name, summary in RUN_TIME.items()
    ]
    parts.append(f"{_RUN_TIME}| name | means |\n|---|---|\n{''.join(rows)}")
    return "\n".join(parts)


def _topic(name: str) -> str:
    files = schemas(str(CASES / name))
    rendered = pipeline.compile(files, Options("", "generated")).rendered
    generated = {file.path: file.text for file in rendered}
    text = f"## {TITLES.get(name, name.replace('_', ' ').capitalize())}\n"
    shown = [
        (module.replace(".", "/"), data)
        for _, module, data in files
        if f"{name}/{module}" not in _OMITTED
    ]
    for path, data in shown:
        found = _rows(Written(data.decode()), Written(generated[f"{path}.py"]))
        rows = [(declared, made, _news(declared, made, more)) for declared, made, more in found]
        if len(shown) > 1:
            text += f"\n`{path}.pyi`\n"
        text += "\n| schema | generated | constructor, `abstract` |\n|---|---|---|\n"
        text += "".join(_line(row) for row in rows if row[1])
    return text


def _news(declared: str, made: str, parameter: str) -> str:
    """Return the parameter of a field, or "" if the attribute and the declared default show it."""
    _, _, default = declared.partition(" = ")
    texts = [one.replace("_rt.", "") for one in (parameter, made, f"{made} = {default}")]
    return "" if texts[0] in texts[1:] else parameter


def _line(row: Row) -> str:
    cells = [f"`{_in_table(cell)}`" if cell else "" for cell in row]
    return f"| {' | '.join(cells)} |\n"


def _in_table(text: str) -> str:
    return text.replace("|", "\\|")


def _rows(schema: Written, made: Written) -> Iterator[Row]:
    for node in schema.body:
        if isinstance(node, ast.ClassDef):
            yield from _class_rows(node, schema, made)
        elif isinstance(node, ast.FunctionDef):
            yield schema.head(node), _call(node.name, made), ""
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            name = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
            yield schema.of(node), made.of(made.assigned.get(name)), ""


def _call(name: str, made: Written) -> str:
    """Format a function as it is called, with its parameters and the result of its implementation."""
    signature = made.signature(made.functions[f"_codegen_call_{name}"])
    return re.sub(r"^\w+\(\w+: \w+(, )?", f"{name}(", signature)


def _shortened(parameters: list[str]) -> str:
    rest = ["..."] if len(parameters) > _SHOWN_MAX else []
    return ", ".join([*parameters[:_SHOWN_MAX], *rest])


def _class_rows(node: ast.ClassDef, schema: Written, made: Written) -> Iterator[Row]:
    cls = made.classes[node.name]
    methods = functions(cls.body)
    fields = {ast.unparse(one.target): one for one in cls.body if isinstance(one, ast.AnnAssign)}
    members = {
        ast.unparse(one.targets[0]): made.of(one) for one in cls.body if isinstance(one, ast.Assign)
    }
    given = {
        text.partition(":")[0]: text
        for text in (made.arguments(methods["__new__"]) if "__new__" in methods else ())
    }
    maker = methods.get("abstract")
    makes = f"{maker.name}({_shortened(made.arguments(maker)[1:])})" if maker else ""
    yield schema.head(node), made.head(cls), makes
    for part in node.body:
        if isinstance(part, ast.AnnAssign):
            name = ast.unparse(part.target)
            yield schema.of(part), made.of(fields.get(name)), given.get(name, "")
        elif isinstance(part, ast.FunctionDef):
            yield schema.head(part), made.head(methods[part.name]), ""
        elif isinstance(part, ast.Assign):
            yield schema.of(part), members[ast.unparse(part.targets[0])], ""


if __name__ == "__main__":
    (ROOT / "docs/language-cases.md").write_text(language_cases(), encoding="utf-8")
    (ROOT / "docs/errors.md").write_text(errors(), encoding="utf-8")
