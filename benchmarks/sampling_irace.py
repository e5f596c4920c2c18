"""What a random configuration costs, here and in irace, and whether both draw the same.

    python -m benchmarks.sampling_irace [--n 1000]

Needs R with irace (on Debian: `apt-get install r-cran-irace`). The spaces are those of
`benchmarks.sampling` that irace can read without a file of forbidden configurations; irace reads
them as `racing.scenario.formats` writes them. Times are processor time for n configurations with
their values. "agreement" compares the marginal distribution of every parameter over its active
draws, as `benchmarks.sampling` does; here integers on a logarithmic scale are part of it, as both
give i the share of [i, i + 1). irace rounds real numbers to four digits, which the comparison does
too.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sampling import SPACES, _p_value, seconds
from racing.scenario.formats.irace_parameters import read_parameters, write_parameters
from racing.space import Real, Space

R_CODE = """
suppressMessages(library(irace))
given <- commandArgs(trailingOnly = TRUE)
sink(stderr())
parameters <- readParameters(given[[1]])
took <- system.time(
  drawn <- irace:::sampleUniform(parameters, as.integer(given[[2]]), digits = 4L)
)
sink()
write.csv(drawn, given[[3]], row.names = FALSE)
cat(took[["user.self"]] + took[["sys.self"]])
"""
"""Arguments: the file of parameters, how many, the file to write. Prints processor seconds."""

DIGITS = 4
NAMES = ("flat", "conditional")


def drawn_by_irace(space: Space, n: int) -> tuple[float, Space, list[dict[str, Any]]]:
    """Processor seconds for n configurations, the space as irace reads it, and what it drew.

    Raises
    ------
    subprocess.CalledProcessError
        If R has no irace.
    """
    with tempfile.TemporaryDirectory() as folder:
        parameters, drawn = Path(folder, "parameters.txt"), Path(folder, "drawn.csv")
        known = write_parameters(space).partition("[global]")[0]  # which irace 3.5 does not know
        parameters.write_text(known, encoding="utf-8")
        command = ["Rscript", "-e", R_CODE, parameters, str(n), drawn]
        took = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        same = read_parameters(parameters)
        with drawn.open(encoding="utf-8") as file:
            rows = [_values(same, row) for row in csv.DictReader(file)]
    return float(took), same, rows


def _values(space: Space, row: Mapping[str, str]) -> dict[str, Any]:
    """The active values of a row, as the space has them."""
    found: dict[str, Any] = {}
    for name, parameter in space.items():
        text = row[name]
        if text == "NA":
            continue
        levels = parameter.levels
        by_text = {} if levels is None else {str(level): level for level in levels}
        found[name] = float(text) if levels is None else by_text[text]
    return found


def agreement(
    space: Space, ours: Sequence[Mapping[str, Any]], theirs: Sequence[Mapping[str, Any]]
) -> float:
    """The least p value of the marginals, times their number; at most 1."""
    found = []
    for name, parameter in space.items():
        a, b = ([values[name] for values in drawn if name in values] for drawn in (ours, theirs))
        if isinstance(parameter, Real):
            a = [round(value, DIGITS) for value in a]
        found.append(_p_value(parameter, a, b))
    return min(1.0, min(found) * len(found))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=1000)
    n = parser.parse_args().n
    if shutil.which("Rscript") is None:
        raise SystemExit("there is no R; on Debian: apt-get install r-cran-irace")
    print(f"ms per 1000 configurations, n = {n}")
    print("space          racing      irace   ratio   agreement")
    for name in NAMES:
        took, space, theirs = drawn_by_irace(SPACES[name](), n)
        rng = np.random.default_rng(1)
        own = min(seconds(lambda: space.sample(rng, n)) for _ in range(3))  # noqa: B023
        fit = agreement(space, space.sample(rng, n), theirs)
        a, b = 1e6 / n * own, 1e6 / n * took
        print(f"{name:12s} {a:8.2f} {b:10.1f} {b / a:7.0f} {fit:11.2f}")


if __name__ == "__main__":
    main()
