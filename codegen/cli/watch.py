"""`codegen build --watch`: build again whenever a schema changes, until Ctrl-C.

    $ codegen build --watch
    up to date: 60 files in 0.03 s
    watching schemas; press Ctrl-C to stop
    built 3 modules: 1 written, 0 removed, 59 unchanged in 0.02 s

A mistake is reported, and the watch continues. Changes that follow one another closely cause one
build. The system reports changes, through watchfiles. Some file systems report nothing, and some
changes are missed, so the times of the files are also checked once a second.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import sleep

from codegen.cli.console import Console
from codegen.cli.failure import Failure, Mistakes
from codegen.output.schemas import Stamps, stamps

_TOGETHER_MS = 200  # changes within this time are one change
_QUIET_MS = 20  # unless nothing follows for this long
_LOOK_MS = 1000  # the files are checked this often, even if the system reports nothing


def watch(root: str, build: Callable[[], int], console: Console) -> int:
    """Call `build` now, and whenever something below the folder `root` changes.

    Raises:
        Failure: if watchfiles is not installed, or the format is one document at the end.
    """
    if console.is_document:
        raise Failure(
            f"`--watch` needs a text format: `--output-format {console.output_format}` prints one "
            "document at the end"
        )
    try:
        import watchfiles  # noqa: F401, PLC0415 -- only `--watch` needs it
    except ImportError as error:
        raise Failure("`--watch` needs watchfiles: run `pip install watchfiles`") from error
    try:
        built = stamps(root)
        _guarded(build, console)
        console.status(f"watching {root}; press Ctrl-C to stop")
        for current in _looks(root):
            if current != built:
                built = current
                _guarded(build, console)
    except KeyboardInterrupt:
        console.status("stopped")
    return 0


def _guarded(build: Callable[[], int], console: Console) -> None:
    """Build; report errors that would otherwise end the command, and go on."""
    try:
        build()
    except Mistakes as mistakes:
        console.report(mistakes.report)
    except (Failure, OSError) as error:
        console.error(console.reason(error))


def _looks(root: str) -> Iterator[Stamps]:
    """Check the schemas whenever the system reports a change, and at regular intervals."""
    while True:
        # The system reports nothing about a missing folder, or about one that replaced it.
        while not os.path.isdir(root):
            sleep(_LOOK_MS / 1000)
            yield stamps(root)
        with suppress(FileNotFoundError):
            watching = os.stat(root)
            for _ in _events(root):
                yield stamps(root)
                if not os.path.samestat(watching, os.stat(root)):
                    break


def _events(root: str) -> Iterator[object]:
    from watchfiles import watch as watched  # noqa: PLC0415

    return watched(
        root,
        watch_filter=None,
        debounce=_TOGETHER_MS,
        step=_QUIET_MS,
        rust_timeout=_LOOK_MS,
        yield_on_timeout=True,
    )
