"""Keep compiled templates, as Python keeps compiled modules.

jinja2.Environment(bytecode_cache=TemplateBytecode("templates"))
# templates/__pycache__/module.py.jinja.cpython-311.cache

They lie where Python keeps the bytecode of modules, and are as trustworthy: whoever can write there
can change the generator too. No cache of the user's is read for them, as bytecode is run. Each is
sealed with the sum of all that it was made of and of itself: one whose seal does not fit, since it
is damaged or of another template, Jinja or Python, is made anew.
"""

from __future__ import annotations

import os
import sys
from importlib.util import cache_from_source

from jinja2 import compiler
from jinja2.bccache import Bucket, BytecodeCache

from codegen.checksum import checksum

_SEAL_BYTES = 32


class TemplateBytecode(BytecodeCache):
    """The compiled templates of one folder; where they cannot be kept, there are none."""

    def __init__(self, templates: str) -> None:
        # This way PYTHONPYCACHEPREFIX is obeyed.
        self._folder = os.path.dirname(cache_from_source(os.path.join(templates, "templates.py")))
        # To ask for Jinja's version takes longer than to compile all templates.
        about = os.stat(compiler.__file__)
        self._made_by = f"{about.st_size} {about.st_mtime_ns} {sys.version}"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Call the file of a template like the template."""
        return name if filename is None else super().get_cache_key(name, filename)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template, if it is there as it was written."""
        try:
            with open(self._file(bucket), "rb") as file:
                data = file.read()
        except OSError:
            return
        seal, body = data[:_SEAL_BYTES], data[_SEAL_BYTES:]
        if seal == self._seal(bucket, body):
            bucket.bytecode_from_string(body)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template, if that is wanted and possible."""
        if sys.dont_write_bytecode:
            return
        path, body = self._file(bucket), bucket.bytecode_to_string()
        temporary = f"{path}.{os.urandom(8).hex()}"
        try:
            os.makedirs(self._folder, exist_ok=True)
            with open(temporary, "xb") as file:
                file.write(self._seal(bucket, body) + body)
            os.replace(temporary, path)
        except OSError:
            _remove(temporary)

    def _file(self, bucket: Bucket) -> str:
        return os.path.join(self._folder, f"{bucket.key}.{sys.implementation.cache_tag}.cache")

    def _seal(self, bucket: Bucket, body: bytes) -> bytes:
        made_of = f"{self._made_by}\0{bucket.key}\0{bucket.checksum}\0"
        return checksum(made_of.encode() + body).encode()


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
