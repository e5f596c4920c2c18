"""The demonstration: race configurations of a TSP solver, then test the winner on unseen instances.

Every step is a command of the `racing` program, printed before it is run.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = Path("runs", "demo.sqlite")


def racing(*arguments: str) -> int:
    """Run the command line, after showing it; the exit code comes back."""
    print("$ racing", shlex.join(arguments), flush=True)
    return subprocess.call([sys.executable, "-m", "racing", *arguments], cwd=ROOT)


def main() -> int:
    """Race, show, and test; nonzero if a step failed."""
    for old in (LOG, LOG.with_suffix(".test.sqlite")):
        for file in ROOT.glob(f"{old}*"):
            file.unlink()
    tests = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "examples/tsp/test").glob("*.tsp"))
    steps = (
        ("run", "configs/tsp.yaml", "--log", str(LOG)),
        ("show", str(LOG)),
        ("test", str(LOG), *tests),
    )
    for step in steps:
        if code := racing(*step):
            return code
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
