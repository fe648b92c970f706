"""The running script, as the module that a schema names.

    use_running_script(["train"])       # in the generated module, for `@impl("train:step")`

With `python train.py` the script is the module `__main__`. An import of `train` would run
its file a second time, and the second module would have its own global variables.
"""

import os
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .keys.names import RUNNING, ModuleFacts, generated_modules, keep_from_autoreload


class _Script(types.ModuleType):
    """The module of a running script that a schema names."""

    def __getattr__(self, name: str) -> Any:
        file = vars(self).get("__file__")
        user = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        importer, use = user.f_globals, "the first call"
        if user.f_code.co_name == "<module>":
            use = f"the import of `{importer.get('__name__')}`"
        message = (
            f"the running script `{file}` does not define `{name}` yet: define it above "
            f"{use}, or in another module"
        )
        # An import statement looks up `__path__` before the imported name. An error
        # there would replace the message of the AttributeError.
        if importer.get("__name__") in generated_modules and not name.startswith("__"):
            raise ImportError(message, name=self.__name__)
        raise AttributeError(message, name=name, obj=self)


def protocol_v2(
    module: str,
    *,
    implementations: Sequence[str] = (),
    imports: Sequence[str] = (),
    was: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Begin a generated module. A package with another protocol lacks this function.

    Args:
        module: its name
        implementations: the modules of the functions that it calls, and of its mixins. If one of
            them is the running script, an import of it gives that script.
        imports: what its schema imports from outside, see `ModuleFacts`
        was: former names, see `ModuleFacts`
    """
    generated_modules[module] = ModuleFacts(imports, was or {})
    keep_from_autoreload(module)
    use_running_script(implementations)


def use_running_script(modules: Sequence[str]) -> None:
    """Make the running script importable under those of the module names that are its
    own.
    """
    for running in RUNNING:
        script = sys.modules.get(running)
        if script is not None:
            for module in _names(script, modules):
                _import_as(script, module)


def _names(script: types.ModuleType, modules: Sequence[str]) -> Iterator[str]:
    spec, file = getattr(script, "__spec__", None), getattr(script, "__file__", None)
    stems = set[str]()
    if isinstance(file, str):  # A notebook has no file.
        files = (file, os.path.realpath(file))
        stems = {os.path.splitext(os.path.basename(each))[0] for each in files}
    for module in modules:
        # Few modules have the script's name, so only these are looked up.
        is_alike = module.rpartition(".")[2] in stems
        if getattr(spec, "name", None) == module or (
            is_alike and _is_file(str(file), module)
        ):
            yield module


def _is_file(file: str, module: str) -> bool:
    """Return whether an import of a module would run a file, without importing any
    package.
    """
    package, *rest = module.split(".")
    finders = [each for each in sys.meta_path if hasattr(each, "find_spec")]
    specs = (each.find_spec(package, None) for each in finders)
    spec = next((one for one in specs if one is not None), None)
    if spec is None:
        return False
    folders = spec.submodule_search_locations or ()
    candidates = [os.path.join(each, *rest) + ".py" for each in folders]
    candidates = candidates if rest else [spec.origin or ""]
    # A program in an archive has a name, but no file.
    existing = filter(os.path.exists, candidates)
    return os.path.exists(file) and any(os.path.samefile(file, one) for one in existing)


def _import_as(script: types.ModuleType, module: str) -> None:
    sys.modules[module] = script
    # Pickled objects name definitions of the script like an import would.
    script.__dict__.setdefault("__codegen_name__", module)
    if type(script) is types.ModuleType:
        script.__class__ = _Script
    # As with an import: `import package.train` is used as `package.train`.
    package, _, name = module.rpartition(".")
    if package in sys.modules:
        setattr(sys.modules[package], name, script)
