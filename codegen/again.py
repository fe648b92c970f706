"""Compile the modules anew that changed, or that depend on one that did.

    again = Again(record.place_of(root, out), record.seed_of(options), out, found)
    again.compile(options)      # as `pipeline.compile(found, options)` does
    again.remember()            # after it was written

A module is left as it is where it lies on the disk as it was made, and was made from the very texts
that it would be made from. Where there is a mistake everything is compiled: what to suggest instead
of a wrong name depends on all that there is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

from codegen import pipeline
from codegen.checksum import checksum
from codegen.files import known, record
from codegen.files.known import Known
from codegen.files.read import regular
from codegen.files.schemas import Schema
from codegen.options import Options
from codegen.pipeline import Compiled
from codegen.program.outline import Outline, Outlines
from codegen.rendered.nodes import Made, Rendered
from codegen.rendered.runtime import parts


class Again:
    """What the last build left to be known of each module."""

    def __init__(self, place: str | None, seed: str, out: str, found: list[Schema]) -> None:
        self._place = place
        self._out = out
        self._found = found
        self._own = {module: record.digest(seed, data) for _, module, data in found}
        self._outlines: Mapping[str, Outline] = {}
        self._made: Mapping[str, Made] = {}

    def compile(self, options: Options) -> Compiled:
        """Return what is wrong with the schemas; if nothing is, the files that they make."""
        entries = known.load(self._place)
        compiled = self._some(options, entries) if entries else None
        if compiled is None:
            compiled = pipeline.compile(self._found, options)
            self._outlines = compiled.outlines
        self._made = compiled.made
        return compiled

    def remember(self) -> None:
        """Write down what was made of each module."""
        if self._place is None or not self._made:
            return
        fingerprints = Outlines(self._outlines).fingerprints(self._own)
        entries = {
            name: Known(
                own=self._own[name],
                fingerprint=fingerprints[name],
                made=checksum(one.file.text.encode()),
                outline=self._outlines[name],
                runtime=one.runtime,
                declared=one.declared,
            )
            for name, one in self._made.items()
        }
        known.save(self._place, entries)

    def _some(self, options: Options, entries: Mapping[str, Known]) -> Compiled | None:
        """Compile what changed; None where that cannot be told, or has mistakes."""
        own = self._own
        same = {name for name, one in entries.items() if own.get(name) == one.own}
        changed = [file for file in self._found if file[1] not in same]
        fresh = pipeline.outlines(changed, options)
        if fresh is None:
            return None
        self._outlines = {**{name: entries[name].outline for name in same}, **fresh}
        outlines = Outlines(self._outlines)
        kept = self._kept(entries, outlines.fingerprints(own))
        needed = outlines.reach(own.keys() - kept.keys())
        files = [file for file in self._found if file[1] in needed]
        compiled = pipeline.compile(files, options, kept)
        return None if compiled.report else compiled

    def _kept(
        self, entries: Mapping[str, Known], fingerprints: Mapping[str, str]
    ) -> dict[str, Made]:
        """The modules that lie on the disk as they would be made."""
        kept: dict[str, Made] = {}
        support = {*parts()}
        for name, fingerprint in fingerprints.items():
            entry = entries.get(name)
            if entry is None or entry.fingerprint != fingerprint or not support >= {*entry.runtime}:
                continue
            with suppress(OSError):
                path = f"{name.replace('.', '/')}.py"
                data = regular(os.path.join(self._out, path))
                if checksum(data) == entry.made:
                    kept[name] = Made(Rendered(path, data.decode()), entry.runtime, entry.declared)
        return kept
