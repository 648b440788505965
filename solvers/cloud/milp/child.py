"""The child process that runs a backend: requests on stdin, replies on stdout, JSON, one a line.

Standard output is taken away from the backend before it can print. When stdin ends, the process that asked is
done or gone, and this one ends with all that it started.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import warnings
from typing import NoReturn


def main() -> None:
    """Answer requests until there are no more."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    warnings.simplefilter("ignore")  # stderr is kept for the last words of a backend that crashes
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    # A handler, not SIG_IGN: that would be inherited, and the backend could not be asked to stop.
    signal.signal(signal.SIGINT, lambda *_: None)
    requests: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    while True:
        reply = _answer(requests.get())
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _read(requests: queue.Queue[str]) -> None:
    for line in sys.stdin:
        requests.put(line)
    _end()


def _end() -> NoReturn:
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _answer(line: str) -> dict[str, object]:
    from solvers.cloud.milp import pulp_backend

    try:
        return pulp_backend.solve(json.loads(line))
    except pulp_backend.MissingError as error:
        return {"missing": str(error)}
    except Exception as error:  # whatever a backend raises is told, and is no reason to end
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()
