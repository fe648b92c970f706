"""Compare build times with other generators of Python code, as whole processes.

    $ pip install . mypy-protobuf grpcio-tools datamodel-code-generator
    $ npm install --global @bufbuild/buf
    $ python -m benchmarks.build

Each figure is the minimum of several alternating runs. Ratios are to protoc with mypy-protobuf in the same round, so a
disturbance affects both. Each class has ten fields. Generators that are not installed are skipped. With `--write`, the
tables are written to `docs/benchmarks/builds.md`.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from benchmarks import pages, synthetic
from benchmarks.peers import report

CHECKOUT = Path(__file__).parents[1]
BASELINE = "protoc + mypy-protobuf"


@dataclass(slots=True)
class Job:
    """A command to measure."""

    name: str
    command: list[str]
    prepare: Callable[[], object]
    seconds: list[float] = field(default_factory=list[float])
    memory_mib: float = 0.0

    def run(self, environment: dict[str, str], folder: str) -> None:
        """Run the command once."""
        self.prepare()
        started = perf_counter()
        # The plugin of protoc prints the name of each file that it writes.
        quiet = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
        command = ["env", f"--chdir={folder}", *self.command]
        pid = os.posix_spawn("/usr/bin/env", command, environment, file_actions=quiet)
        _, status, usage = os.wait4(pid, 0)
        self.seconds.append(perf_counter() - started)
        self.memory_mib = max(self.memory_mib, usage.ru_maxrss / 1024)
        if os.waitstatus_to_exitcode(status):
            raise SystemExit(f"{self.name} failed")


def jobs(folder: Path, classes: int, files: int) -> list[Job]:
    """Return the jobs for a folder with schemas."""
    # Use the installed command, but the package of this checkout (see `measure`).
    command = str(Path(sys.executable).with_name("codegen"))
    build = [command, "-q", "build"]
    out, cache = folder / "generated", folder / "cache"
    changed = folder / "schemas/module_0.pyi"
    synthetic.write(f"{folder}/schemas", classes=classes, files=files)
    text = changed.read_text(encoding="utf-8")

    def clear() -> None:
        for one in (out, cache):
            shutil.rmtree(one, ignore_errors=True)

    def change() -> None:
        flipped = "0.01" if "= 0.02" in changed.read_text(encoding="utf-8") else "0.02"
        changed.write_text(text.replace("= 0.01", f"= {flipped}"), encoding="utf-8")

    return [
        Job("python -c pass", [sys.executable, "-c", "pass"], bool),
        *_peers(folder, classes, files),
        Job("codegen build, cold", build, clear),
        Job("codegen build, nothing to do", build, bool),
        Job("codegen build, one file changed", build, change),
        Job("codegen check", [command, "-q", "check"], bool),
    ]


def _peers(folder: Path, classes: int, files: int) -> list[Job]:
    found: list[Job] = []
    if importlib.util.find_spec("grpc_tools") and importlib.util.find_spec("mypy_protobuf"):
        names = synthetic.write_protos(f"{folder}/protos", classes=classes, files=files)
        (folder / "pb").mkdir()
        protoc = [sys.executable, "-m", "grpc_tools.protoc", "-Iprotos", "--python_out=pb"]
        found.append(Job(BASELINE, [*protoc, "--mypy_out=pb", *names], bool))
        if shutil.which("buf"):
            synthetic.write_buf(str(folder), [sys.executable, "-m", "grpc_tools.protoc"])
            found.append(Job("buf + mypy-protobuf", ["buf", "generate"], bool))
    if importlib.util.find_spec("datamodel_code_generator"):
        synthetic.write_json_schema(f"{folder}/model.json", classes=classes)
        command = [str(Path(sys.executable).with_name("datamodel-codegen")), "--input=model.json"]
        command += ["--input-file-type=jsonschema", "--output=model.py", "--formatters=builtin"]
        command += ["--output-model-type=dataclasses.dataclass", "--disable-timestamp"]
        found.append(Job("datamodel-code-generator", command, bool))
    return found


def measure(classes: int, files: int, repeats: int) -> list[Job]:
    """Run every job, alternately."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measured = jobs(folder, classes, files)
        paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = synthetic.with_bytecode(os.environ, f"{folder}/bytecode") | {
            "PYTHONPATH": str(CHECKOUT),
            "XDG_CACHE_HOME": f"{folder}/cache",
            "PATH": paths,
        }
        # The first run of each job compiles its imports and does not count.
        for _ in range(repeats + 1):
            for job in measured:
                job.run(environment, name)
        for job in measured:
            del job.seconds[0]
        return measured


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="Measure builds beside other generators.")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--classes", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/builds.md")
    arguments = parser.parse_args()
    tables: list[str] = []
    for classes in arguments.classes:
        files = max(1, classes // 10)
        tables.append(table(classes, files, measure(classes, files, arguments.repeats)))
        print(f"{tables[-1]}\n")
    if arguments.write:
        python = f"With CPython {platform.python_version()}:"
        part = f"python -m benchmarks.build --write, CPython {sys.version_info[0]}.{sys.version_info[1]}"
        pages.write("docs/benchmarks/builds.md", part, "\n\n".join([python, *tables]))


def table(classes: int, files: int, measured: list[Job]) -> str:
    """Format the figures in Markdown."""
    best = {job.name: min(job.seconds) for job in measured}
    against = best.get(BASELINE)
    columns = {
        "time [s]": {name: f"{least:.3f}" for name, least in best.items()},
        f"/ {BASELINE}": {
            name: f"{least / against:.2f}" if against else "" for name, least in best.items()
        },
        "memory [MiB]": {job.name: f"{job.memory_mib:.0f}" for job in measured},
    }
    return f"{classes} classes in {files} files:\n\n{report.markdown_table(columns)}"


if __name__ == "__main__":
    main()
