"""Locks that neither a signal, a collection nor a fork can turn into a deadlock.

lock = reentrant_lock()
"""

import os
import threading


def reentrant_lock() -> threading.RLock:
    """Return a lock that the thread that holds it may take again.

    A handler of a signal, or what a collection calls, may need it while it is held. No
    other thread holds it while a process forks, so that the child can take it.
    """
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire,
            after_in_parent=lock.release,
            after_in_child=lock.release,
        )
    return lock
