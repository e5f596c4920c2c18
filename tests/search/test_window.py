"""The challengers under way: what they may still come to in all."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.budget import Budget
from racing.search import Settings
from racing.search.challenger import ChallengerState
from racing.search.initial import Initial
from racing.search.main_phase import MainPhase
from tests.search.kit import a_context, noisy


@pytest.mark.parametrize("window", [3, 10, 40])
def test_what_challengers_may_come_to_is_the_sum_over_them(window):
    rng, out = np.random.default_rng(window), []
    budget = Budget(evaluations=400)
    context = a_context(window=window, settings=Settings(every=5), budget=budget)
    queue, phase, dropped, most = context.trials.queue, Initial(context), 0, 0
    while True:
        out += queue.take(13 - len(out))
        if not out:
            break
        outcome = noisy()(out.pop(int(rng.integers(len(out)))))
        context.trials.record(outcome)
        phase.update(outcome.candidate)
        if phase.over:
            if isinstance(phase, MainPhase):
                break
            queue.clear()
            phase, out = MainPhase(context, phase.elites, phase.instances), []
        if isinstance(phase, MainPhase):
            total = 0
            for challenger in phase.window.challengers:
                total += challenger.most
                assert phase.window.most_until(challenger.number) == total
                dropped += challenger.at is ChallengerState.DROPPED
            most = max(most, len(phase.window.challengers))
    assert dropped
    assert most == window
