"""The answer of a run in words: which candidate is best, by how much, and whether that is shown.

The words follow the evidence. A gain is called one only where its interval lies above 0; the
result on held-out instances comes before that on the instances of the choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from racing.base.words import count, listed, number
from racing.core.candidate import Candidate
from racing.core.fronts import LIKELY
from racing.core.standing import FrontStanding, Standing
from racing.report.facts import Facts
from racing.report.family_words import family_sentences
from racing.report.gain import WinnerGain
from racing.report.limit_words import limit_sentences, missed
from racing.report.names import refer, shown
from racing.report.paired import FEW, Paired
from racing.report.search_answer import (
    confirmed,
    front_confirmed,
    has_team,
    outcome_over_default,
    risk_sentences,
    search_headline,
    team_sentences,
)

UNDECIDED = "Undecided"
"""Begins a headline where nothing is shown."""

FEW_NAMES = 8
"""The most names in a sentence."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer of a run.

    Attributes
    ----------
    headline
        The result, in one short sentence.
    sentences
        By how much, how sure, and what cannot be said.
    """

    headline: str
    sentences: tuple[str, ...]

    @property
    def undecided(self) -> bool:
        """Whether the best so far is not shown to be better."""
        return self.headline.startswith(UNDECIDED)


def answer(facts: Facts) -> Answer:
    """The answer of a run in any state."""
    return Answer(headline=_headline(facts), sentences=tuple(_sentences(facts)))


def _headline(facts: Facts) -> str:
    if facts.all_failed:
        return f"Every evaluation failed: {shown(_cause(facts), 120)}"
    if facts.winner is None:
        if facts.stopped is not None:
            return "There is no winner."
        begun = any(expense.evaluations for expense in facts.expenses)
        return "No candidate is ahead yet." if begun else "The run has not begun."
    if facts.alike == "all":
        return "Nothing to choose: every evaluation had the same cost."
    if facts.default_kept and (facts.front is not None or facts.search is None):
        return outcome_over_default(facts)
    if facts.front is not None:
        return _front_headline(facts.front, facts.winner, so_far=facts.stopped is None)
    if facts.tested is not None and not has_team(facts):
        return _tested_headline(facts.tested)
    if _misses(facts):
        return f"No candidate meets all constraints; {refer(facts.winner)} is nearest."
    if facts.search is not None:
        return search_headline(facts)
    return _race_headline(facts, facts.winner)


def _front_headline(found: FrontStanding, winner: Candidate, *, so_far: bool) -> str:
    name, now = refer(winner), " so far" if so_far else ""
    if len(found.front) < 2:
        return f"{name} is alone on the front{now}: it dominates all others."
    return f"{len(found.front)} candidates are on the front{now}; the best compromise is {name}."


def _front_sentences(found: FrontStanding) -> Iterator[str]:
    """The certainty of the front."""
    chances = [one.on_front for one in found.front]
    likely = [chance for chance in chances if chance is not None and chance >= LIKELY]
    if len(likely) < len(chances):
        yield (
            f"{len(likely) or 'None'} of the {len(chances)} {'is' if len(likely) < 2 else 'are'} "
            "likely on the front of the true means; of the others this is open."
        )
    if found.maybe:
        names = [refer(one.candidate) for one in found.maybe]
        more = f" and {len(names) - FEW_NAMES} more" if len(names) > FEW_NAMES else ""
        yield f"Dominated here, but perhaps on it: {', '.join(names[:FEW_NAMES])}{more}."


def _race_headline(facts: Facts, winner: Candidate) -> str:
    name, gain = refer(winner), facts.gain
    if facts.alike == "survivors":
        return f"A tie: {name} is one of {len(facts.standing)} that are equally good."
    if facts.stopped is None:
        return f"{name} is ahead so far."
    alone = len(facts.survivors) == 1
    if facts.worse is not None:
        return outcome_over_default(facts)
    if gain is None:
        if len(facts.expenses) == 1:
            return f"{name} was the only candidate."
        return f"{name} wins: nothing better was found." if alone else _undecided(name)
    against = refer(gain.against)
    if gain.evidence == "better":
        beaten = against + (f", which misses {of}" if (of := missed(gain)) else "")
        return f"{name} wins: it beats {beaten}." if alone else f"{name} beats {beaten}."
    if alone:
        return f"{name} is the last one left; its gain over {against} is not shown."
    return _undecided(name)


def _undecided(name: str) -> str:
    return f"{UNDECIDED}: {name} is best so far."


def held_out_sentences(gain: WinnerGain) -> tuple[str, ...]:
    """The result on held-out instances: the gain, how sure it is, and what follows."""
    return compared(gain), *_held_out_certainty(gain), _tested_headline(gain)


def _tested_headline(gain: WinnerGain) -> str:
    name, against = refer(gain.winner), refer(gain.against)
    of = missed(gain)
    match gain.evidence:
        case "better":
            why = f": {against} misses {of}" if of else ""
            return f"{name} is better than {against} on held-out instances{why}."
        case "worse":
            why = f": it misses {of}" if of else ""
            return f"{name} is worse than {against} on held-out instances{why}."
    return f"{UNDECIDED}: {name} is not shown to be better than {against}."


def _sentences(facts: Facts) -> Iterator[str]:
    if facts.all_failed:
        yield from _causes(facts)
    if facts.winner is None:
        return
    if facts.alike == "all":
        yield "Check what the target returns, or choose instances that are harder."
        return
    if facts.front is not None:
        yield from _front_sentences(facts.front)
        yield from risk_sentences(facts)
        yield from front_confirmed(facts)
        return
    if facts.tested is not None:
        yield from team_sentences(facts)
        yield compared(facts.tested)
        yield from _held_out_certainty(facts.tested)
    elif facts.search is not None:
        yield from confirmed(facts)
    elif facts.gain is not None:
        yield compared(facts.gain)
        yield from _certainty(facts, facts.gain)
    elif len(facts.expenses) > 1:
        yield f"{refer(facts.winner)} is what the others are compared with."
    yield from _constraints(facts)
    yield from family_sentences(facts.families)
    if facts.search is None:
        yield from _equals(facts)


def _own(facts: Facts) -> Standing | None:
    """The winner's place in the standing."""
    return next((one for one in facts.standing if one.candidate == facts.winner), None)


