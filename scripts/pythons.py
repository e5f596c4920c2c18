"""Run the test suite on every Python that pyproject.toml names, each in an environment of its own.

    python -m scripts.pythons              all of them (`make pythons`)
    python -m scripts.pythons 3.12 3.13    these
    python -m scripts.pythons --newest     the newest one found, unless it runs this script
    python -m scripts.pythons --oldest     only print where the oldest one found is

An interpreter is looked for on the path (`python3.12`) and in pyenv's folder; the one that runs
this script counts too. The environment of version 3.12 is build/python3.12; it stays there, and is
brought up to date as that of `make test` is. Exits with 1 if a suite fails, if none is found, or if
one that was asked for by name is not.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_CLASSIFIER = re.compile(r"Programming Language :: Python :: (3\.\d+)$")
_COUNTS = re.compile(r"=* ?((?:\d+ \w+, )*\d+ \w+) in [\d.]+s\b")


@dataclass(frozen=True, kw_only=True)
class Suite:
    """How the suite ended on one version: what pytest counted, and after how many seconds."""

    version: str
    passed: bool
    counts: str
    seconds: float

    def __str__(self) -> str:
        minutes, seconds = divmod(round(self.seconds), 60)
        said = "passed" if self.passed else "FAILED"
        return f"Python {self.version:5} {said}: {self.counts}, {minutes}:{seconds:02} minutes"


def named(classifiers: Sequence[str]) -> list[str]:
    """The versions that a package's classifiers name, the oldest first."""
    found = [match[1] for match in map(_CLASSIFIER.match, classifiers) if match]
    return sorted(found, key=_numbers)


def interpreter(version: str, environ: Mapping[str, str]) -> Path | None:
    """An interpreter of this version, on the path or in pyenv's folder; None if there is none."""
    return next((one for one in _candidates(version, environ) if _is(one, version)), None)


def _candidates(version: str, environ: Mapping[str, str]) -> Iterator[Path]:
    """Where it may be; the newest patch release of pyenv's before older ones."""
    if on_path := shutil.which(f"python{version}", path=environ.get("PATH", "")):
        yield Path(on_path)
    pyenv = Path(environ.get("PYENV_ROOT") or Path(environ.get("HOME", "/")) / ".pyenv")
    for folder in sorted(pyenv.glob(f"versions/{version}.*"), key=_numbers, reverse=True):
        yield folder / "bin" / "python"
    yield Path(sys.base_prefix) / "bin" / "python3"


def _is(path: Path, version: str) -> bool:
    """Whether it starts, and as this version: pyenv's `python3.12` on the path may do neither."""
    code = "import sys; print('{}.{}'.format(*sys.version_info))"
    try:
        told = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return told.stdout.strip() == version


def _numbers(of: str | Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", of if isinstance(of, str) else of.name)]


def run(version: str, python: Path) -> Suite:
    """`make test` with this interpreter, shown as it goes."""
    begun = time.monotonic()
    command = ["make", "test", f"VENV=build/python{version}", f"PYTHON={python}"]
    counts = "no tests were run"
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, errors="replace"
    ) as suite:
        assert suite.stdout is not None
        for line in suite.stdout:
            print(line, end="", flush=True)
            counts = counted(line) or counts
    seconds = time.monotonic() - begun
    return Suite(version=version, passed=not suite.returncode, counts=counts, seconds=seconds)


def counted(line: str) -> str | None:
    """What pytest's last line counts, `8499 passed, 22 skipped`; None of another line."""
    match = _COUNTS.match(line)
    return match and match[1]


def main() -> None:
    """Find the interpreters, run the suites, and sum them up."""
    options = _options()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = options.versions or named(project["classifiers"])
    looked = {version: interpreter(version, os.environ) for version in wanted}
    found = {version: one for version, one in looked.items() if one is not None}
    missing = [version for version in wanted if version not in found]
    if not found:
        sys.exit(f"no Python {', '.join(missing)} on the path or in pyenv's folder")
    if options.oldest:
        print(found[next(iter(found))])
        return
    chosen = _newest(list(found)) if options.newest else found
    suites = [run(version, found[version]) for version in chosen]
    print(*suites, *(f"Python {version:5} not found" for version in missing), sep="\n")
    if not all(suite.passed for suite in suites) or (options.versions and missing):
        sys.exit(1)


def _newest(versions: Sequence[str]) -> Sequence[str]:
    """The last version, or none if it is that of this process."""
    own = "{}.{}".format(*sys.version_info)
    if versions[-1:] != [own]:
        return versions[-1:]
    print(f"Python {own} is the newest one found, and is what runs this script")
    return []


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.pythons", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="3.12, for example")
    parser.add_argument("--newest", action="store_true", help="only the newest one found")
    parser.add_argument("--oldest", action="store_true", help="print where the oldest one is")
    return parser.parse_args()


if __name__ == "__main__":
    main()
