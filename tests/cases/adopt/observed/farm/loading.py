"""Nothing runs this; a module is never an object of a class of this package."""

import importlib
import types


def load(name) -> types.ModuleType:
    return importlib.import_module(name)


def settings(name):
    module = load(name)
    return vars(module)
