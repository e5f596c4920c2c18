"""Algorithm configuration by racing.

Candidates are evaluated instance by instance, in parallel, and dropped as soon as a statistical
test shows that they are inferior, under a budget::

    racing.minimize(function, …)   the best configuration of a Python function, by race or search
    racing.run(scenario)           race from a scenario, or the path of one, to a winner
    racing.resume(log)             continue a run that was interrupted
    racing.Race(...)               the race itself, by ask and tell, for loops of your own
    racing.Search(...)             a search over a space of configurations, by ask and tell
    racing.IteratedRacing(...)     the same by iterated racing, as irace does it
    racing.rules, racing.stats     the elimination rules, and the statistics behind them
    racing.by_family(log)          the gain of a run's winner by family of instances
    racing.portfolio(logs)         a team of candidates that complement each other
    racing.compare(table)          which algorithms differ, from a finished table of results
    racing.compare_metrics(tables) which of them are good, which fast: by several metrics at once

Names are loaded when they are first used, so that `import racing` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from racing.answer.notebook import draw_by as _draw_by
from racing.base.version import __version__

_HOME = {
    "Budget": "racing.core.budget",
    "CallbackError": "racing.base.errors",
    "Candidate": "racing.core.candidate",
    "Entrant": "racing.core.decider",
    "Experiment": "racing.core.experiment",
    "ExpressionError": "racing.base.errors",
    "FormatError": "racing.base.errors",
    "InputError": "racing.base.errors",
    "Instance": "racing.core.experiment",
    "Instances": "racing.core.instances",
    "IteratedRacing": "racing.search",
    "LogBusy": "racing.base.errors",
    "LogDamaged": "racing.base.errors",
    "LogError": "racing.base.errors",
    "LogVersionError": "racing.base.errors",
    "Metric": "racing.core.metric",
    "MissingExtra": "racing.base.errors",
    "NothingToTest": "racing.base.errors",
    "Outcome": "racing.core.experiment",
    "Race": "racing.race",
    "RaceError": "racing.base.errors",
    "RacingError": "racing.base.errors",
    "Result": "racing.embed",
    "Results": "racing.core.results",
    "Retry": "racing.evaluate.retry",
    "RunOptions": "racing.runner.loop",
    "SamplingError": "racing.base.errors",
    "Scenario": "racing.scenario",
    "ScenarioError": "racing.base.errors",
    "Search": "racing.search",
    "SpaceError": "racing.base.errors",
    "Standing": "racing.core.standing",
    "Status": "racing.core.experiment",
    "Stop": "racing.core.stop",
    "TableError": "racing.base.errors",
    "TargetError": "racing.base.errors",
    "TargetFailed": "racing.base.errors",
    "by_family": "racing.report.families",
    "compare": "racing.analysis.compare",
    "compare_metrics": "racing.analysis.compare",
    "holdout": "racing.analysis.unseen",
    "maximize": "racing.embed",
    "minimize": "racing.embed",
    "portfolio": "racing.analysis.portfolio",
    "read": "racing.scenario",
    "resume": "racing.runner.run",
    "run": "racing.runner.run",
}
_MODULES = {
    "embed": "racing.embed",
    "errors": "racing.base.errors",
    "rules": "racing.rules",
    "space": "racing.space",
    "stats": "racing.stats",
}

__all__ = [
    "Budget",
    "CallbackError",
    "Candidate",
    "Entrant",
    "Experiment",
    "ExpressionError",
    "FormatError",
    "InputError",
    "Instance",
    "Instances",
    "IteratedRacing",
    "LogBusy",
    "LogDamaged",
    "LogError",
    "LogVersionError",
    "Metric",
    "MissingExtra",
    "NothingToTest",
    "Outcome",
    "Race",
    "RaceError",
    "RacingError",
    "Result",
    "Results",
    "Retry",
    "RunOptions",
    "SamplingError",
    "Scenario",
    "ScenarioError",
    "Search",
    "SpaceError",
    "Standing",
    "Status",
    "Stop",
    "TableError",
    "TargetError",
    "TargetFailed",
    "__version__",
    "by_family",
    "compare",
    "compare_metrics",
    "embed",
    "errors",
    "holdout",
    "maximize",
    "minimize",
    "portfolio",
    "read",
    "resume",
    "rules",
    "run",
    "space",
    "stats",
]

if TYPE_CHECKING:
    from racing import embed, rules, space, stats
    from racing.analysis.compare import compare, compare_metrics
    from racing.analysis.portfolio import portfolio
    from racing.analysis.unseen import holdout
    from racing.base import errors
    from racing.base.errors import (
        CallbackError,
        ExpressionError,
        FormatError,
        InputError,
        LogBusy,
        LogDamaged,
        LogError,
        LogVersionError,
        MissingExtra,
        NothingToTest,
        RaceError,
        RacingError,
        SamplingError,
        ScenarioError,
        SpaceError,
        TableError,
        TargetError,
        TargetFailed,
    )
    from racing.core.budget import Budget
    from racing.core.candidate import Candidate
    from racing.core.decider import Entrant
    from racing.core.experiment import Experiment, Instance, Outcome, Status
    from racing.core.instances import Instances
    from racing.core.metric import Metric
    from racing.core.results import Results
    from racing.core.standing import Standing
    from racing.core.stop import Stop
    from racing.core.view import View
    from racing.embed import Result, maximize, minimize
    from racing.evaluate.retry import Retry
    from racing.race import Race
    from racing.report.families import by_family
    from racing.runner.loop import RunOptions
    from racing.runner.run import resume, run
    from racing.scenario import Scenario, read
    from racing.search import IteratedRacing, Search


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'racing' has no attribute {name!r}")


def _in_notebook(view: View, words: str) -> str:
    from racing.report.notebook import in_notebook

    return in_notebook(view, words)


_draw_by(_in_notebook)


def __dir__() -> list[str]:
    return list(__all__)
