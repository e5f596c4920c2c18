"""Build a wheel, install it into an empty environment, and use it there as a newcomer would.

    python -m scripts.wheel

Everything is done in build/wheel. Dependencies are those pinned in requirements.txt.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "wheel"
COMMANDS = (
    ("--version",),
    ("init", "tuning"),
    ("check", "tuning/race.yaml"),
    ("run", "tuning/race.yaml", "--quiet"),
    ("show", "tuning/runs/race.sqlite"),
)


def build() -> Path:
    """Build the wheel from a clean state: setuptools would put stale files of build/lib into it."""
    for stale in (FOLDER, ROOT / "build" / "lib"):
        shutil.rmtree(stale, ignore_errors=True)
    pip(sys.executable, "wheel", "--no-deps", "--no-build-isolation", "-w", str(FOLDER), str(ROOT))
    (wheel,) = FOLDER.glob("racing-*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    """The wheel holds the whole package and nothing beside it."""
    with zipfile.ZipFile(wheel) as archive:
        files = {name for name in archive.namelist() if ".dist-info/" not in name}
    kept = subprocess.run(
        ["git", "ls-files", "racing"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    expected = set(kept.stdout.split())
    if files != expected:
        missing, unexpected = sorted(expected - files), sorted(files - expected)
        sys.exit(f"{wheel.name}: missing {missing}, unexpected {unexpected}")


def install(distribution: Path, folder: Path) -> Path:
    """The commands of a new environment in a folder, with nothing but the distribution in it."""
    venv.create(folder / "env", with_pip=True)
    scripts = folder / "env" / "bin"
    pinned = ("-c", str(ROOT / "requirements.txt"))
    pip(str(scripts / "python"), "install", *pinned, str(distribution))
    return scripts


def use(scripts: Path, folder: Path) -> None:
    """Run the first commands of a newcomer in an empty folder of that folder."""
    folder = folder / "newcomer"
    folder.mkdir()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    where = [str(scripts / "python"), "-c", "import racing; print(racing.__file__)"]
    found = subprocess.check_output(where, cwd=folder, env=environment, text=True).strip()
    if not Path(found).is_relative_to(scripts.parent):
        sys.exit(f"racing was imported from {found}, not from what was installed")
    for arguments in COMMANDS:
        print("$ racing", *arguments, flush=True)
        subprocess.run(
            [str(scripts / "racing"), *arguments], cwd=folder, env=environment, check=True
        )


def pip(python: str, *arguments: str) -> None:
    """Run pip quietly."""
    quiet = ("--quiet", "--disable-pip-version-check")
    subprocess.run([python, "-m", "pip", *arguments[:1], *quiet, *arguments[1:]], check=True)


def main() -> None:
    """Build, check, install and use; the exit code says whether all went well."""
    wheel = build()
    check_contents(wheel)
    use(install(wheel, FOLDER), FOLDER)
    print(f"{wheel.name} works in an empty environment.")


if __name__ == "__main__":
    main()
