"""irace in R: its target runner asks this process, by lines over a socket on this machine.

Runs are so evaluated by the same Python code, in the same process, as for every other contender,
and irace pays for no process of its own for each.
"""

from __future__ import annotations

import csv
import socketserver
import subprocess
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from racing.scenario.formats.clauses import r_name
from racing.scenario.formats.irace_parameters import write_parameters
from racing.space import Boolean, Integer, Real, Space, Values

Evaluate = Callable[[Values, int, int], float]
"""(configuration, instance from 0, seed) → cost."""

INSTALL = "irace is missing; on Debian: apt-get install r-cran-irace"

R_CODE = """
suppressMessages(library(irace))
given <- commandArgs(trailingOnly = TRUE)
port <- as.integer(given[[1]])
mine <- new.env()
link <- function() {
  if (is.null(mine$pid) || mine$pid != Sys.getpid()) {
    mine$con <- socketConnection("127.0.0.1", port, open = "r+", blocking = TRUE, timeout = 3600)
    mine$pid <- Sys.getpid()
  }
  mine$con
}
ask <- function(parts) {
  writeLines(paste(parts, collapse = "\\t"), link())
  readLines(link(), 1)
}
written <- function(row) {
  values <- vapply(row, function(v) if (is.na(v)) "" else as.character(v), "")
  paste0(names(row), "=", values)
}
runner <- function(experiment, scenario) {
  values <- written(experiment$configuration)
  list(cost = as.numeric(ask(c("run", experiment$id.instance, experiment$seed, values))))
}
sink("/dev/null")
tryCatch({
  parameters <- readParameters(given[[2]])
  scenario <- list(
    targetRunner = runner, instances = seq_len(as.integer(given[[4]])), trainInstancesDir = "",
    maxExperiments = as.integer(given[[5]]), seed = as.integer(given[[6]]),
    configurationsFile = given[[3]], parallel = as.integer(given[[7]]), logFile = ""
  )
  best <- irace(scenario = scenario, parameters = parameters)
  took <- proc.time()
  ask(c("best", took[["user.self"]] + took[["sys.self"]], written(best[1, parameters$names])))
}, error = function(e) ask(c("error", gsub("[\\n\\t]", " ", conditionMessage(e)))))
"""
"""Arguments: port, parameters, first configurations, instances, evaluations, seed, workers."""


class Refused(Exception):
    """irace would not begin: the budget is too small for it, as a rule."""


@dataclass(frozen=True)
class Answer:
    """What irace returned, and the seconds of processor time that R took itself."""

    values: Values
    processor: float


def search(
    space: Space,
    evaluate: Evaluate,
    *,
    instances: int,
    budget: int,
    seed: int,
    workers: int = 1,
    first: Values | None = None,
) -> Answer:
    """Run irace with its defaults, beginning with a configuration, the default one by default.

    Raises
    ------
    Refused
        If irace stops with an error.
    """
    with tempfile.TemporaryDirectory() as folder, _Server(space, evaluate) as server:
        parameters, given = Path(folder, "parameters.txt"), Path(folder, "first.txt")
        parameters.write_text(write_parameters(space).partition("[global]")[0], encoding="utf-8")
        _write_first(space, space.default() if first is None else first, given)
        numbers = [instances, budget, seed, workers]
        words = [server.server_address[1], parameters, given, *numbers]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            command = ["Rscript", "-e", R_CODE, *map(str, words)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        finally:
            server.shutdown()
            thread.join()
        if server.answer is None:
            why = server.error or done.stderr.strip()[-500:]
            raise Refused(INSTALL if "there is no package" in why else why)
        return server.answer


def _write_first(space: Space, values: Values, file: Path) -> None:
    """A configuration as irace's file of them."""
    with file.open("w", newline="") as out:
        writer = csv.writer(out, delimiter=" ", quoting=csv.QUOTE_ALL)
        writer.writerow([r_name(name) for name in space])
        writer.writerow([_written(values.get(name)) for name in space])


def _written(value: object) -> str:
    if value is None:
        return "NA"
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Server(socketserver.ThreadingTCPServer):
    """Answers R's questions, each connection in a thread."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, space: Space, evaluate: Evaluate) -> None:
        super().__init__(("127.0.0.1", 0), _Lines)
        self._space, self._evaluate = space, evaluate
        self._names = {r_name(name): name for name in space}
        self.answer: Answer | None = None
        self.error = ""

    def reply(self, line: str) -> str:
        """The answer to a line."""
        what, *rest = line.rstrip("\n").split("\t")
        if what == "run":
            return repr(self._evaluate(self._values(rest[2:]), int(rest[0]) - 1, int(rest[1])))
        if what == "best":
            self.answer = Answer(self._values(rest[1:]), float(rest[0]))
        else:
            self.error = rest[0]
        return "ok"

    def _values(self, parts: list[str]) -> Values:
        """A configuration from `name=value` for each parameter; inactive ones are empty."""
        pairs = (part.partition("=")[::2] for part in parts)
        found = {self._names[name]: text for name, text in pairs if text}
        return {name: _value(self._space[name], text) for name, text in found.items()}


def _value(parameter: Any, text: str) -> Any:
    """A value as R writes it."""
    if isinstance(parameter, Boolean):
        return text == "true"
    if isinstance(parameter, Integer | Real):
        return round(float(text)) if isinstance(parameter, Integer) else float(text)
    return next(level for level in parameter.levels if str(level) == text)


class _Lines(socketserver.StreamRequestHandler):
    """One connection: a line asks, a line answers."""

    def handle(self) -> None:
        """Answer until R hangs up."""
        for line in self.rfile:
            answer = self.server.reply(line.decode())  # type: ignore[attr-defined]
            self.wfile.write(f"{answer}\n".encode())
