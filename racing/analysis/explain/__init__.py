"""Explains a winner: the changes behind its gain, important parameters, unexplored regions.

`racing.analysis.explain.explanation.explain` takes the log of a run through all of it:

    source        what the run's log says: the winner, what it is compared with, the outcomes
    ablation_run  the ablation: begun, resumed, or read from the log beside that of the run
    model         the forest of all configurations, and the importance of parameters
    explanation   the result

These call what is pure, and knows nothing of logs:

    ablation      a path from one configuration to another, each step raced (a `Decider`)
    changes       which steps there are
    levels        outcomes of many configurations → one value for each
    forest        these values → a random forest
    importance    functional analysis of variance, and importance near one configuration
    regions       where runs fail, and where nothing was tried
"""

from racing.analysis.explain.ablation import Ablation, Step
from racing.analysis.explain.changes import Change, changes, differing
from racing.analysis.explain.forest import Forest, fit
from racing.analysis.explain.importance import Importance, Pair, decompose
from racing.analysis.explain.levels import Levels, levels, scales
from racing.analysis.explain.regions import Region, regions

__all__ = [
    "Ablation",
    "Change",
    "Forest",
    "Importance",
    "Levels",
    "Pair",
    "Region",
    "Step",
    "changes",
    "decompose",
    "differing",
    "fit",
    "levels",
    "regions",
    "scales",
]
