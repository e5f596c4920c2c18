"""Scenarios of irace that are refused, with the files beside them."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from racing.base.errors import FormatError
from racing.scenario.formats.irace import read_scenario

PARAMETERS = """\
algorithm "--" c (as, mmas)
alpha "--alpha " r (0, 5)
rank "--rank " i (1, 9) | algorithm == "mmas"
"""
FILES = {
    "parameters.txt": PARAMETERS,
    "instances.txt": "one.tsp\ntwo.tsp --opt 3\n",
    "empty.txt": "",
    "bad.txt": "beta\n1\n",
    "clause.txt": "beta == 1\n",
    "cut.txt": 'alpha "--alpha " r (0, 5\n',
    "twice.txt": 'alpha "" r (0, 5)\nalpha "" r (0, 1)\n',
    "unknown.txt": 'alpha "" r (0, 5) | gamma == 1\n',
    "turned.txt": 'alpha "" r (5, 0)\n',
    "dash.txt": 't-max "" r (0, 5)\n',
    "order.txt": 'alpha "" o (0, 2, 1)\n',
    "parent.txt": 'alpha "" c (x, y)\nbeta "" r (1, alpha)\n',
    "itself.txt": 'alpha "" i (1, 5) | alpha > 2\n',
    "long.txt": 'alpha "" i (1, 5)\n' * 20_000,
}
MINIMAL = 'trainInstancesFile = "instances.txt"\nmaxExperiments = 200\n'


@dataclass(frozen=True)
class BadIrace:
    """A scenario, and a part of what is said of it."""

    text: str
    part: str

    @property
    def shown(self) -> str:
        """What is wrong, without the lines that every scenario needs."""
        lines = self.text.removeprefix(MINIMAL).splitlines()
        return " ".join(f"`{line.strip()}`" for line in lines)

    def said(self) -> str:
        """What is said when it is read where it lies; empty if it is accepted."""
        home = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for name, text in FILES.items():
                    Path(name).write_text(text, encoding="utf-8")
                Path("scenario.txt").write_text(self.text, encoding="utf-8")
                read_scenario(Path("scenario.txt"))
            except FormatError as error:
                return str(error)
            finally:
                os.chdir(home)
        return ""


CASES = [
    BadIrace(text, part)
    for text, part in [
        ('maxExperiment = 5', "scenario.txt:1:1: unknown option 'maxExperiment'; did you mean"),
        ('maxExperiments = "many"', "1:18: maxExperiments must be a number; got \"many\""),
        ("maxExperiments = TRUE", "1:18: maxExperiments must be a number; got true"),
        ("parameterFile = 3", "1:17: parameterFile must be a text in quotes; got 3"),
        ("deterministic = 2", "1:17: deterministic must be TRUE or FALSE"),
        ('execDir = "a', "1:"),
        ("maxExperiments = 5 +", "1:21: this must be a name, a number or a bracket; got the end"),
        ("maxExperiments = 5 * x", "only constants can be read"),
        ("maxExperiments = 1/0", "1:18: \"1/0\" is not a finite number"),
        ("maxExperiments = 9^9^9^9", "1:18: \"9^9^9^9\" is not a finite number"),
        ("maxExperiments = 1e400", "1:18: the number is too large"),
        ("maxTime = Inf", "1:11: the number is too large"),
        ("maxExperiments = foo(3)", "only constants can be read"),
        ("maxExperiments = c(1, 2", "a bracket is not closed"),
        ("library(irace)", "1:1: \"library(irace)\" is R code that cannot be run here"),
        ("if (TRUE) {\n seed = 1\n}", "is R code that cannot be run here"),
        ("targetRunner = function(experiment, scenario) 1", "1:16: targetRunner is an R function"),
        ("repairConfiguration = 'x'", "repairConfiguration is an R function"),
        ("targetRunnerParallel = 'x'", "set execution.jobs"),
        ("instances = 'x'", "use trainInstancesFile"),
        ('trainInstancesFile = "instances.txt"', "set maxExperiments or maxTime"),
        ("maxExperiments = 100", "there are no instances; set trainInstancesFile"),
        (MINIMAL + 'trainInstancesFile = "none.txt"', "none.txt: no such file"),
        (MINIMAL + 'trainInstancesFile = ""\ntrainInstancesDir = "nowhere"', "no such folder"),
        (MINIMAL + 'parameterFile = "none.txt"', "3:17"),
        (MINIMAL + 'testType = "friedmann"', "3:12: unknown test 'friedmann'; known: F-test"),
        (MINIMAL + 'targetCmdline = "{config}"', "3:17: unknown {config}"),
        (MINIMAL + 'configurationsFile = "empty.txt"', "empty.txt must be a header"),
        (MINIMAL + 'configurationsFile = "bad.txt"', "bad.txt:1: unknown parameter \"beta\""),
        (MINIMAL + 'forbiddenFile = "clause.txt"', "clause.txt:1:1: there is no parameter 'beta'"),
        (MINIMAL + 'parameterFile = "cut.txt"', "cut.txt:"),
        (MINIMAL + 'parameterFile = "twice.txt"', "twice.txt:2"),
        (MINIMAL + 'parameterFile = "unknown.txt"', "unknown.txt:1"),
        (MINIMAL + 'parameterFile = "turned.txt"', "turned.txt:1"),
        (MINIMAL + 'parameterFile = "dash.txt"', "dash.txt:1:1: this must be a parameter's name"),
        (MINIMAL + 'parameterFile = "order.txt"', "order.txt:1:1: alpha: ordered values"),
        (MINIMAL + 'parameterFile = "parent.txt"', "parent.txt:2:15: alpha must be a number"),
        (MINIMAL + 'parameterFile = "itself.txt"', "itself.txt:1:21: alpha depends on itself"),
        (MINIMAL + 'parameterFile = "long.txt"', "long.txt:1:1: larger than 250000 characters"),
        (MINIMAL + 'trainInstancesFile = "/dev/zero"', "/dev/zero: is a device or a pipe"),
    ]
]  # fmt: skip
