"""Racing inside a study of Optuna: trials are pruned by its rules, and the best are confirmed.

pruner.py   `RacingPruner`: drops a trial that falls behind the others on shared instances
trials.py   the trials of a study as the results that rules read
confirm.py  `confirm`: a race between the best trials, until the winner is clear
storage.py  what is written into a study, and how

Needs the extra `optuna`.
"""

from racing.errors import require

require("optuna", extra="optuna", purpose="racing.optuna")

from racing.optuna.confirm import Confirmation, confirm, confirmed  # noqa: E402
from racing.optuna.pruner import RacingPruner  # noqa: E402

__all__ = ["Confirmation", "RacingPruner", "confirm", "confirmed"]
