"""What is said of problems is true: words of every state beside the instances in its log."""

from __future__ import annotations

import re

import pytest

import racing
from racing import Candidate, Instances
from racing.answer.html import html
from racing.log import Header, MemoryLog
from racing.log.recorder import Recorder
from racing.report.facts import facts_after
from racing.report.notebook import head
from racing.search import IteratedRacing, IteratedSettings, PortfolioSearch, Search
from tests.search.kit import noisy

SPACE = {"x": {"real": [0, 1], "default": 0.9}}
STREAMS = {
    "few": Instances(range(8), repeat=True),
    "many": Instances(range(24), repeat=True),
    "few once": Instances(range(15)),
    "many once": Instances(range(60)),
    "reached": Instances(range(15), repeat=True),
}
METRICS = {"cost": {}, "size": {}}


def decider(kind: str, stream: Instances) -> racing.Race | Search:
    if kind == "race":
        return racing.Race([{"x": 0.1}, {"x": 0.9}], stream, budget=60)
    if kind == "default":
        given = [Candidate(1, {"x": 0.9}, "default"), Candidate(2, {"x": 0.1})]
        return racing.Race(given, stream, budget=60)
    if kind == "irace":
        settings = IteratedSettings(confirm=0.1)
        return IteratedRacing(SPACE, stream, budget=300, settings=settings)
    if kind == "team":
        return PortfolioSearch(SPACE, stream, budget=600, portfolio=2)
    if kind == "front":
        aim = {"front": ["cost", "size"]}
        return Search(SPACE, stream, budget=300, metrics=METRICS, objective=aim)
    return Search(SPACE, stream, budget=50 if kind == "small" else 300)


def finished(kind: str, stream: str, extensions: int = 0) -> tuple[MemoryLog, object, set[int]]:
    """The log of a run, what ran, and the numbers of the problems that it learned from."""
    one = decider(kind, STREAMS[stream])
    scenario = {"instances": {"problems": list(STREAMS[stream].problems)}}
    header = Header(
        name=kind, seed=one.seed, direction="minimize", objective="mean", scenario=scenario
    )
    log, learned, target = MemoryLog(header), set(), noisy(0.2)
    recorder = Recorder(one, log)
    for extended in range(extensions + 1):
        if extended:
            one.extend(one.spent.evaluations + 150)
        while not one.done:
            for each in recorder.ask():
                if isinstance(one, racing.Race) or one.phase not in ("confirmation", "team"):
                    learned.add(each.instance.number)
                outcome = target(each)
                if kind == "front":
                    x = float(each.candidate.values["x"])
                    outcome = each.outcome(outcome.cost, metrics=(outcome.cost, x))
                recorder.tell(outcome)
    recorder.finish(elapsed=1.0)
    return log, one, learned


STATES = [
    *((kind, stream, 0) for kind in
      ("race", "default", "irace", "team", "front", "search", "small") for stream in STREAMS),
    *((kind, stream, 2) for kind in ("irace", "front", "search") for stream in STREAMS),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "stream", "extensions"), STATES)
def test_words_of_problems_are_true(kind: str, stream: str, extensions: int) -> None:
    log, one, learned = finished(kind, stream, extensions)
    said = facts_after(one, log).answer
    shown = html([*head(one)])
    text = " ".join([said.headline, *said.sentences, re.sub("<[^>]*>", " ", shown)])
    assert "unseen instance" not in text
    if kind not in ("race", "team", "front"):
        assert said.headline in shown
    kept = said.headline.startswith("Keep default")
    if kind != "team":  # whose members are told in place of its winner
        assert kept == (one.winner.name == "default")
    assert kept == (one.worse is not None and one.worse > one.risk) or kind in ("race", "team")
    if one.worse is not None and one.found is not None and kind != "team":
        assert f"By all outcomes, {one.found} is " in text
    told = re.findall(r"(?:(\d+) instances? of )?(\d+) (unseen|known) problems?", text)
    if isinstance(one, racing.Race):
        assert not told
        return
    fresh = {one.instance(step).number for step in one.unseen}
    for _, problems, word in told:
        assert int(problems) <= len(fresh)
        if kind != "team":  # whose runs on instances of the choice are in phase `team` too
            assert (word == "unseen") == fresh.isdisjoint(learned)
    assert fresh.isdisjoint(learned) or not one.set_aside or kind == "team"
    known = any(word == "known" for *_, word in told)
    assert known == ("Of other problems this says nothing" in text) or kind == "team"
