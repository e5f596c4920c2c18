"""The demonstration: race configurations of the SAT solver clasp, then test the winner.

Every step is a command, printed before it is run. The winner meets clasp's own default on formulas
that the race has not seen.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = Path("runs", "demo.sqlite")


def step(*arguments: str, shown: str = "racing") -> int:
    """Run a command, after showing it; the exit code comes back."""
    module = "racing" if shown == "racing" else arguments[0]
    rest = arguments if shown == "racing" else arguments[1:]
    print("$", shown, shlex.join(arguments), flush=True)
    return subprocess.call([sys.executable, "-m", module, *rest], cwd=ROOT)


def main() -> int:
    """Make the formulas, race, show, and test; nonzero if a step failed."""
    for old in (LOG, LOG.with_suffix(".test.sqlite")):
        for file in ROOT.glob(f"{old}*"):
            file.unlink()
    if code := step("examples.clasp.instances", shown="python -m"):
        return code
    formulas = sorted((ROOT / "examples/clasp/test").glob("*.cnf"))
    for command in (
        ("run", "configs/clasp.yaml", "--log", str(LOG)),
        ("show", str(LOG)),
        ("test", str(LOG), *(str(path.relative_to(ROOT)) for path in formulas)),
    ):
        if code := step(*command):
            return code
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