def _misses(facts: Facts) -> bool:
    """Whether the winner misses a constraint on the instances of the choice, as all others do."""
    own = _own(facts)
    return own is not None and not all(met for _, met in own.limits.values())


def _constraints(facts: Facts) -> Iterator[str]:
    """Whether the winner meets the constraints, on the instances of the choice; before a test."""
    if facts.tested is not None:
        return
    own = _own(facts)
    if own is None or not own.limits:
        return
    means = listed(
        [
            f"{text} (mean {'–' if mean is None else number(mean, 4)})"
            for text, (mean, _) in own.limits.items()
        ]
    )
    if not _misses(facts):
        where = "on these instances, on which it was also chosen"
        yield f"{refer(own.candidate)} meets {means} {where}."
    else:
        name = refer(own.candidate)
        yield f"No candidate left meets all constraints; {name} misses them by least: {means}."


def _cause(facts: Facts) -> str:
    first, _, last = facts.messages[0] if facts.messages else ("no message", 0, "")
    message = f"{first}: {last}" if last else first
    return message if message.endswith((".", "!", "?")) else f"{message}."


def _causes(facts: Facts) -> Iterator[str]:
    kinds = len(facts.messages)
    done = sum(expense.evaluations for expense in facts.expenses)
    yield (
        f"{count(done, 'evaluation')} failed"
        + (f", in {kinds} ways; the headline has the most frequent" if kinds > 1 else "")
        + ". `racing check` runs the target once and shows all that it writes."
    )


def compared(gain: WinnerGain) -> str:
    """The winner against another candidate: failures, the gain with its interval, and counts."""
    pair, name, against = gain.pair, refer(gain.winner), refer(gain.against)
    kind = "held-out instance" if gain.held_out else "instance"
    counts = (
        f"better on {pair.superiority.wins} of {pair.instances}, equal on "
        f"{pair.superiority.ties}, worse on {pair.superiority.losses}"
    )
    if not (pair.own_failures or pair.other_failures):
        gained = measured(pair, name, against, gain.unit)
        on = f"By {shown(gain.metric, 30)} alone, on" if gain.metric else "On"
        return f"{on} {count(pair.instances, kind)}, {gained}: {counts}."
    failed = _failures(pair, name, against)
    if not pair.succeeded:
        return f"{failed} {kind}s; on none did both succeed."
    rest = "one" if pair.succeeded == 1 else str(pair.succeeded)
    gained = measured(pair, name, against, gain.unit)
    return f"{failed} {kind}s; on the other {rest}, {gained}. {name} is {counts}."


def _failures(pair: Paired, name: str, against: str) -> str:
    own, other, of = pair.own_failures, pair.other_failures, pair.instances
    if own and other:
        return f"{against} failed on {other} and {name} on {own} of {of}"
    return f"{against if other else name} failed on {other or own} of {of}"


