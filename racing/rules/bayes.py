"""The Bayesian race: joint statements of which candidate is better, then merging of equals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.base.errors import InputError
from racing.base.quantities import HalfLevel, Level, Positive
from racing.base.records import Checked
from racing.core.goal import Kind
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Elimination, Gate, Reason, Verdict, eliminations, verdict_on
from racing.rules.rule import Outlook
from racing.stats.joint import unique_codes


@dataclass(frozen=True, kw_only=True)
class Bayes(Checked):
    """The Bayesian race of Benavoli et al. (2015).

    A Bayesian Friedman test (Dirichlet process prior) decides whether there is any difference. If
    so, as many statements "i is better than j", most certain first, are accepted as are all true
    with posterior probability 1 − γ (section 5.3), and every candidate that is worse in one of them
    is dropped. Then, of every two practically equal survivors, the one with the worse standing is
    dropped too (section 7.1). γ holds for one look, not over repeated ones.

    With too few instances for the ellipsoid of the Friedman test to reject, the gate is the test of
    Iman and Davenport; the verdict names the gate. With two survivors there is no gate.

    Of a front, the statements are "j dominates c" by means (`racing.stats.joint_dominance`), with a
    failure at the worst cost of each metric so far; only `gamma` has an effect. γ holds for one
    look: in a long race members of the front are lost (`python -m benchmarks.metrics_lab front`).

    Attributes
    ----------
    gamma
        Posterior probability that at least one accepted statement is false.
    s
        Prior strength, in instances.
    gate
        The omnibus test: `friedman`, as above, or `none`.
    bound
        `precise`: the paper's prior, under which s has no effect on a pair, and a single win is
        certain. `lower`: what every prior of strength s accepts, so .95 with s = 1 needs five wins
        without a loss.
    drop_equals
        Whether practically equal candidates are dropped down to one.
    epsilon
        Two candidates are practically equal if each wins with a probability within epsilon of ½.
    confidence
        Posterior probability from which two candidates count as practically equal.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Bayes
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Bayes())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    serves: ClassVar[tuple[Kind, ...]] = ("single", "front")

    gamma: HalfLevel = 0.05
    s: Positive = 1.0
    gate: Literal["friedman", "none"] = "friedman"
    bound: Literal["precise", "lower"] = "precise"
    drop_equals: bool = True
    epsilon: HalfLevel = 0.05
    confidence: Level = 0.95

    def check(self, outlook: Outlook) -> None:
        """Refuse options that have no effect on a front.

        Raises
        ------
        InputError
            If one of them is not the default.
        """
        usual = replace(self, gamma=Bayes().gamma) == Bayes()
        if outlook.goal == "front" and not usual:
            raise InputError(
                "of its options, bayes takes only gamma for a front; leave the others out"
            )

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` draws from the joint posterior."""
        order = standing(results, outlook.objective)
        if outlook.goal == "front":
            return verdict_on(results, order[0], self._dominated(results, int(order[0]), rng))
        gate = self._gate(results.block)
        inferior = () if gate and not gate.passed else self._inferior(results, int(order[0]), rng)
        gone = {one.candidate for one in inferior}
        left = [i for i in order.tolist() if results.id(i) not in gone]
        equal = self._equal(results, left) if self.drop_equals else ()
        return verdict_on(results, order[0], (*inferior, *equal), gate)

    def _gate(self, block: NDArray[np.float64]) -> Gate | None:
        if self.gate == "none" or block.shape[1] < 3:
            return None
        test = stats.gate(block, gamma=self.gamma, s=self.s)
        return Gate(
            test="bayesian-friedman" if test.test == "ellipsoid" else test.test,
            statistic=test.statistic,
            threshold=test.threshold,
            p_value=test.level,
            passed=test.rejected,
        )

    def _inferior(
        self, results: Results, leader: int, rng: np.random.Generator
    ) -> tuple[Elimination, ...]:
        """Eliminations of candidates that are worse in an accepted statement."""
        joint = stats.joint_comparisons(
            results.block, rng=rng, gamma=self.gamma, s=self.s, bound=self.bound, wins=results.wins
        )
        return self._accepted(joint, results, leader, results.wins)

    def _accepted(
        self, joint: Any, results: Results, leader: int, wins: Any = None
    ) -> tuple[Elimination, ...]:
        """Eliminations of candidates (not the leader) by the first accepted statement on each."""
        rivals: dict[int, int] = {}
        posteriors: dict[int, float] = {}
        for better, worse, posterior in joint.believed:
            if worse not in rivals and worse != leader:
                rivals[worse], posteriors[worse] = better, posterior
        won = None if wins is None else {i: wins[j, i] for i, j in rivals.items()}
        reason = Reason.DOMINATED if wins is None else Reason.INFERIOR
        return eliminations(
            results, rivals, rivals, "posterior", posteriors, 1 - self.gamma, won, reason
        )

    def _dominated(
        self, results: Results, leader: int, rng: np.random.Generator
    ) -> tuple[Elimination, ...]:
        """Eliminations of candidates that an accepted statement calls dominated."""
        assert results.goal is not None
        seen = results.goal.trade_offs(results)
        n, k, _ = seen.values.shape
        if n < 2 or k < 2:
            return ()
        ran = ~np.isnan(seen.values)
        worst = np.where(ran, seen.values, -np.inf).max(axis=(0, 1))
        values = np.where(ran, seen.values, np.where(np.isfinite(worst), worst, 0.0))
        joint = stats.joint_dominance(values, rng=rng, gamma=self.gamma, ropes=seen.ropes)
        return self._accepted(joint, results, leader)

    def _equal(self, results: Results, left: list[int]) -> tuple[Elimination, ...]:
        """Eliminations of candidates practically equal to a survivor with a better standing."""
        wins = results.wins[np.ix_(left, left)].astype(np.intp)
        posterior = _least_equality(wins, len(results.block), epsilon=self.epsilon, s=self.s)
        stays: list[int] = []
        twins: dict[int, int] = {}
        for i in range(len(left)):
            twin = stays[int(posterior[i, stays].argmax())] if stays else i
            if not stays or posterior[i, twin] <= self.confidence:
                stays.append(i)
                continue
            twins[i] = twin
        rivals = {left[i]: left[twin] for i, twin in twins.items()}
        value = {left[i]: posterior[i, twin] for i, twin in twins.items()}
        won = {left[i]: wins[i, twin] for i, twin in twins.items()}
        why, least = Reason.INDISTINGUISHABLE, self.confidence
        return eliminations(results, rivals, rivals, "posterior", value, least, won, why)


def _least_equality(
    wins: NDArray[np.intp], n: int, *, epsilon: float, s: float
) -> NDArray[np.float64]:
    """(k, k) least posterior of practical equality over priors of strength s on either side.

    Under the paper's prior, which is a tie, one tied instance would be certain equality; against a
    prior that favours one side, with s = 1 and ε = .05, it takes 29.
    """
    distinct, place = unique_codes((wins * (n + 1) + wins.T).ravel())
    w, losses = np.divmod(distinct, n + 1)
    ties = n - w - losses
    sides = (
        stats.indistinguishable(one + s, other, ties, epsilon=epsilon, s=0.0)
        for one, other in ((w, losses), (losses, w))
    )
    least: NDArray[np.float64] = np.minimum(*sides)[place].reshape(wins.shape)
    return least
