"""The answer of a search in words: whether to keep the default, and what the confirmation says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from racing.base.words import count, listed, number, percent
from racing.core.gain import Gain, outcome
from racing.report.facts import Facts
from racing.report.limit_words import limit_sentence
from racing.report.names import best_of_runs, refer, shown
from racing.report.paired import FEW
from racing.report.search_facts import SearchFacts

if TYPE_CHECKING:
    from racing.analysis.held_out_front import HeldOutFront


_LEAST = 0.001
"""A smaller probability is told as below this."""


def search_headline(facts: Facts) -> str:
    """The result of a search in one sentence."""
    search, winner = facts.search, facts.winner
    assert search is not None
    assert winner is not None
    name = refer(winner)
    if search.team is not None and has_team(facts):
        names = listed([refer(one) for one in search.team.members])
        return f"The team so far: {names}." if facts.stopped is None else f"The team: {names}."
    if facts.stopped is None:
        return f"{name} is ahead so far."
    if search.baseline is None:
        return f"Undecided: {name} is best so far."
    return outcome_over_default(facts)


def outcome_over_default(facts: Facts) -> str:
    """The outcome of a run that is over, beside its default."""
    found = None if facts.found in (None, facts.baseline) else refer(facts.found)
    gain = None if facts.search is None else facts.search.gain
    winner, baseline = refer(facts.winner), refer(facts.baseline)
    return outcome(winner, baseline, found=found, gain=gain, worse=facts.worse)


def has_team(facts: Facts) -> bool:
    """Whether the result is a team; `racing test` says what its best single member is worth."""
    team = facts.search.team if facts.search else None
    return team is not None and bool(team.members)


def team_sentences(facts: Facts) -> Iterator[str]:
    """The team of a portfolio search, and what it gains as confirmed."""
    team = facts.search.team if facts.search else None
    if team is None or not team.members:
        return
    many = f"{len(team.members)} of {team.size} members"
    yield f"The team has {many}; on each instance, the best of them counts."
    if team.single is None:
        return
    single = f"one run of the best single configuration ({refer(team.single)})"
    yield _team_beside(single, team.gain, otherwise=" One configuration may do.")
    baseline = facts.search.baseline if facts.search else None
    if baseline is not None and baseline != team.single:
        yield _team_beside(f"one run of {refer(baseline)}", team.over_default)
    if team.gain is not None and team.gain.mean is not None:
        name = refer(team.single)
        as_often = f"`racing test` runs {name} as often, if the target takes a seed."
        yield f"{best_of_runs(len(team.members), name)} {as_often}"
    if facts.held_out_team is not None:
        from racing.report.team_data import unseen_team_sentences  # which imports what tests run

        yield from unseen_team_sentences(facts.held_out_team)


def _team_beside(other: str, gain: Gain | None, *, otherwise: str = "") -> str:
    """The gain of a team over one configuration, and the next step if none is shown."""
    if gain is None or gain.mean is None:
        return (
            f"The gain of the team over {other} is not known: the budget had no runs left for it."
        )
    on = f"On {gain.where}"
    if not math.isfinite(gain.low):
        few = f"too few instances for a {percent(gain.confidence)} interval"
        return f"{on}, the mean gain of the team over {other} is {number(gain.mean, 4)} ({few})."
    ends = f"{percent(gain.confidence)} interval {number(gain.low, 4)} to {number(gain.high, 4)}"
    if gain.low > 0:
        return (
            f"{on}, the team is better than {other} by {number(gain.mean, 4)} on average, {ends}."
        )
    if gain.problems < FEW:
        return (
            f"{on}, it cannot be said whether the team is better than {other}: the mean gain is "
            f"{number(gain.mean, 4)}, {ends}; {FEW} instances or more can decide."
        )
    return (
        f"{on}, the team is not shown to be better than {other}: the mean gain is "
        f"{number(gain.mean, 4)}, {ends}.{otherwise}"
    )


def confirmed(facts: Facts) -> Iterator[str]:
    """The confirmation, and the optimism of the search."""
    search = facts.search
    assert search is not None
    yield from team_sentences(facts)
    yield from risk_sentences(facts)
    gain = search.gain
    if gain is None:
        if search.unconfirmed:
            yield f"The gain was not confirmed: {search.unconfirmed}."
        return
    yield _measured(facts, gain)
    if not gain.unseen:
        yield "Of other problems this says nothing: measure them with `racing test`."
    found, baseline = facts.found or facts.winner, search.baseline
    for one, limits in ((found, gain.limits), (baseline, gain.baseline_limits)):
        for limit in limits:
            yield limit_sentence(refer(one), limit, "instances of the confirmation")
    if gain.training is not None:
        instances, chosen = count(gain.training_pairs, "instance"), number(gain.training, 4)
        yield f"On {instances} of the choice, the gain was {chosen}; they favour what they chose."


def risk_sentences(facts: Facts) -> Iterator[str]:
    """The probability that decided, and what would decide where it is too large."""
    if facts.worse is None or facts.found is None:
        return
    found, allowed = refer(facts.found), number(facts.risk, 2)
    chance = number(facts.worse, 2) if facts.worse >= _LEAST else f"below {_LEAST}"
    worse = "worse" if facts.front is None else "better in no metric"
    said = f"By all outcomes, {found} is {worse} than {refer(facts.baseline)} with probability"
    if facts.worse <= facts.risk:
        yield f"{said} {chance}; {allowed} is allowed."
        return
    gain = None if facts.search is None else facts.search.gain
    needed = "" if gain is None else _needed(gain)
    yield f"{said} {chance}; it wins at {allowed} or less.{needed}"


def _needed(gain: Gain) -> str:
    """About how many problems would decide, if the gain is as measured."""
    if gain.mean is None or not 0 < gain.mean < math.inf or not math.isfinite(gain.low):
        return ""
    if gain.low > 0:
        return ""
    many = math.ceil(gain.problems * ((gain.mean - gain.low) / gain.mean) ** 2)
    about = number(many, 2)
    return f" If the gain is as measured, `racing test` on about {about} problems decides."


def front_confirmed(facts: Facts) -> Iterator[str]:
    """How a front compares with the baseline as confirmed, of a search and of a test."""
    if facts.search is not None:
        yield from _searched_front(facts.search)
    if facts.held_out_front is not None:
        yield from held_out_front_sentences(facts.held_out_front)


def _searched_front(search: SearchFacts) -> Iterator[str]:
    if search.unconfirmed:
        yield f"The front was not confirmed: {search.unconfirmed}."
    found = list(search.front_gains.values())
    if not found:
        return
    said = gains_sentence(found, refer(search.baseline))
    on = max((one for gains in found for one in gains.values()), key=lambda one: one.pairs)
    yield f"On {on.where}, {said[0].lower()}{said[1:]}"
    if not on.unseen:
        yield "Of other problems this says nothing: measure them with `racing test`."
    if (had := _problems(found)) < FEW:
        yield (
            f"`confirm` reserves evaluations for this: {math.ceil(FEW / max(had, 1))} times as "
            f"many are enough for {FEW} instances. `racing test` runs the front on further ones."
        )


def held_out_front_sentences(found: HeldOutFront) -> list[str]:
    """What held-out instances say of a front."""
    where = f"On {count(len(found.instances), 'instance')} that the run has not seen"
    front = [one.candidate for one in found.standings if one.candidate != found.default]
    kept = sum(one.id in found.undominated for one in front)
    said = [f"{where}, {kept} of the {len(front)} shown are on the front of these."]
    if found.default is not None and found.gains:
        stays = found.default.id in found.undominated
        word = "is not dominated" if stays else "is dominated"
        said[0] = f"{said[0][:-1]}, and {refer(found.default)} {word}."
        gains = [dict(zip(found.metrics, own, strict=True)) for own in found.gains.values()]
        said.append(gains_sentence(gains, refer(found.default)))
    return said


def gains_sentence(found: Sequence[Mapping[str, Gain]], against: str) -> str:
    """How many of a front are shown to be better than another configuration.

    Few instances that show nothing are said to be too few: none need be as good as the other.

    Parameters
    ----------
    found
        The gains of each configuration, by metric.
    """
    better = {name: sum(gains[name].low > 0 for gains in found) for name in found[0]}
    if _problems(found) < FEW and not any(better.values()):
        return (
            f"It cannot be said which of the {len(found)} compared are better than {against}: that "
            f"takes {FEW} instances or more."
        )
    free = sum(_dominates(gains) for gains in found)
    return (
        f"Of the {len(found)} compared, "
        f"{listed([f'{_are(many)} shown to be better in {name}' for name, many in better.items()])}"
        f" than {against}, by 95 % intervals that hold all at once; {_are(free)} so in some metric "
        "and not shown to be worse in another."
    )


def _problems(found: Sequence[Mapping[str, Gain]]) -> int:
    """How many different problems the gains are of."""
    return max(one.problems for gains in found for one in gains.values())


def _are(many: int) -> str:
    return f"{many or 'none'} is" if many < 2 else f"{many} are"


def _dominates(gains: Mapping[str, Gain]) -> bool:
    """Whether it is better in some metric, and shown to be worse in none."""
    return any(one.low > 0 for one in gains.values()) and all(
        one.high >= 0 for one in gains.values()
    )


def _measured(facts: Facts, gain: Gain) -> str:
    """The mean difference as confirmed, called a gain or a loss only where it is one."""
    search = facts.search
    assert search is not None
    found, baseline = facts.found or facts.winner, search.baseline
    name, against = refer(found), refer(baseline)
    if found != facts.winner:
        name = f"{name}, the best other,"
    said = _failures(gain, name, against)
    if gain.mean is None:
        return f"The gain is not known: on no instance of the confirmation did both succeed.{said}"
    on = f"On {gain.where}"
    level = percent(gain.confidence)
    size = " ".join(filter(None, (number(abs(gain.mean), 4), shown(facts.unit, 30))))
    if not (math.isfinite(gain.low) and math.isfinite(gain.high)):
        side = name if gain.mean > 0 else against
        few = f"too few instances for a {level} interval"
        return f"{on}, the mean difference is {size} in favour of {side.rstrip(',')} ({few}).{said}"
    low, high = gain.low, gain.high
    if low > 0 or high < 0:
        a, b = (low, high) if low > 0 else (-high, -low)
        words = ("better", "worse") if gain.decided_by == "equal" else ("cheaper", "dearer")
        word = words[low <= 0]
        ends = f"{level} interval {number(a, 4)} to {number(b, 4)}"
        return f"{on}, {name} is {word} than {against} by {size} on average, {ends}.{said}"
    return (
        f"{on}, {name} is not shown to differ from {against}: the mean gain is "
        f"{number(gain.mean, 4)}, and its {level} interval ({number(low, 4)} to "
        f"{number(high, 4)}) contains 0.{said}"
    )


def _failures(gain: Gain, name: str, against: str) -> str:
    if not (gain.winner_failures or gain.baseline_failures):
        return ""
    return (
        f" There {against} failed {count(gain.baseline_failures, 'time')} and "
        f"{name.split(',')[0]} {count(gain.winner_failures, 'time')}."
    )
