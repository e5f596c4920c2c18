"""The answer of a run: which candidate is best, by how much, and whether that is shown.

Terminal, page, JSON and notebook have this one answer. The words follow the evidence: a gain is
called one only where its interval lies above 0, and what unseen problems say comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from racing.answer import head
from racing.answer.gain import Gain
from racing.answer.head import NOTHING, Answer, Beside, alike
from racing.answer.tested import best_of_runs, few_problems, front_sentence, headline
from racing.answer.tested import sentences as of_test
from racing.answer.words import limit_sentences, missed, problems_needed, sentence, sized, where
from racing.base.words import count, listed, number, refer, shown
from racing.core.candidate import Candidate
from racing.core.fronts import LIKELY
from racing.core.view import (
    View,
    beside_default,
    best_of,
    default_of,
    keeps_default,
    only_instance,
)

if TYPE_CHECKING:
    from racing.search import SearchBase

FEW_NAMES = 8
"""The most names in a sentence."""

_LEAST = 0.001
"""A smaller probability is told as below this."""


def answer(view: View, beside: Beside = NOTHING) -> Answer:
    """The answer of a race or search in any state."""
    winner, search = view.winner, view.as_search
    if winner is None:
        causes = tuple(_causes(view, beside)) if head.all_failed(view) else ()
        return Answer(headline=_no_winner(view, beside), sentences=causes)
    if alike(view) == "all":
        said = "Nothing to choose: every evaluation had the same cost."
        check = "Check what the target returns, or choose instances that are harder."
        return Answer(headline=said, sentences=(check,), gain=Gain(why=said))
    if head.is_front(view):
        told = Gain(why="Of a front, each metric has a gain of its own.")
        said = _front_headline(view, winner, told)
        sentences = (*_front(view, beside), *_other_team(beside))
        return Answer(headline=said, sentences=sentences, gain=told)
    if search is not None and head.has_team(search):
        return _team_answer(view, search, beside)
    tested = beside.test("winner")
    told = _head_gain(view, winner, beside)
    return Answer(
        headline=_headline(view, winner, told) if tested is None else headline(tested),
        sentences=(*_winner(view, beside, told), *_other_team(beside)),
        gain=told,
    )


# --- no winner --------------------------------------------------------------------------------


def _no_winner(view: View, beside: Beside) -> str:
    if head.all_failed(view):
        return f"Every evaluation failed: {shown(_cause(beside), 120)}"
    if view.stopped is not None:
        return "There is no winner."
    begun = view.outcomes or beside.messages
    return "No candidate is ahead yet." if begun else "The run has not begun."


def _cause(beside: Beside) -> str:
    message = "no message"
    if beside.messages:
        first = beside.messages[0]
        message = ": ".join(filter(None, (first.message, first.last_line)))
    return message if message.endswith((".", "!", "?")) else f"{message}."


def _causes(view: View, beside: Beside) -> Iterator[str]:
    kinds, done = len(beside.messages), int((~np.isnan(view.results.costs)).sum())
    yield (
        f"{count(done, 'evaluation')} failed"
        + (f", in {kinds} ways; the headline has the most frequent" if kinds > 1 else "")
        + "."
    )


# --- one winner -------------------------------------------------------------------------------


def _head_gain(view: View, winner: Candidate, beside: Beside) -> Gain:
    """As tested, else as confirmed, else of the choice."""
    if (tested := beside.test("winner")) is not None:
        return tested.gain
    if view.as_search is not None:
        return _confirmed_gain(view.as_search, winner, beside.units)
    if (found := head.raced_gain(view)) is not None:
        return found.in_units(beside.units)
    if best_of(view) == default_of(view):
        return Gain(why=f"Nothing is shown to be better than {refer(winner)}.")
    return Gain(why=f"{refer(winner)} and {refer(default_of(view))} share no instance.")


def _confirmed_gain(search: SearchBase, winner: Candidate, units: Mapping[str, str]) -> Gain:
    if search.baseline is None:
        return Gain(why="There is no default to compare with.")
    if search.gain is not None:
        return search.gain.in_units(units)
    other = refer(search.baseline)
    if search.found is None:
        return Gain(why=f"Nothing is shown to be better than {other}.")
    return Gain(why=f"The gain of {refer(search.found)} over {other} was not measured.")


def _headline(view: View, winner: Candidate, told: Gain) -> str:
    """The result of a run for one winner, without a test, in one short sentence."""
    name, search, tie = refer(winner), view.as_search, alike(view)
    if head.misses_all(view):
        return f"No candidate meets all constraints; {name} is nearest."
    if view.stopped is None and not tie:
        return f"{name} is ahead so far."
    kept = winner.name == "default" and winner == view.baseline and not tie
    if search is not None or kept or (beside_default(view) and (keeps_default(view) or not tie)):
        return _beside_default(view, name, told)
    if tie:
        return f"A tie: {name} is one of {len(view.ranking())} that are equally good."
    if told.why and len(view.candidates) == 1:
        return f"{name} was the only candidate."
    if told.better or len(view.survivors) > 1:
        return _better(name, told)
    if told.why:
        return f"{name} wins: nothing better was found."
    return f"{name} is the last one left; its gain over {refer(told.over)} is not shown."


def _beside_default(view: View, name: str, told: Gain) -> str:
    """The outcome of a run that is over, beside its default."""
    baseline = view.baseline
    if baseline is None:
        return f"{name} is the best found."
    if view.winner == baseline:
        what = "found" if view.found in (None, baseline) else "shown"
        return f"Keep {name}: nothing better was {what}."
    if beside_default(view) and not told.better:
        where = " on the only instance" if only_instance(view) else ", as far as one can tell"
        return f"{name} is better than {refer(baseline)}{where}."
    return _better(name, told)


def _better(name: str, told: Gain) -> str:
    """What is beaten, by which constraints, and on what, where that is not unseen problems."""
    if not told.better:
        return f"Undecided: {name} is best so far."
    misses = f", which misses {of}" if (of := missed(told)) else ""
    group = " in this group" if told.problems == 1 else " in these groups"
    known = {"seeds": " on these problems", "group": group, "choice": " on these instances"}
    where = known.get(told.of, "")
    return f"{name} is better than {refer(told.over)}{misses}{where}."


def _winner(view: View, beside: Beside, told: Gain) -> Iterator[str]:
    """The gain of a winner, and what it is worth."""
    search, tested = view.as_search, beside.test("winner")
    if tested is not None:
        yield from of_test(tested)
    elif search is not None:
        yield from _confirmed(view, search, beside.units)
    elif not told.why:
        yield sentence(told)
        yield from () if only_instance(view) else _risk(view)
        yield from _of_the_choice(view, told)
    elif len(view.candidates) > 1:
        yield f"{refer(view.winner)} is what the others are compared with."
    if tested is None:
        yield from _constraints(view)
    yield from beside.families
    if search is None:
        yield from _others(view)


def _confirmed(view: View, search: SearchBase, units: Mapping[str, str]) -> Iterator[str]:
    """The decision of a search, and what its confirmation says."""
    yield from _risk(view)
    if search.gain is None:
        if search.unconfirmed:
            yield f"The gain was not confirmed: {search.unconfirmed}."
        return
    told = search.gain.in_units(units)
    yield sentence(told)
    yield from _of_others(told)
    yield from limit_sentences(told)
    if (chosen := told.chosen) is not None and chosen.estimate is not None:
        size = sized(chosen, chosen.estimate)
        yield f"On {where(chosen)}, the gain was {size}; they favour what they chose."


def _risk(view: View) -> Iterator[str]:
    """The probability that decided, and what would decide where it is too large."""
    if view.found is None or not beside_default(view):
        return
    search, found, allowed = view.as_search, refer(view.found), number(view.risk, 2)
    if view.worse is None or only_instance(view):
        yield f"One instance cannot show whether {found} is better on others, or with other seeds."
        return
    chance = number(view.worse, 2) if view.worse >= _LEAST else f"below {_LEAST}"
    worse = "better in no metric" if head.is_front(view) else "worse"
    said = f"By all outcomes, {found} is {worse} than {refer(view.baseline)} with probability"
    if view.worse <= view.risk:
        yield f"{said} {chance}; {allowed} is allowed."
        return
    needed = None if search is None or search.gain is None else problems_needed(search.gain)
    more = ""
    if needed is not None:
        about = number(needed, 2)
        more = f" If the gain is as measured, a test on about {about} problems decides."
    yield f"{said} {chance}; it wins at {allowed} or less.{more}"


def _of_others(told: Gain) -> Iterator[str]:
    if told.of == "seeds":
        yield "Of other problems this says nothing: only a test on them does."
    if told.of == "group":
        yield "Of other groups, such as other data sets, this says nothing."


def _of_the_choice(view: View, told: Gain) -> Iterator[str]:
    """What a gain on instances of the choice is worth."""
    over = refer(told.over)
    for one in told.over_limits:
        if not one.met and one.mean is not None:
            yield f"But {over} misses {one.text} (mean {number(one.mean, 4)}), which counts first."
    if told.evidence == "better":
        yield "These instances also chose the winner, so the gain is overstated."
    elif told.evidence == "worse" and not beside_default(view):
        yield f"By this comparison {over} is better; the rule looks at more than it."


def _constraints(view: View) -> Iterator[str]:
    """Whether the winner meets the constraints, on the instances of the choice."""
    own = head.own_place(view)
    if own is None or not own.limits:
        return
    means = listed(
        [
            f"{text} (mean {'–' if mean is None else number(mean, 4)})"
            for text, (mean, _) in own.limits.items()
        ]
    )
    name = refer(own.candidate)
    if head.misses_all(view):
        yield f"No candidate left meets all constraints; {name} misses them by least: {means}."
    else:
        yield f"{name} meets {means} on the instances of the choice."


def _others(view: View) -> Iterator[str]:
    """The other survivors."""
    ranking, winner = view.ranking(), view.winner
    left = {one.candidate.id: one.candidate for one in ranking}  # those of the standing first
    left |= {one.id: one for one in view.survivors}
    others = [refer(one) for one in left.values() if one != winner]
    if not others:
        return
    if alike(view) == "survivors":
        yield (
            f"The {len(ranking)} candidates that are left have equal costs on all "
            f"{ranking[0].instances} instances, so nothing tells them apart."
        )
    elif view.stopped is None:
        yield f"Not dropped yet: {listed(others, FEW_NAMES)}."
    else:
        yield f"The rule has not dropped {listed(others, FEW_NAMES)} either."


# --- a front ----------------------------------------------------------------------------------


def _front_headline(view: View, winner: Candidate, told: Gain) -> str:
    if keeps_default(view):
        return _beside_default(view, refer(winner), told)
    name, now = refer(winner), " so far" if view.stopped is None else ""
    many = len(view.front_standing().front)
    if many < 2:
        return f"{name} is alone on the front{now}: it dominates all others."
    return f"{many} candidates are on the front{now}; the best compromise is {name}."


def _front(view: View, beside: Beside) -> Iterator[str]:
    """The uncertainty of the front, and how it compares with the default."""
    found, search = view.front_standing(), view.as_search
    yield from _risk(view)
    chances = [one.on_front for one in found.front]
    likely = sum(chance is not None and chance >= LIKELY for chance in chances)
    if likely < len(chances):
        yield (
            f"{likely or 'None'} of the {len(chances)} {'is' if likely < 2 else 'are'} "
            "likely on the front of the true means; of the others this is open."
        )
    if found.maybe:
        names = listed([refer(one.candidate) for one in found.maybe], FEW_NAMES)
        yield f"Dominated here, but perhaps on it: {names}."
    if search is not None:
        yield from _searched_front(search)
    if (tested := beside.test("front")) is not None:
        yield from of_test(tested)


def _searched_front(search: SearchBase) -> Iterator[str]:
    if search.unconfirmed:
        yield f"The front was not confirmed: {search.unconfirmed}."
    gains = tuple(one for own in search.front_gains.values() for one in own.values())
    if not gains:
        return
    said = front_sentence(gains)
    on = max(gains, key=lambda one: one.pairs)
    yield f"On {where(on)}, {said[0].lower()}{said[1:]}"
    yield from _of_others(on)
    if few_problems(gains):
        yield (
            "A larger `confirm` reserves more evaluations for this; a test runs the front on "
            "further problems."
        )


# --- a team -----------------------------------------------------------------------------------


def _team_answer(view: View, search: SearchBase, beside: Beside) -> Answer:
    """A team; its gain is that over the default, else over the single best."""
    tested, names = beside.test("team"), listed([refer(one) for one in search.team])
    found = (
        (search.team_gain_over_default, search.team_gain) if tested is None else tested.gains[::-1]
    )
    told = next((one.in_units(beside.units) for one in found if one is not None), None)
    told = told or Gain(why="The gain of the team was not measured.")
    alone = tuple(_winner(view, beside, told))
    whose = f"The rest is of one configuration alone, {refer(best_of(view) or view.winner)}."
    return Answer(
        headline=f"The team{' so far' if view.stopped is None else ''}: {names}.",
        sentences=(*_team(search, beside), *[whose] * bool(alone), *alone),
        gain=told,
    )


def _other_team(beside: Beside) -> Iterator[str]:
    """A team of the candidates of a run that was not for one, as tested."""
    if (tested := beside.test("team")) is not None:
        yield f"The candidates {listed([refer(one) for one in tested.result])} as a team:"
        yield from of_test(tested)


def _team(search: SearchBase, beside: Beside) -> Iterator[str]:
    """The team of a search, and what it gains as tested, else as confirmed."""
    many = f"{len(search.team)} of {search.portfolio} members"
    yield f"The team has {many}; on each instance, the best of them counts."
    if search.single is None:
        if search.done:
            yield "Its gain is not known: the search ended before it was measured."
        return
    if (tested := beside.test("team")) is not None:
        yield from of_test(tested)
        return
    gains = dict.fromkeys([search.team_gain, search.team_gain_over_default])
    known = [one.in_units(beside.units) for one in gains if one and one.estimate is not None]
    yield from map(sentence, known)
    if known and not known[0].better:
        yield "One configuration may do."
    if known:
        as_often = (
            f"`racing test` runs {refer(search.single)} as often, if the target takes a seed."
        )
        yield f"{best_of_runs(str(search.single))} {as_often}"
    else:
        yield "Its gain is not known: the budget had no runs left for it."
