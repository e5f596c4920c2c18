"""Read a folder of irace's own files, and compare with what irace accepts.

    python -m tests.scenario.formats.compatibility FOLDER

FOLDER has `parameters/`, `scenarios/` and `verdicts.tsv`. Its columns are a file of `parameters/`,
`valid` or `invalid`, and a remark. The exit status is 1 if a file is accepted or refused otherwise
than it says, except for the deliberate differences below, which docs/irace.md explains.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from racing.base.errors import FormatError
from racing.scenario.formats.irace_options import parse_scenario
from racing.scenario.formats.irace_parameters import read_parameters

GENEROUS = {"inst__examples__moaco__parameters.txt": "&& and || are accepted"}
IN_R = {"inst__examples__matlabr__scenario.txt": "its target runner is an R function"}


def parameter_verdict(path: Path) -> tuple[str, str]:
    """(valid or invalid, why)."""
    try:
        space = read_parameters(path)
    except FormatError as error:
        return "invalid", error.errors[0]
    return "valid", f"{len(space)} parameters"


def scenario_verdict(path: Path) -> tuple[str, str]:
    """(valid or invalid, why)."""
    try:
        options = parse_scenario(path.read_text(encoding="utf-8"), str(path))
    except FormatError as error:
        return "invalid", error.errors[0]
    return "valid", f"{len(options)} options"


def tell(name: str, found: str, why: str, *, as_expected: bool) -> None:
    """One line."""
    print(f"{'as expected' if as_expected else 'DIFFERENT'}: {name}: {found} ({why})")


def main() -> None:
    """Print a line for each file."""
    parser = argparse.ArgumentParser(description="Compare with what irace accepts.")
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    rows = (folder / "verdicts.tsv").read_text(encoding="utf-8").splitlines()[1:]
    wanted = {row.split("\t")[0]: row.split("\t")[1] for row in rows}
    different = 0
    for name, verdict in wanted.items():
        found, why = parameter_verdict(folder / "parameters" / name)
        expected = "valid" if name in GENEROUS else verdict
        different += found != expected
        tell(name, found, why, as_expected=found == expected)
    for path in sorted((folder / "scenarios").iterdir()):
        found, why = scenario_verdict(path)
        expected = "invalid" if path.name in IN_R else "valid"
        different += found != expected
        tell(path.name, found, why, as_expected=found == expected)
    if different:
        raise SystemExit(f"{different} files are read otherwise than irace reads them")


if __name__ == "__main__":
    main()
