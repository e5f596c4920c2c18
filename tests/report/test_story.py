"""The paragraph must say what the facts say, in every state."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from racing.report.search import SearchFacts
from racing.report.story import duration, story
from racing.search import Gain
from tests.report.kit import told
from tests.report.states import STATES
from tests.worlds import normal_world


@pytest.mark.parametrize("state", STATES)
def test_every_state_has_a_headline_and_a_sentence(state):
    found = story(STATES[state]())
    assert found.headline.endswith(".")
    assert found.sentences
    assert all(text == text.strip() and "None" not in text for text in found.sentences)
    assert found.figures["Instances"].isdecimal()


def test_the_winner_is_named_and_the_gain_is_that_of_the_facts():
    costs = normal_world(6, 40, seed=8, noise=0.2)
    costs[:, 0] += 1
    run = told(costs)
    found = story(run)
    assert found.headline == f"{run.facts.winner} wins."
    gain = run.facts.gain
    assert f"better on {gain.superiority.wins} of {gain.instances} instances" in found.sentences[0]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("not begun", "The run has not begun."),
        ("everything crashed", "There is no winner."),
        ("interrupted", "is ahead so far."),
    ],
)
def test_headlines(state, words):
    assert words in story(STATES[state]()).headline


@pytest.mark.parametrize("ahead", [True, False])
def test_a_lead_is_clear_only_where_its_interval_is_above_0(ahead):
    d = np.random.default_rng(1).normal(0.8 if ahead else 0.05, 1.0, 40)
    run = told(np.column_stack([d, np.zeros(40)]) + np.arange(40)[:, None], rule="none")
    assert (run.facts.gain.difference.low > 0) == ahead
    assert run.facts.gain.difference.high > 0
    said = " ".join(story(run).sentences)
    assert ("That lead is clear" in said) == ahead
    assert ("That lead may be chance." in said) == (not ahead)


@pytest.mark.parametrize(("mean", "word"), [(1.5, "better"), (-1.5, "worse")])
def test_a_confirmed_gain_is_told_with_its_side(mean, word):
    run = told(normal_world(3, 12, seed=2))
    confirmed = Gain(
        mean=mean, low=mean - 0.5, high=mean + 0.5, confidence=0.95, pairs=12, problems=12,
        winner_failures=0, baseline_failures=0, training=2.0, training_pairs=5,
    )  # fmt: skip
    found = SearchFacts(
        phase="plain", progress=1.0, window=1, iterations=None, tried={}, notes=(), unconfirmed="",
        baseline=run.race.candidates[0], found=run.facts.winner, gain=confirmed,
    )  # fmt: skip
    said = story(replace(run, facts=replace(run.facts, search=found))).sentences[0]
    assert f"it is {word} than #1 by 1.5 on average" in said
    assert f"95 % interval {'1 to 2' if mean > 0 else '−2 to −1'}" in said


def test_durations():
    assert [duration(s) for s in (0.5, 42, 200, 7500)] == [
        "0.5 s",
        "42 s",
        "3 min 20 s",
        "2 h 5 min",
    ]
