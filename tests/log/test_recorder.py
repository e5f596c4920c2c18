"""Everything is in the log before it counts: whenever it fails, another recorder goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from racing.base.errors import LogError, RaceError
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.log import Header, MemoryLog, Recorder
from racing.race import Race
from racing.rules import Sign

HEADER = Header(name="sample", seed=1, racing="0.1.0")


class Told(Race):
    """A race that says what it is told, in the journal of its log."""

    journal: list[str]

    def tell(self, *told: object, **options: object) -> None:  # type: ignore[override]
        """Say it, then hear it."""
        self.journal.append("told")
        super().tell(*told, **options)  # type: ignore[arg-type]


class Journal(MemoryLog):
    """A log that says what is written to it, and fails at a write of this number."""

    def __init__(self, fails_at: int = 10**9) -> None:
        super().__init__(HEADER)
        self.said: list[str] = []
        self.left = fails_at

    def add(self, entrants: Sequence[Entrant]) -> None:  # type: ignore[override]
        """Candidates."""
        self._write("candidates")
        super().add(entrants)

    def record(self, outcome: Outcome, instance: Instance) -> None:
        """An outcome."""
        self._write("outcome")
        super().record(outcome, instance)

    def record_verdict(self, verdict: Verdict) -> None:
        """A verdict."""
        self._write("verdict")
        super().record_verdict(verdict)

    def _write(self, what: str) -> None:
        self.left -= 1
        if self.left < 0:
            raise LogError("no more")
        self.said.append(what)


def race(log: Journal) -> Told:
    """Four candidates, of which the sign test drops some."""
    found = Told([{"x": x} for x in range(4)], range(12), rule=Sign(), seed=1)
    found.journal = log.said
    return found


def outcome(one: Experiment) -> Outcome:
    """The cost is the candidate's number, with some noise."""
    return one.outcome(one.candidate.values["x"] + one.instance.seed % 3)


def driven(recorder: Recorder[Told], most: int = 10**9) -> None:
    """Run the race, or so many evaluations of it."""
    while most > 0 and recorder.decider.stopped is None:
        for one in recorder.ask(1):
            recorder.tell(outcome(one))
            most -= 1


def whole() -> tuple[Journal, Told]:
    """An undisturbed run."""
    log = Journal()
    recorder = Recorder(race(log), log)
    driven(recorder)
    recorder.finish(elapsed=3.0)
    return log, recorder.decider


def test_candidates_come_first_and_outcomes_before_they_are_told_and_verdicts_after() -> None:
    log, decider = whole()
    assert log.said[0] == "candidates"
    assert log.said.count("outcome") == log.said.count("told") == decider.outcomes
    assert log.said.count("verdict") == len(decider.verdicts) > 0
    for before, after in zip(log.said, log.said[1:], strict=False):
        assert (before == "outcome") == (after == "told")
        assert after != "verdict" or before in ("told", "verdict")


def test_wherever_a_write_fails_another_recorder_comes_to_the_same_end() -> None:
    log, decider = whole()
    writes = len(log.said) - log.said.count("told")
    for at in range(1, writes):
        broken = Journal(fails_at=at)
        with pytest.raises(LogError, match="no more"):
            driven(Recorder(race(broken), broken))
        broken.left = 10**9
        again = Recorder(race(broken), broken)
        driven(again)
        assert again.decider.verdicts == decider.verdicts
        assert again.decider.winner == decider.winner
        assert list(broken.each_outcome()) == list(log.each_outcome())


def test_what_ends_a_session_is_in_it() -> None:
    log, decider = whole()
    assert log.finished is not None
    assert log.finished.winner == (decider.winner and decider.winner.id)
    assert [one.why for one in log.sessions()] == [str(decider.stopped)]
    log = Journal()
    recorder = Recorder(race(log), log)
    driven(recorder, most=3)
    recorder.finish()
    recorder = Recorder(race(log), log)
    recorder.abandon(OSError("the disk\nis gone"))
    assert [one.why for one in log.sessions()] == ["interrupted", "OSError: the disk"]
    assert log.finished is None


def test_a_run_whose_target_failed_is_not_over() -> None:
    log = Journal()
    recorder = Recorder(race(log), log)
    recorder.decider.end(Stop.TARGET_FAILED)
    recorder.finish()
    assert log.finished is None


def test_a_run_that_is_over_stays_over() -> None:
    log, decider = whole()
    again = Recorder(race(log), log)
    assert again.decider.stopped is decider.stopped
    assert again.ask(8) == []


@pytest.mark.parametrize(
    ("candidates", "options", "error", "words"),
    [
        (4, {"seed": 2}, LogError, r"the log of sample has instance .* at step 0, where this run"),
        (3, {"seed": 1}, RaceError, r"only the log has a candidate 4 from the start"),
        (5, {"seed": 1}, RaceError, r"only the race has a candidate 5 from the start"),
    ],
)
def test_outcomes_of_other_instances_or_candidates_are_not_taken(
    candidates: int, options: dict[str, Any], error: type[Exception], words: str
) -> None:
    log = Journal()
    driven(Recorder(race(log), log), 4)
    with pytest.raises(error, match=words):
        Recorder(Race([{"x": x} for x in range(candidates)], range(12), **options), log)


def test_another_race_is_refused_and_its_session_ended() -> None:
    log = Journal()
    recorder = Recorder(race(log), log)
    driven(recorder)
    recorder.abandon(OSError("the disk is gone"))
    other = Told([{"x": x} for x in range(4)], range(12), rule=Sign(alpha=0.5), seed=1)
    other.journal = log.said
    with pytest.raises(LogError):
        Recorder(other, log)
    assert (log.sessions()[-1].why or "").startswith("LogError: ")
