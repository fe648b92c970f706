"""`codegen build --watch`: build again whenever a schema changes, until Ctrl-C.

    $ codegen build --watch
    up to date: 60 files in 0.03 s
    watching schemas; Ctrl-C ends
    built 3 modules: 1 written, 0 removed, 59 unchanged in 0.02 s

A mistake is said and waited out. Changes that come together are one build. The system tells of
changes, through watchfiles; because some disks and some moments tell nothing, the files' times are
looked at once a second besides.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import sleep

from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.output.schemas import Stamps, stamps

_TOGETHER_MS = 200  # changes that follow one another are one change, for so long
_QUIET_MS = 20  # unless nothing follows for so long
_LOOK_MS = 1000  # how often the files are looked at, whatever the system tells


def watch(root: str, build: Callable[[], int], console: Console) -> int:
    """Call `build` now, and whenever something below the folder `root` changes.

    Raises:
        Failure: where watchfiles is not installed, or the format is one document at the end.
    """
    if console.is_document:
        raise Failure("`--watch` says things one by one, and the output format is one document")
    try:
        import watchfiles  # noqa: F401, PLC0415 -- only this asks for it
    except ImportError as error:
        raise Failure("`--watch` needs watchfiles: pip install watchfiles") from error
    try:
        built = stamps(root)
        _guarded(build, console)
        console.status(f"watching {root}; Ctrl-C ends")
        for found in _looks(root):
            if found != built:
                built = found
                _guarded(build, console)
    except KeyboardInterrupt:
        console.status("ended")
    return 0


def _guarded(build: Callable[[], int], console: Console) -> None:
    """Build; what would end the command otherwise is said, and waited out."""
    try:
        build()
    except Mistakes as mistakes:
        console.report(mistakes.report)
    except (Failure, OSError) as error:
        console.error(console.reason(error))


def _looks(root: str) -> Iterator[Stamps]:
    """Look at the schemas whenever the system tells of something, and every now and then."""
    while True:
        # The system tells nothing of a folder that is not there, or of another in its place.
        while not os.path.isdir(root):
            sleep(_LOOK_MS / 1000)
            yield stamps(root)
        with suppress(FileNotFoundError):
            watching = os.stat(root)
            for _ in _told(root):
                yield stamps(root)
                if not os.path.samestat(watching, os.stat(root)):
                    break


def _told(root: str) -> Iterator[object]:
    from watchfiles import watch as watched  # noqa: PLC0415

    return watched(
        root,
        watch_filter=None,
        debounce=_TOGETHER_MS,
        step=_QUIET_MS,
        rust_timeout=_LOOK_MS,
        yield_on_timeout=True,
    )
