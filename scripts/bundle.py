"""Build the chart library of the report page from its lock file, or check that it is what it was.

    python -m scripts.bundle            # rebuild racing/report/page/echarts/echarts.js
    python -m scripts.bundle --check    # build it elsewhere, and compare
    python -m scripts.bundle --lock     # after a change of package.json: lock its versions anew

Needs Node.js and npm. Users need neither: the result is part of the package.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent / "racing" / "report" / "page" / "echarts"
SOURCES = ("entry.js", "package.json", "package-lock.json")
BUNDLE = "echarts.js"
BUILD = (
    "node_modules/.bin/esbuild",
    "entry.js",
    "--bundle",
    "--minify",
    "--format=iife",
    "--global-name=echarts",
    "--target=es2020",
    "--charset=ascii",
    "--legal-comments=none",
    '--define:process.env.NODE_ENV="production"',
    f"--outfile={BUNDLE}",
)
LICENSES = (
    ("Apache ECharts", "echarts/LICENSE"),
    ("ZRender", "zrender/LICENSE"),
    ("tslib", "tslib/LICENSE.txt"),
)


def build(folder: Path) -> None:
    """Build the bundle, its licence and its notice in a folder that has the sources."""
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, check=True)
    subprocess.run(BUILD, cwd=folder, check=True)
    modules = folder / "node_modules"
    shutil.copy(modules / "echarts" / "NOTICE", folder / "NOTICE")
    texts = (f"{name}\n\n{(modules / path).read_text()}" for name, path in LICENSES)
    (folder / "LICENSE").write_text(f"\n\n{'-' * 80}\n\n".join(texts))


def lock() -> None:
    """Make the lock file anew, without the addresses of the registry that it was made with."""
    subprocess.run(["npm", "install", "--package-lock-only"], cwd=HOME, check=True)
    path = HOME / "package-lock.json"
    path.write_text(re.sub(r'\n\s*"resolved": "[^"]*",?', "", path.read_text()))


def main() -> int:
    """Build, and write or compare; 1 if what is kept differs from what was built."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--lock", action="store_true", help="make the lock file anew, then build")
    args = parser.parse_args()
    check = args.check
    if args.lock:
        lock()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in SOURCES:
            shutil.copy(HOME / name, folder / name)
        build(folder)
        made = (BUNDLE, "LICENSE", "NOTICE")
        if not check:
            for name in made:
                shutil.copy(folder / name, HOME / name)
            return 0
        other = [n for n in made if (folder / n).read_bytes() != (HOME / n).read_bytes()]
    if other:
        print(f"{', '.join(other)}: not what the lock file gives; run python -m scripts.bundle")
        return 1
    print("the chart library is what its lock file gives")
    return 0


if __name__ == "__main__":
    sys.exit(main())
