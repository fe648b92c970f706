"""Keep compiled templates, as Python keeps compiled modules.

jinja2.Environment(bytecode_cache=TemplateBytecode("templates"))
# templates/__pycache__/module.py.jinja.cpython-311.cache

They lie where Python keeps the bytecode of modules, and are as trustworthy: whoever can write there
can change the generator too. No cache of the user's is read for them, as bytecode is run. Each says
from which text it was made, by which Jinja and which Python; one that says something else, or
nothing that can be read, is made anew.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source

from jinja2.bccache import Bucket, FileSystemBytecodeCache


class TemplateBytecode(FileSystemBytecodeCache):
    """The compiled templates of one folder; where they cannot be kept, there are none."""

    def __init__(self, templates: str) -> None:
        # This way PYTHONPYCACHEPREFIX is obeyed.
        folder = os.path.dirname(cache_from_source(os.path.join(templates, "templates.py")))
        super().__init__(folder, f"%s.{sys.implementation.cache_tag}.cache")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Call the file of a template like the template."""
        return name if filename is None else super().get_cache_key(name, filename)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template, if it is there as it should be."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # noqa: BLE001 -- of a damaged file Jinja's reader may raise anything
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template, if that is wanted and possible."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                os.makedirs(self.directory, exist_ok=True)
                super().dump_bytecode(bucket)
