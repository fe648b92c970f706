"""Generate schemas of any size, and equivalent inputs for the other measured generators.

write("/tmp/schemas", classes=1000, files=100)
write_protos("/tmp/protos", classes=1000, files=100)
write_json_schema("/tmp/model.json", classes=1000)
"""

import json
from collections.abc import Mapping
from pathlib import Path

_HEAD = '''"""Module {number}, made up to be measured."""

from codegen.schema import Dim, donated, dynamic, f32, static

nx = Dim()  # cells along x
ny = Dim()  # cells along y
'''

_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
_CLASS = '''
class Plate{number}:
    """Plate {number} and its clock."""

    u: donated[f32[nx, ny]]  # temperature [K]
    alpha: dynamic[f32[nx, ny]]  # diffusivity [m^2/s]
    flux: dynamic[f32[nx]]  # through the edge [W/m]
    source: dynamic[f32[nx, ny]]  # heating [W/m^2]
    t: dynamic[f32] = 0.0  # time [s]
    nx: static[int] = 64  # cells along x
    ny: static[int] = 64  # cells along y
    dx: static[float] = 0.01  # size of a cell [m]
    is_closed: static[bool] = True  # whether nothing leaves
    name: static[str] = "plate"  # as it is shown
'''


def with_bytecode(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """Let every library load the bytecode of an earlier run, as it does for users.

    Some environments disable bytecode, and some installers do not write it.
    """
    kept = {name: value for name, value in environment.items() if name != _NO_BYTECODE}
    return kept | {"PYTHONPYCACHEPREFIX": folder}


def write(root: str, *, classes: int, files: int) -> None:
    """Write `files` schema files with `classes` classes in total below the folder `root`."""
    Path(root).mkdir(parents=True)
    for number in range(files):
        numbers = range(number, classes, files)
        text = _HEAD.format(number=number) + "".join(_CLASS.format(number=one) for one in numbers)
        Path(root, f"module_{number}.pyi").write_text(text, encoding="utf-8")


_SCALARS = (
    "float",
    "float",
    "float",
    "float",
    "float",
    "int32",
    "int32",
    "double",
    "bool",
    "string",
)


def write_protos(root: str, *, classes: int, files: int) -> list[str]:
    """Write protobuf messages of ten fields for protoc; return the names of the files."""
    Path(root).mkdir(parents=True)
    names = []
    for number in range(files):
        text = 'syntax = "proto3";\n'
        for one in range(number, classes, files):
            fields = "".join(
                f"  {kind} field_{place} = {place}; // as it is\n"
                for place, kind in enumerate(_SCALARS, start=1)
            )
            text += f"// Plate {one} and its clock.\nmessage Plate{one} {{\n{fields}}}\n"
        names.append(f"module_{number}.proto")
        Path(root, names[-1]).write_text(text, encoding="utf-8")
    return names


def write_buf(folder: str, protoc: list[str]) -> None:
    """Let buf generate the same as protoc, from `protos` to `buf` in a folder."""
    modules = {"version": "v2", "modules": [{"path": "protos"}]}
    plugins = [
        {"protoc_builtin": "python", "out": "buf", "protoc_path": protoc},
        {"local": "protoc-gen-mypy", "out": "buf"},
    ]
    # JSON is valid YAML.
    Path(folder, "buf.yaml").write_text(json.dumps(modules), encoding="utf-8")
    generate = {"version": "v2", "plugins": plugins}
    Path(folder, "buf.gen.yaml").write_text(json.dumps(generate), encoding="utf-8")


def write_json_schema(path: str, *, classes: int) -> None:
    """Write definitions of ten properties for generators that read JSON Schema."""
    kinds = {"float": "number", "double": "number", "int32": "integer", "bool": "boolean"}
    properties = {
        f"field_{place}": {"type": kinds.get(kind, kind), "description": "as it is"}
        for place, kind in enumerate(_SCALARS, start=1)
    }
    one = {"type": "object", "required": [*properties], "properties": properties}
    definitions = {
        f"Plate{number}": {**one, "title": f"Plate{number}"} for number in range(classes)
    }
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": definitions}
    Path(path).write_text(json.dumps(schema), encoding="utf-8")
