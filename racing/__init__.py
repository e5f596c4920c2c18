"""Algorithm configuration by racing.

Candidates are evaluated instance by instance, in parallel, and dropped as soon as a statistical
test shows that they are inferior, under a budget::

    racing.minimize(function, …)   the best configuration of a Python function, by race or search
    racing.run(scenario)           race from a scenario, or the path of one, to a winner
    racing.resume(log)             go on where a run was interrupted
    racing.Race(...)               the race itself, by ask and tell, for loops of your own
    racing.Search(...)             a search over a space of configurations, by ask and tell
    racing.IteratedRacing(...)     the same by iterated racing, as irace does it
    racing.rules, racing.stats     the elimination rules, and the statistics behind them
    racing.compare                 which algorithms differ, from a finished table of results

Names are loaded when they are first used, so that `import racing` costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_HOME = {
    "Budget": "racing.budget",
    "Candidate": "racing.candidate",
    "Entrant": "racing.decider",
    "RunOptions": "racing.loop",
    "Experiment": "racing.experiment",
    "Instance": "racing.experiment",
    "Instances": "racing.instances",
    "IteratedRacing": "racing.search",
    "Outcome": "racing.experiment",
    "Race": "racing.race",
    "RacingError": "racing.errors",
    "Result": "racing.embed",
    "Results": "racing.results",
    "Scenario": "racing.scenario",
    "Search": "racing.search",
    "Standing": "racing.standing",
    "Status": "racing.experiment",
    "Stop": "racing.race",
    "holdout": "racing.holdout",
    "maximize": "racing.embed",
    "minimize": "racing.embed",
    "read": "racing.scenario",
    "resume": "racing.runs",
    "run": "racing.runs",
}
_ROOMS = ("compare", "embed", "errors", "rules", "space", "stats")

__all__ = [
    "Budget",
    "Candidate",
    "Entrant",
    "Experiment",
    "Instance",
    "Instances",
    "IteratedRacing",
    "Outcome",
    "Race",
    "RacingError",
    "Result",
    "Results",
    "RunOptions",
    "Scenario",
    "Search",
    "Standing",
    "Status",
    "Stop",
    "__version__",
    "compare",
    "embed",
    "errors",
    "holdout",
    "maximize",
    "minimize",
    "read",
    "resume",
    "rules",
    "run",
    "space",
    "stats",
]

if TYPE_CHECKING:
    from racing import compare, embed, errors, rules, space, stats
    from racing.budget import Budget
    from racing.candidate import Candidate
    from racing.decider import Entrant
    from racing.embed import Result, maximize, minimize
    from racing.errors import RacingError
    from racing.experiment import Experiment, Instance, Outcome, Status
    from racing.holdout import holdout
    from racing.instances import Instances
    from racing.loop import RunOptions
    from racing.race import Race, Stop
    from racing.results import Results
    from racing.runs import resume, run
    from racing.scenario import Scenario, read
    from racing.search import IteratedRacing, Search
    from racing.standing import Standing


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f"racing.{name}")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'racing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)


class _Package(ModuleType):
    """Importing a submodule sets it as an attribute of its package, over a function of its name."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOME and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
