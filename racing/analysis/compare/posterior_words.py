"""Posterior probabilities of all pairs as a table, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from racing.analysis.compare.rows import pair
from racing.analysis.compare.words import number
from racing.answer.document import TextTable

if TYPE_CHECKING:
    from racing.analysis.compare.verdicts import Verdicts


def posteriors(c: Verdicts, *, most_rows: int) -> TextTable | None:
    """Posterior probabilities of the comparisons, the surest first."""
    if c.posterior is None:
        return None
    found, equal = c.posterior, _middle(c)
    bounded = found.low is not None
    columns = ["comparison", ">first better", *([">over all priors"] if bounded else [])]
    columns += [*([f">{equal}"] if equal else []), ">second better"]
    rows = []
    for i, j in zip(c.family.first.tolist(), c.family.second.tolist(), strict=True):
        if found.better[i, j] < found.better[j, i]:
            i, j = j, i
        cells = [probability(float(found.better[i, j]))]
        if found.low is not None and found.high is not None:
            ends = (probability(float(end[i, j])) for end in (found.low, found.high))
            cells.append(" to ".join(ends))
        cells += [probability(float(found.rope[i, j]))] if equal else []
        cells.append(probability(float(found.better[j, i])))
        rows.append((float(found.better[i, j]), (pair(c, i, j), *cells)))
    rows.sort(key=lambda row: -row[0])
    caption = posterior_words(c)
    return TextTable("posterior", tuple(columns), tuple(r for _, r in rows[:most_rows]), caption)


def probability(p: float) -> str:
    """A posterior probability as text; 0 and 1 only if they are exact."""
    if 0.9995 <= p < 1.0:
        return ">0.999"
    return "<0.001" if 0.0 < p < 0.0005 else f"{p:.3f}"


def posterior_words(c: Verdicts) -> str:
    """A sentence on what the probabilities mean."""
    assert c.posterior is not None
    rope = number(c.choices.rope)
    if c.posterior.test == "correlated-t":
        near = f"by more than {rope} " if c.choices.rope > 0 else ""
        return (
            f"The chance that the first is better {near}on more of these {_instances(c)} instances "
            "than the second, on as many, on fewer."
        )
    if c.posterior.test == "hierarchical":
        return _hierarchical_words(c)
    if c.posterior.test == "rank-sum":
        return _rank_sum_words(c)
    what = (
        "wins more often than it loses"
        if c.posterior.test == "sign"
        else "is ahead in the signed ranks, summed over two random instances,"
    )
    if c.choices.rope == 0.0:
        text = f"The posterior probability that the first {what} on the population of instances."
    else:
        text = (
            f"The posterior probability that a difference of more than {rope} in favour of the "
            f"first, of at most {rope}, or of more than {rope} in favour of the second is the most "
            "likely of the three on the population of instances."
        )
    return text + _bound(c) + _monte_carlo(c)


def _rank_sum_words(c: Verdicts) -> str:
    """A is the chance that a run of the first is better than one of the second."""
    rope, a = number(c.choices.rope), "the chance that a run of the first is better, ties half"
    if c.choices.rope == 0.0:
        text = f"The posterior probability that A, {a}, is above 1/2."
    else:
        text = (
            f"The posterior probability that A, {a}, is above 1/2 + {rope}, is within {rope} of "
            f"1/2, or is below 1/2 − {rope}."
        )
    return text + _bound(c) + _monte_carlo(c)


def _bound(c: Verdicts) -> str:
    if c.choices.bound == "precise":
        return ""
    agree = "all priors" if c.choices.bound == "lower" else "some prior"
    return f" The number is what {agree} of weight {number(c.choices.s)} would grant."


def _instances(c: Verdicts) -> int:
    """How many instances the first two algorithms have in common: all of a table."""
    return int(c.effects.wins[0] + c.effects.ties[0] + c.effects.losses[0])


def _hierarchical_words(c: Verdicts) -> str:
    rope = number(c.choices.rope)
    outcomes = (
        "the first being better"
        if c.choices.rope == 0.0
        else f"the first being better by more than {rope}, a difference of at most {rope}, or the "
        f"second being better by more than {rope}"
    )
    return (
        f"The posterior probability that {outcomes} is the most likely outcome on the next "
        f"instance.{_monte_carlo(c)}"
    )


def _monte_carlo(c: Verdicts) -> str:
    assert c.posterior is not None
    error = c.posterior.standard_error
    return f" Monte Carlo error at most {number(error, 1)}." if error > 0 else ""


def _middle(c: Verdicts) -> str | None:
    """The name of the middle column of posteriors, if there is one."""
    assert c.posterior is not None
    if c.posterior.test == "correlated-t":
        return "as often"
    return "practically equal" if c.choices.rope > 0 else None
