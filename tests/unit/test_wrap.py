"""Lines are broken like `ruff format` does. Only these tests run ruff."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from codegen.emit.wrap import WIDTH, wrap
from tests.generated.package import PROJECT, cases, rendered
from tests.inputs import examples

# A pragma at the start of a function is specific to codegen: templates write it after the head.
WITH_PRAGMA = """\
def replace(  # type: ignore[override]
    self, *, temperature: ArrayLike | None | Keep = KEEP
) -> Annotated[Self, "narrower"]: ...
"""
# Statements that are longer than a line.
LONG = r"""
def step(self, *, a: int = 1, b: int = 2, ) -> None: ...
def replace(self, *, temperature: ArrayLike | Keep = KEEP, diffusivity: ArrayLike | Keep = KEEP) -> Self: ...
def replace(self, *, temperature: ArrayLike | Keep = KEEP, source: Callable[[Float32[Array, "nx ny"]], Float32[Array, "nx ny"]] | None | Keep = KEEP) -> Self: ...
def _codegen_flatten_a_class_of_a_long_name(obj: AClassOfALongName) -> tuple[tuple[Any, ...], TraceKey]: ...
def a_function_of_a_single_parameter(parameter: tuple[ClassOfThis, ClassOfThat], ) -> tuple[Any, Any]: ...
def without_parameters() -> tuple[a_module_with_a_long_name.AClassOfALongName, a_module_with_a_long_name.Another]: ...
def without_parameters_and_an_even_longer_name_than_that() -> a_module_with_a_long_name.AClass: ...
source: Callable[[Float32[Array, "nx ny"]], Float32[Array, "nx ny"]] | Callable[[Array], Array] | None
table: frozendict[str, tuple[AClassOfALongName, AnotherClassOfALongName, YetAnotherClassOfALongName]]
table: frozendict[str, tuple[AClassOfALongName, Another]] = frozendict({"first": AClassOfALongName(nx=3)})
table: frozendict[str, tuple[AClassOfALongName, AnotherClassOfALongName]] = a_module_of_a_long_name.EMPTY
either: AClassOfALongName | AnotherClassOfALongName | YetAnotherClassOfALongName = AnotherClassOfALongName
result: Float32[Array, ""] = a_function_of_a_rather_long_name(first_argument, second_argument, third_one)
if type(temperature_of_the_plate) in CONVERTED or is_weak(temperature_of_the_plate) or is_donated(temperature):
if a_function_of_a_rather_long_name(first_argument, second_argument, third_argument, fourth) is not None:
if (a_very_long_name_of_a_parameter_of_the_constructor_which_is_longer_than_most is KEEP_WHAT_THERE_IS):
from ._runtime.keys.conversion import as_callable, as_enum, as_float, as_instance, as_int, as_literal
from ._runtime.keys.conversion import as_a_function_that_somebody_gave_a_long_name_in_his_schema as longer
from ._runtime.keys.conversion import as_callable, as_enum, as_float, as_instance, as_int, as_li  # noqa: F401
class AClassOfALongName(Pytree, Generic[FirstParameter, SecondParameter], AMixinOfALongName[FirstParameter]): ...
__slots__ = ("temperature", "diffusivity", "heat_capacity", "thickness", "boundary", "material", )
__slots__ = ("temperature_of_a_plate_that_is_longer_than_most_of_the_plates_that_anybody_has_seen",)
obj.temperature, obj.diffusivity, obj.heat_capacity, obj.thickness, obj.material = key.values
obj.temperature, obj.diffusivity, obj.heat_capacity, obj.thickness, obj.boundary, obj.material = key.values
(obj.temperature_of_a_plate_that_is_longer_than_most_of_the_plates_that_anybody_has,) = key.values_of_it
docs = {"u": "temperature above ambient, cell averages [K]", "alpha": "thermal diffusivity [m^2/s]", }
docs = {"source": "a text that is too long for a line of its own and stays what it is, commas, ( and all, )"}
shapes = Shapes({"u": Shaped("float32", "nx", "ny"), "alpha": Shaped("float32", "nx", "ny"), "t": Shaped("float32")})
name = "a text that is too long for its line but not for one of its own, in parentheses, as it is"
name = "a text that is too long for any line, and for that reason is left exactly where it had been put by the author"
made = first_operand_of_a_long_name if a_condition_of_a_long_name else second_operand_of_an_even_longer_name
made = dataclasses.replace(current, nested=Grid(nx=3, ny=4, dx=0.5, dy=0.5), thickness=0.25)[0].attribute
object.__setattr__(a_record_of_a_long_name, "__class__", type(a_record_of_a_long_name).__codegen_twin__)
x = convert(temperature_of_the_plate).astype(numpy.float32, copy=False)  # It is not there to be consumed.
x += convert(temperature_of_the_plate, "float32") + convert(diffusivity_of_the_plate_and_its_rim, "float32")
table[name_of_the_temperature_of_the_plate, name_of_its_diffusivity] = key.values[position_of_the_temperature]
made = not (temperature_of_the_plate is KEEP and convert(diffusivity_of_the_plate_and_its_rim, "float32") is KEEP)
function(*(temperature_of_the_plate, diffusivity_of_the_plate_and_its_rim, thickness_of_the_plate_and_rim), **more)
temperature_of_the_plate_and_of_its_rim: AClassOfANameThatIsTooLongForTheRestOfThisLineOrSo  # type: ignore[misc]
convert: Callable[[TemperatureOfThePlate, DiffusivityOfThePlate], FieldOfSomething] = staticmethod(as_array)
@laws.given(any_AClassOfALongName(), any_AnotherClassOfALongName(), any_YetAnotherClassOfALongName())
    return (self.temperature_of_the_plate == other.temperature_of_the_plate and self.thickness == other.thickness)
    return self.temperature_of_the_plate == other.temperature_of_the_plate and self.thickness == other.thickness
    return (obj.temperature, obj.diffusivity, obj.heat_capacity, obj.thickness, ), obj.__codegen_key__
    return type(self)(temperature=self.temperature if temperature is KEEP else temperature, thickness=thickness, )
    return intern_key(cls, (nx, ny, float_tag(width_of_a_cell), float_tag(height_of_a_cell)), (nx, ny, dx, dy))
