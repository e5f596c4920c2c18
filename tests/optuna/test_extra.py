"""Without Optuna, the package says which extra brings it."""

from __future__ import annotations

import subprocess
import sys


def test_the_extra_is_named():
    code = "import sys; sys.modules['optuna'] = None; import racing.optuna"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith(
        "MissingExtra: racing.optuna needs optuna, which is not installed: "
        "pip install 'racing[optuna]'"
    )
