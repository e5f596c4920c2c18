"""Why a winner is good: which changes brought its gain, which parameters matter, what was missed.

ablation, changes   a path from one configuration to another, each step raced (an `Ablation` is
                    driven by ask and tell, as a race is)
rounds              the races of a path, one after the other, and its measurement
levels, forest      outcomes of many configurations → one value for each → a random forest
importance          functional analysis of variance, and importance near one configuration
regions             where runs fail, and where nothing was tried

All of it is pure: `racing.explanation` reads logs and runs what is missing.
"""

from racing.explain.ablation import Ablation, Step
from racing.explain.changes import Change, changes, differing
from racing.explain.forest import Forest, fit
from racing.explain.importance import Importance, Pair, decompose
from racing.explain.levels import Levels, levels
from racing.explain.regions import Region, regions

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
]
