"""Whatever a target does, it is an outcome with a message that helps; or it is refused at once."""

from __future__ import annotations

import math
import re
import resource
from contextlib import suppress
from pathlib import Path

import pytest

from racing.base.errors import RacingError
from racing.core.experiment import Outcome
from racing.evaluate.evaluator import Evaluator
from tests.evaluate.cases import TARGETS, experiment, table

TABLE = table()
REFUSED = [what for what, (status, _) in TABLE.items() if status == "refused"]
FAILING = [what for what in TABLE if what not in REFUSED]


def check_message(what: str, message: str) -> None:
    assert re.fullmatch(re.escape(TABLE[what][1]).replace("…", ".*"), message), message


def test_the_documentation_has_a_row_for_each() -> None:
    assert [*TABLE] == [*TARGETS]


@pytest.mark.parametrize("what", REFUSED)
def test_refused_before_the_race(what: str, tmp_path: Path) -> None:
    with pytest.raises(RacingError) as caught:
        TARGETS[what](tmp_path).check(["alpha"])
    check_message(what, str(caught.value))
    with suppress(RacingError):  # it may not be built, or not be started, whoever the candidate is
        assert isinstance(Evaluator(TARGETS[what](tmp_path))(experiment()), Outcome)


@pytest.mark.parametrize("what", FAILING)
def test_failed_evaluations_are_outcomes(what: str, tmp_path: Path) -> None:
    evaluator = Evaluator(TARGETS[what](tmp_path))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = evaluator(experiment())
    assert (outcome.cost, outcome.status) == (math.inf, TABLE[what][0]), outcome
    check_message(what, outcome.message.partition("\n")[0])
    assert len(outcome.message) < 4000
    assert all(one.isprintable() or one in "\n\t" for one in outcome.message)
    assert len(evaluator.running) == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024
