"""Racing in studies of Optuna: prunes trials by a rule, and races the best ones.

    pruner.py   `RacingPruner`: drops a trial that is worse than others on shared instances;
                `report`, `should_prune`: the same for several objectives, by dominance
    trials.py   the trials of a study as `Results` for rules, and the attributes written into them
    confirm.py  `confirm`: a race between the best trials, until the winner is clear; its result

Needs the extra `optuna`.
"""

from racing.base.errors import require

require("optuna", extra="optuna", purpose="racing.optuna")

from racing.optuna.confirm import Confirmation, confirm, confirmed  # noqa: E402
from racing.optuna.pruner import RacingPruner, report, should_prune  # noqa: E402

__all__ = ["Confirmation", "RacingPruner", "confirm", "confirmed", "report", "should_prune"]
