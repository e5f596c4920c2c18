"""What an explanation has: the path, the importance of parameters, the regions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from racing.candidate import Candidate
from racing.explain import Ablation, Forest, Importance, Pair, Region
from racing.space import Value


@dataclass(frozen=True, kw_only=True)
class Model:
    """What a random forest says of the parameters.

    Attributes
    ----------
    forest
        With its quality; see `Forest.poor`.
    parameters
        The most important first.
    pairs
        Interactions of the most important parameters, the strongest first.
    left_out
        How many configurations are not in it, since none of their runs worked: the shares are of
        those that work, and `regions` says where the others are.
    """

    forest: Forest
    parameters: tuple[Importance, ...]
    pairs: tuple[Pair, ...]
    left_out: int = 0


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Why a run's winner is what it is.

    Attributes
    ----------
    log
        Of the run.
    winner, against
        The two that are explained.
    differences
        Parameter → its value in `against` and in the winner, where these differ; None = inactive.
    model
        Parameter importance; None where there is none.
    regions
        Where runs fail, and where nothing was tried.
    configurations, evaluations, failures
        How many there were in the run.
    ablation
        The path from `against` to the winner; None where none was made.
    ablation_log
        Its log.
    notes
        What is missing and why.
    """

    log: Path
    winner: Candidate
    against: Candidate
    differences: Mapping[str, tuple[Value | None, Value | None]]
    model: Model | None
    regions: tuple[Region, ...]
    configurations: int
    evaluations: int
    failures: int
    ablation: Ablation | None = None
    ablation_log: Path | None = None
    notes: tuple[str, ...] = ()