def measured(pair: Paired, name: str, against: str, unit: str = "") -> str:
    """The difference with its interval, called a gain or a loss only where it is one."""
    assert pair.gain is not None
    if pair.right is not None:
        return _shares(pair, name, against)
    estimate, ends = pair.gain.estimate, pair.interval
    size = counted_in(unit, number(abs(estimate), 4))
    if ends is None:
        few = "too few instances for a 95 % interval"
        return f"the median difference {_side(estimate, size, name, against)} ({few})"
    low, high = ends
    if low > 0:
        ends_said = f"{number(low, 4)} to {number(high, 4)}"
        return f"{name} gains {size} over {against} (median; 95 % interval {ends_said})"
    if high < 0:
        ends_said = f"{number(-high, 4)} to {number(-low, 4)}"
        return f"{name} loses {size} against {against} (median; 95 % interval {ends_said})"
    if low == high == 0:
        both = f"the median difference between {name} and {against}"
        return f"{both} and both ends of its 95 % interval are 0"
    return (
        f"the median difference {_side(estimate, size, name, against)}, and its 95 % interval "
        f"({number(low, 4)} to {number(high, 4)}) contains 0"
    )


def _shares(pair: Paired, name: str, against: str) -> str:
    """On how many instances each is right, and the difference in points (per cent of them)."""
    assert pair.right is not None
    assert pair.gain is not None
    own, other = pair.right
    said = f"{name} is right on {_percent(own)} % and {against} on {_percent(other)} %"
    low, high = _percent(pair.gain.low), _percent(pair.gain.high)
    if pair.evidence == "few":
        return f"{said} (too few instances for a 95 % interval)"
    p = "" if pair.mcnemar is None else f"; McNemar's p = {number(pair.mcnemar, 2)}"
    return f"{said} (the 95 % interval of the difference is {low} to {high} points{p})"


def _percent(share: float) -> str:
    return f"{100 * share:.3g}"


def counted_in(unit: str, text: str) -> str:
    """A number with its unit, if there is one."""
    return f"{text} {shown(unit, 30)}" if unit else text


def _side(estimate: float, size: str, name: str, against: str) -> str:
    if estimate == 0:
        return f"between {name} and {against} is 0"
    return f"is {size} in favour of {name if estimate > 0 else against}"


def _certainty(facts: Facts, gain: WinnerGain) -> Iterator[str]:
    """The evidence of the instances that the winner was chosen on."""
    name, against, evidence = refer(gain.winner), refer(gain.against), gain.evidence
    if gain.pair.groups is not None:
        yield grouped(gain.pair.groups)
    for one in gain.other_limits:
        if not one.met and one.mean is not None:
            mean, many = number(one.mean, 4), count(gain.pair.instances, "instance")
            yield f"But {against} misses {one.text} (mean {mean} on {many}), which counts first."
    yield from risk_sentences(facts)
    if facts.worse is not None and (facts.default_kept or evidence != "better"):
        return
    if evidence == "few":
        yield _few(gain.pair)
    elif evidence == "better":
        yield (
            "That lead is clear on these instances; they also chose the winner, so it is "
            "overstated."
        )
    elif evidence == "worse":
        yield f"By this comparison {against} is better; the rule looks at more than it."
    else:
        yield f"So {name} is not shown to be better than {against}."


def grouped(groups: int) -> str:
    """A note on the effective number of instances in groups."""
    many = count(groups, "group")
    return f"The instances come in {many}; each counts once in the interval and the test."


def _few(pair: Paired) -> str:
    """The sentence for too few instances."""
    what = "instance" if pair.groups is None else "group"
    return f"{count(pair.independent, what)} cannot decide this; {FEW} or more can."


def _held_out_certainty(gain: WinnerGain) -> Iterator[str]:
    name, against = refer(gain.winner), refer(gain.against)
    if gain.pair.groups is not None:
        yield grouped(gain.pair.groups)
    yield from limit_sentences(gain)
    match gain.evidence:
        case "better":
            wilcoxon = f" (Wilcoxon p = {number(gain.pair.test.pvalue, 2)})"
            p = wilcoxon if gain.pair.right is None else ""
            if gain.decided_by == "equal":
                yield f"The run did not meet these instances, so the gain is real{p}."
            else:
                yield f"A candidate that misses a constraint is worse, so keep {name}."
        case "worse":
            yield f"The run was misled: keep {against}."
        case "few":
            yield _few(gain.pair)
        case "open":
            yield f"Held-out instances do not tell {name} and {against} apart."


def _equals(facts: Facts) -> Iterator[str]:
    """The other survivors."""
    others = [refer(one) for one in facts.survivors if one != facts.winner]
    if not others:
        return
    if facts.alike == "survivors":
        yield (
            f"The {len(facts.standing)} candidates that are left have equal costs on all "
            f"{facts.standing[0].instances} instances, so nothing tells them apart."
        )
        return
    if facts.stopped is None:
        yield f"Also left: {listed(others)}."
    else:
        yield f"The rule has not dropped {listed(others)} either."
