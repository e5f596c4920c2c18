"""How busy irace keeps workers, with the same sleeping targets as `benchmarks.utilisation --live`.

    python -m benchmarks.utilisation_irace [--workers 8 32] [--candidates 30]

Needs R with irace (on Debian: `apt-get install r-cran-irace`). One race of irace's (`nbIterations`
1, its F-test, a first test after 5 instances) over the given candidates, with the same budget,
costs and times; `parallel` is the number of workers. `used` is the share of all workers' time that
went into evaluations. The races decide otherwise, so that the number of evaluations differs.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.utilisation import INSTANCES, MEAN, World

R_CODE = """
suppressMessages(library(irace))
given <- commandArgs(trailingOnly = TRUE)
folder <- given[[1]]; workers <- as.integer(given[[2]]); budget <- as.integer(given[[3]])
read <- function(name) as.matrix(read.csv(file.path(folder, name), header = FALSE))
costs <- read("costs.csv"); seconds <- read("seconds.csv")
target <- function(experiment, scenario) {
  row <- as.integer(experiment$instance)
  column <- as.integer(experiment$configuration$column)
  Sys.sleep(seconds[row, column])
  line <- sprintf("%.6f\\n", seconds[row, column])
  cat(line, file = file.path(folder, "slept"), append = TRUE)
  list(cost = costs[row, column])
}
parameters <- readParameters(text = sprintf('column "" i (1, %d)', ncol(costs)))
scenario <- list(
  targetRunner = target, instances = as.character(seq_len(nrow(costs))), maxExperiments = budget,
  initConfigurations = data.frame(column = seq_len(ncol(costs))), nbIterations = 1,
  nbConfigurations = ncol(costs), parallel = workers, logFile = "", seed = 1, deterministic = TRUE,
  elitist = FALSE, firstTest = 5
)
names(scenario)[names(scenario) == "initConfigurations"] <- "configurationsFile"
table <- file.path(folder, "given.txt")
write.table(scenario$configurationsFile, table, row.names = FALSE)
scenario$configurationsFile <- table
scenario <- checkScenario(modifyList(defaultScenario(), scenario))
sink(stderr())
begun <- Sys.time()
irace(scenario, parameters)
took <- as.numeric(Sys.time() - begun, units = "secs")
sink()
cat(took)
"""
"""Arguments: the folder, how many workers, the budget. Prints seconds on the clock."""


def measure(world: World, workers: int) -> tuple[float, int]:
    """The share of the workers' time that irace used, and how many evaluations it ran.

    Raises
    ------
    subprocess.CalledProcessError
        If R has no irace.
    """
    n, k = world.costs.shape
    with tempfile.TemporaryDirectory() as folder:
        for name, table in (("costs", world.costs), ("seconds", world.seconds)):
            np.savetxt(Path(folder, f"{name}.csv"), table, delimiter=",")
        found = subprocess.run(
            ["Rscript", "-e", R_CODE, folder, str(workers), str(n * k // 2)],
            check=True,
            capture_output=True,
            text=True,
        )
        slept = np.loadtxt(Path(folder, "slept"), ndmin=1)
    return float(slept.sum()) / (workers * float(found.stdout.split()[-1])), len(slept)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, nargs="*", default=[8, 32])
    parser.add_argument("--candidates", type=int, nargs="*", default=[30])
    args = parser.parse_args()
    print(f"candidates workers   used evaluations, over {INSTANCES} instances")
    for k in args.candidates:
        for workers in args.workers:
            used, evaluations = measure(World.of(k, 0, mean=MEAN), workers)
            print(f"{k:10d} {workers:7d} {used:6.3f} {evaluations:6d}", flush=True)


if __name__ == "__main__":
    main()
