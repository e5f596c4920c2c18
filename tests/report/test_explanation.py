"""An explanation as a document: trust first, then what it is worth."""

from __future__ import annotations

from pathlib import Path

import pytest

from racing.analysis.explain.ablation import PathStep
from racing.analysis.explain.explanation import AblationReport, Explanation
from racing.analysis.explain.importance import Importance
from racing.analysis.explain.model import Model
from racing.answer.document import Command
from racing.answer.gain import Gain
from racing.answer.text import text
from racing.core.candidate import Candidate
from racing.report.explanation import explained


@pytest.mark.parametrize(
    ("r2", "poor", "said", "shares"),
    [
        (0.6, False, "The forest explains 60 %", True),
        (0.1, True, "do not rely on these shares", True),
        (-27.46, True, "does not say which parameters matter", False),
    ],
)
def test_trust_comes_first_and_no_shares_without_it(r2, poor, said, shares):
    one = Importance(name="x", main=0.5, spread=0.1, total=0.6, local=None)
    model = Model(
        configurations=9, left_out=0, scale="cost", r2=r2, poor=poor, parameters=(one,),
        interactions=(),
    )  # fmt: skip
    told = Explanation(
        run=Path("a run.sqlite"), winner=Candidate(3, {"x": -2.0}),
        against=Candidate(1, {}, "default"), ablation=None,
        importance=model, regions=(), configurations=9, evaluations=90, failures=0, repeatable=True,
        notes=("n",),
    )  # fmt: skip
    parts = explained(told)
    printed = text(parts)
    assert said in printed.splitlines()[0]
    assert ("How much each parameter matters" in printed) == shares
    assert "2746 %" not in printed
    assert "  x                –  -2" in printed
    assert Command("racing explain 'a run.sqlite' --budget 60") in parts
    assert printed.endswith("\nNote: n.\n")


@pytest.mark.parametrize("failures", [0, 2])
def test_a_path_says_which_step_fails(failures: int) -> None:
    gain = Gain(estimate=1.0, low=0.5, high=1.5, pairs=8, problems=8, failures=failures)
    step = PathStep(
        step=1, parameters=("x",), change="x: 1 → 2", raced_against=0, gain=gain, share=1.0,
        values={"x": 2},
    )  # fmt: skip
    path = AblationReport(
        log=None, evaluations=20, instances=10, independent=True, total=gain,
        instances_needed=None, steps=(step,),
    )  # fmt: skip
    told = Explanation(
        run=Path("a.sqlite"), winner=Candidate(3, {"x": 2}), against=Candidate(1, {"x": 1}, "a"),
        ablation=path, importance=None, regions=(), configurations=9, evaluations=90, failures=0,
        repeatable=True,
        notes=(),
    )  # fmt: skip
    printed = text(explained(told))
    assert ("failed: the step's runs" in printed) == bool(failures)
    assert ("share  failed" in printed) == bool(failures)
