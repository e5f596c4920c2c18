"""Python targets for the tests of pools; named by file, as scenarios do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

Values = dict[str, Any]


def double(values: Values, instance: object, seed: int) -> float:
    """Twice alpha."""
    return 2.0 * float(values["alpha"])


def ill_behaved(values: Values, instance: object, seed: int) -> float:  # noqa: C901
    """Twice alpha, except for the values that misbehave."""
    match values.get("does"):
        case "raise":
            raise ValueError("as asked")
        case "exit":
            sys.exit(1)
        case "interrupt":
            raise KeyboardInterrupt
        case "die":
            os._exit(3)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "die once" if not Path(str(instance)).exists():
            Path(str(instance)).touch()
            os._exit(3)
        case "die once, then raise":
            if not Path(str(instance)).exists():
                Path(str(instance)).touch()
                os._exit(3)
            raise ValueError("as asked")
        case "raise once" if not Path(str(instance)).exists():
            Path(str(instance)).touch()
            raise ValueError("as asked")
        case "leave a child":
            subprocess.Popen(["sleep", "1000"])
            os._exit(3)
        case "stuck":
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            time.sleep(1000)
        case "sleep":
            time.sleep(1000)
        case "print":
            print("chatter")
            os.write(1, b"more chatter\n")
    return double(values, instance, seed)


def surroundings(values: Values, instance: object, seed: int) -> dict[str, float]:
    """Where it runs: 100 if SIGINT is ignored, 10 in the main thread, and the number of threads."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    main = threading.current_thread() is threading.main_thread()
    threads = int(os.environ.get("OMP_NUM_THREADS", 0))
    return {"cost": 100 * ignored + 10 * main + threads, "seconds": float(os.getpid())}
