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
from tests.evaluate.cases import CASES, Case, experiment, section, written

REFUSED = [case for case in CASES if case.status == "refused"]
FAILING = [case for case in CASES if case.status != "refused"]


def expected(case: Case) -> re.Pattern[str]:
    return re.compile(re.escape(case.message).replace("…", ".*"))


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_refused_before_the_race(case: Case, tmp_path: Path) -> None:
    with pytest.raises(RacingError) as caught:
        case.target(tmp_path).check(["alpha"])
    assert expected(case).fullmatch(str(caught.value)), str(caught.value)


@pytest.mark.parametrize("case", FAILING, ids=lambda case: case.name)
def test_failed_evaluations_are_outcomes(case: Case, tmp_path: Path) -> None:
    evaluator = case.evaluator(tmp_path)
    outcome = evaluator(experiment())
    assert (outcome.cost, outcome.status) == (math.inf, case.status), outcome
    headline = outcome.message.partition("\n")[0]
    assert expected(case).fullmatch(headline), outcome.message
    assert len(outcome.message) < 4000
    assert all(one.isprintable() or one in "\n\t" for one in outcome.message)
    assert len(evaluator.running) == 0


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_what_is_refused_is_no_other_error_in_a_race_either(case: Case, tmp_path: Path) -> None:
    """It may not be built, or not be started, whoever the candidate is."""
    with suppress(RacingError):
        assert isinstance(case.evaluator(tmp_path)(experiment()), Outcome)


def test_a_flood_is_not_kept(tmp_path: Path) -> None:
    (case,) = (case for case in CASES if case.name == "flood")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    case.evaluator(tmp_path)(experiment())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024


def test_the_documentation_shows_these_cases() -> None:
    assert written() == section(), "run: python tests/evaluate/cases.py"
