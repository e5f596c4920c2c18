"""What instances that a run has not met say of its result: of its winner, its front or its team."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from racing.answer.gain import FEW, Gain
from racing.answer.place import Place
from racing.answer.words import limit_sentences, missed, sentence, sized
from racing.base.words import count, listed, refer
from racing.core.candidate import Candidate


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class UnseenTest:
    """A test of a run's result on instances that the run has not met.

    Attributes
    ----------
    kind
        What was tested: the run's `winner`, its shown `front`, or its `team`.
    result
        The winner; the members of the front or of the team.
    others
        What it is compared with: the default or another candidate; of a team the single best first.
    drawn
        Whether the other candidate was drawn at random, as there was no default: it says nothing
        that the winner is better.
    instances, families
        Names, in the order of the rows of `costs`, and the family of each; () if none is said.
    costs : (n, m)
        Of `result` and `others`, each once, in this order; lower is better, +inf = failed. Each
        member of a team has a seed of its own, and others have that of the first.
    failed : (n, m)
        What failed, though a penalty may stand in `costs`; None if +inf says so.
    metrics
        Of a front, such costs in each of its metrics.
    groups
        The group of each instance, by number; () if they are independent.
    gains
        Of a winner one; of a front those of each member in each metric over the default, whose
        intervals hold all at once; of a team those over the best of as many runs of each other, or
        over one run where these were not made.
    once
        Of a team, the gains over one run of each other, in the order of `gains`.
    means
        What each of them did on these instances, in the order of `costs`, as scores.
    best
        Of a front, the id of the best compromise of the run.
    undominated
        Of a front, the ids of those on the front of these instances.

    Examples
    --------
    >>> import racing
    >>> from pathlib import Path
    >>> from racing.cli.init import write
    >>> race = racing.run(write(Path("tested"))[0], log="tested.sqlite")
    >>> found = racing.holdout("tested.sqlite", [f"day-{day}" for day in range(31, 39)])
    >>> found.gain.evidence
    'better'
    """

    kind: Literal["winner", "front", "team"]
    result: tuple[Candidate, ...]
    others: tuple[Candidate, ...]
    instances: tuple[str, ...]
    costs: np.ndarray
    gains: tuple[Gain, ...]
    drawn: bool = False
    families: tuple[str, ...] = ()
    failed: np.ndarray | None = None
    metrics: tuple[np.ndarray, ...] = ()
    groups: tuple[int, ...] = ()
    once: tuple[Gain, ...] = ()
    means: tuple[Place, ...] = ()
    best: int | None = None
    undominated: frozenset[int] = field(default_factory=frozenset)

    @property
    def gain(self) -> Gain:
        """The first gain: of the winner, or of the team over the single best."""
        return self.gains[0]

    def in_units(self, units: Mapping[str, str]) -> UnseenTest:
        """The same with the unit of each gain: see `Gain.in_units`."""
        gains, once = ([one.in_units(units) for one in own] for own in (self.gains, self.once))
        same = self.gains == self.once  # as one object, which says that nothing ran again
        return replace(self, gains=tuple(gains), once=tuple(gains if same else once))

    def __str__(self) -> str:
        return " ".join(sentences(self))

    def __repr__(self) -> str:
        return f"<UnseenTest: {self}>"


def headline(found: UnseenTest) -> str:
    """The result of a test of a winner, in one sentence."""
    one = found.gain
    name, over, of = refer(one.name), refer(one.over), missed(one)
    if one.evidence not in ("better", "worse"):
        return f"Undecided: {name} is not shown to be better than {over}."
    who = over if one.better else "it"
    why = f": {who} misses {of}" if of else ""
    return f"{name} is {one.evidence} than {over} on unseen problems{why}."


def sentences(found: UnseenTest) -> Iterator[str]:
    """The result of a test, how sure it is, and what follows."""
    if found.kind == "front":
        yield from _front(found)
    elif found.kind == "team":
        yield from map(_beside, found.gains, found.once)
    else:
        yield sentence(found.gain)
        yield from limit_sentences(found.gain)
        yield from _follows(found)


def _follows(found: UnseenTest) -> Iterator[str]:
    """What the test of a winner decides."""
    name, over = refer(found.gain.name), refer(found.gain.over)
    if found.drawn:
        yield (
            f"{over} was drawn at random, as the run had no default, so this says nothing of the "
            f"gain: --against NAME compares {name} with another candidate, and a default in the "
            "scenario with what you use now."
        )
    elif found.gain.evidence == "worse":
        yield f"The run was misled: keep {over}."
    elif found.gain.evidence == "better" and found.gain.decided_by != "equal":
        yield f"A candidate that misses a constraint is worse, so keep {name}."


def _beside(again: Gain, once: Gain) -> str:
    """The gain of a team, beside as many runs of the other where these were made."""
    said = sentence(again)
    if again is once:
        return f"{said} {best_of_runs(once.over)}"
    if once.estimate is None:
        return said
    side = "better" if once.estimate >= 0 else "worse"
    return f"{said} Beside one run it is {sized(once, abs(once.estimate))} {side}."


def best_of_runs(other: str) -> str:
    """What a gain of a team over one run of another configuration is."""
    return (
        f"The team has several runs on each instance and {refer(other)} one: the best of several "
        "cannot be worse than one of them."
    )


def _front(found: UnseenTest) -> Iterator[str]:
    members = [one for one in found.result if one not in found.others]
    kept = sum(one.id in found.undominated for one in members)
    said = (
        f"On {count(len(found.instances), 'unseen problem')}, {kept} of the {len(members)} shown "
        "are on the front of these"
    )
    if not found.others:
        yield f"{said}."
        return
    (default,) = found.others
    word = "is not dominated" if default.id in found.undominated else "is dominated"
    yield f"{said}, and {refer(default)} {word}."
    yield front_sentence(found.gains)


def front_sentence(gains: tuple[Gain, ...]) -> str:
    """How many of a front are shown to be better than another configuration, in which metric.

    Few instances that show nothing are said to be too few: none need be as good as the other.
    """
    members: dict[str, list[Gain]] = {}
    for one in gains:
        members.setdefault(one.name, []).append(one)
    metrics = list(dict.fromkeys(one.metric for one in gains))
    over = refer(gains[0].over)
    if few_problems(gains) and not any(one.low > 0 for one in gains):
        return (
            f"It cannot be said which of the {len(members)} compared are better than {over}: that "
            f"takes {FEW} problems or more."
        )
    better = {name: sum(one.low > 0 for one in gains if one.metric == name) for name in metrics}
    free = sum(
        any(one.low > 0 for one in own) and all(one.high >= 0 for one in own)
        for own in members.values()
    )
    shown = listed([f"{_are(many)} shown to be better in {name}" for name, many in better.items()])
    return (
        f"Of the {len(members)} compared, {shown} than {over}, by 95 % intervals that hold all at "
        f"once; {_are(free)} so in some metric and not shown to be worse in another."
    )


def few_problems(gains: tuple[Gain, ...]) -> bool:
    """Whether the gains of a front are of too few problems to show anything."""
    return max(one.problems for one in gains) < FEW


def _are(many: int) -> str:
    return f"{many or 'none'} is" if many < 2 else f"{many} are"
