"""The paragraph must say what the facts say, in every state."""

from __future__ import annotations

import pytest

from racing.report.story import duration, story
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


def test_durations():
    assert [duration(s) for s in (0.5, 42, 200, 7500)] == [
        "0.5 s",
        "42 s",
        "3 min 20 s",
        "2 h 5 min",
    ]