"""  # noqa: E501

# A comma before a bracket has no effect on one line, where template loops leave it.
_FLAT = ("--config", "format.skip-magic-trailing-comma=true")
_ISORT = ("--config", "lint.isort.split-on-trailing-comma=false")


def _ruff(folder: Path, texts: list[str], *options: str) -> list[str]:
    """Return the output of ruff for several files, in one call."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{i}.py" for i in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    command = (sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--quiet")
    subprocess.run((*command, "--target-version=py311", *_ISORT, *options, str(folder)), check=True)
    return [path.read_text(encoding="utf-8") for path in paths]


def _join_brackets(text: str) -> str:
    """Join text that ruff put on one line between these two brackets."""
    return re.sub(r"([(\[{])\n +(.*[^,\n])\n *(?=[)\]}])", r"\1\2", text)


def _with_pragma_behind(text: str) -> str:
    """Append a pragma to the head of a function that is too long, as templates do."""
    return re.sub(
        r"( *def \w+\()  (# type: .*)\n +(.*[^,\n])\n *(\).*:)$",
        lambda m: m[0] if len(m[1] + m[3] + m[4]) <= WIDTH else f"{m[1]}{m[3]}{m[4]}  {m[2]}",
        text,
        flags=re.MULTILINE,
    )


def _differing(texts: list[str], expected: list[str]) -> list[tuple[str, str]]:
    return [(a, b) for a, b in zip(texts, expected, strict=True) if a != b]


def test_generated_files_are_wrapped_like_ruff(tmp_path: Path) -> None:
    files = [*rendered(PROJECT / "schemas"), *cases()]
    texts = [file.text for file in files if file.path.endswith(".py")]
    # Lines longer than 320 columns, the maximum of ruff, keep one item per line.
    flat = [_join_brackets(text) for text in _ruff(tmp_path, texts, *_FLAT, "--line-length=320")]
    assert sum(len(line) > WIDTH for text in flat for line in text.split("\n")) > 800
    wrapped = [wrap(_with_pragma_behind(text)) for text in flat]
    assert not _differing(wrapped, _ruff(tmp_path, flat, *_FLAT))
    assert not _differing(wrapped, _ruff(tmp_path, wrapped))
    assert not _differing(wrapped, [wrap(text) for text in wrapped])


def test_small_cases_are_wrapped_like_ruff(tmp_path: Path) -> None:
    flat = [_file(line) for line in LONG.strip("\n").split("\n")]
    assert not _differing([wrap(text) for text in flat], _ruff(tmp_path, flat, *_FLAT))


def test_pragma_of_a_long_function_is_after_its_name(tmp_path: Path) -> None:
    head, second, rest = WITH_PRAGMA.splitlines()
    name, pragma = head.split("  ")
    flat = f"{name}{second.strip()}{rest}  {pragma}\n"
    assert wrap(flat) == WITH_PRAGMA
    assert _ruff(tmp_path, [WITH_PRAGMA]) == [WITH_PRAGMA]


def _file(statement: str) -> str:
    """Return a file that contains a statement."""
    if statement.startswith(" "):
        return f"def function():\n{statement}\n"
    if statement.startswith("@"):
        return f"{statement}\ndef function(): ...\n"
    return f"{statement}\n    pass\n" if statement.startswith("if ") else f"{statement}\n"


# --- random statements

_LENGTHS = (1, 2, 3, 5, 8, 13, 20, 30, 40, 55, 70, 85)
NAMES = st.builds(str.__mul__, st.sampled_from("abcdefgh"), st.sampled_from(_LENGTHS))


def _several(one: st.SearchStrategy[str], most: int = 4) -> st.SearchStrategy[str]:
    return st.lists(one, min_size=1, max_size=most).map(", ".join)


def _numbered(one: st.SearchStrategy[str], written: str, most: int = 4) -> st.SearchStrategy[str]:
    """Draw items with different names; `written` formats each."""
    pairs = st.lists(st.tuples(NAMES, one), min_size=1, max_size=most)
    return pairs.map(
        lambda found: ", ".join(written.format(f"{n}{i}", v) for i, (n, v) in enumerate(found))
    )


def _annotations(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    subscripts = st.builds("{}[{}]".format, NAMES, _several(inner))
    callables = st.builds("Callable[[{}], {}]".format, _several(inner), inner)
    members = st.one_of(NAMES, subscripts, callables)
    unions = st.lists(members, min_size=2, max_size=4).map(" | ".join)
    return st.one_of(subscripts, callables, unions)


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    arguments = st.one_of(_several(inner), _numbered(inner, "{}={}"), st.just(""))
    calls = st.builds("{}({})".format, NAMES, arguments)
    operands = st.one_of(NAMES, calls, st.builds("{}.{}".format, NAMES, NAMES))
    operated = [
        st.lists(operands, min_size=2, max_size=3).map(sign.join)
        for sign in (" and ", " or ", " | ", " + ")
    ]
    return st.one_of(
        calls,
        calls,
        st.builds("[{}]".format, _several(inner)),
        st.builds("({},)".format, inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("{{{}}}".format, _numbered(inner, '"{}": {}')),
        st.builds("{}[{}]".format, NAMES, _several(inner, 2)),
        st.builds("{} is {}".format, operands, operands),
        st.builds("{} if {} else {}".format, operands, operands, operands),
        *operated,
    )


ANNOTATIONS = st.recursive(NAMES, _annotations, max_leaves=6)
EXPRESSIONS = st.recursive(st.one_of(NAMES, NAMES.map('"{}"'.format)), _expressions, max_leaves=8)
STATEMENTS = st.one_of(
    st.builds(
        "def {}({}{}) -> {}: ...".format,
        NAMES,
        st.sampled_from(("", "self, ", "*, ", "self, *, ")),
        _numbered(st.tuples(ANNOTATIONS, NAMES).map(" = ".join), "{}: {}"),
        ANNOTATIONS,
    ),
    st.builds("def {}() -> {}: ...".format, NAMES, ANNOTATIONS),
    st.builds("{}: {}".format, NAMES, ANNOTATIONS),
    st.builds("{}: {} = {}".format, NAMES, ANNOTATIONS, EXPRESSIONS),
    st.builds("{} = {}".format, NAMES, EXPRESSIONS),
    st.builds("{}, {}.{} = {}".format, NAMES, NAMES, NAMES, EXPRESSIONS),
    st.builds("if {}: pass".format, EXPRESSIONS),
    st.builds("    return {}".format, EXPRESSIONS),
    st.builds("from {} import {}".format, NAMES, _numbered(NAMES, "{} as {}")),
    st.builds("class {}({}): ...".format, NAMES, _several(ANNOTATIONS)),
    st.builds("@{}({})".format, NAMES, _several(EXPRESSIONS)),
)


def _random_statements() -> list[str]:
    """Draw random statements at once, because one call of ruff formats all."""
    found: list[str] = []

    # Hypothesis discards examples that are too long. Earlier versions allow less.
    @settings(max_examples=examples(80), phases=[Phase.generate], deadline=None, database=None)
    @given(st.lists(STATEMENTS, min_size=5, max_size=15))
    def collect(statements: list[str]) -> None:
        found.extend(statements)

    collect()
    return found


def test_random_statements_are_wrapped_like_ruff(tmp_path: Path) -> None:
    statements = _random_statements()
    assert len(statements) > 400
    flat = [_file(one.removesuffix(" pass")) for one in statements]
    wrapped = [wrap(text) for text in flat]
    assert not _differing(wrapped, _ruff(tmp_path / "flat", flat, *_FLAT))
    assert not _differing(wrapped, _ruff(tmp_path / "wrapped", wrapped))
