"""The fuzzer itself: it reads many texts, finds what is wrong, and says what was covered."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.space import Integer, Space
from tests.fuzz.__main__ import Hang, complaint, fuzz, limited, shortened
from tests.fuzz.subjects import SUBJECTS
from tests.fuzz.texts import large, texts

SLOW = {"chains", "logs"}
SMALL = [name for name in SUBJECTS if not SUBJECTS[name].large]


@pytest.mark.parametrize("name", SMALL)
def test_each_reader_gives_a_result_or_a_clear_error(name):
    subject = SUBJECTS[name]

    @settings(
        max_examples=20 if name in SLOW else 60,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(subject.texts)
    def check(text):
        assert complaint(subject.read, text) == ""

    check()


@pytest.mark.parametrize("name", SMALL)
def test_sound_texts_are_sound(name):
    subject = SUBJECTS[name]
    assert [complaint(subject.read, text) for text in subject.sound] == [""] * len(subject.sound)


def test_what_is_wrong_is_told_by_its_place_and_made_short():
    def read(text):
        if "x" in text and "y" in text:
            raise KeyError(text)

    wrong = complaint(read, "aaxbbybb")
    assert wrong.startswith("KeyError in test_fuzz.py:")
    assert shortened(read, "aaxbbybb", wrong) == "xy"
    assert complaint(read, "aa") == ""


def test_a_clear_error_is_no_complaint():
    assert complaint(SUBJECTS["expressions"].read, "a = = 1") == ""
    with pytest.raises(InputError):
        Space({"a": Integer(1, 3)}, forbidden=["a = = 1"])


def test_what_takes_too_long_is_ended():
    def forever(text):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass

    with pytest.raises(Hang), limited(0.05):
        forever("")


def test_it_runs_until_the_time_is_up():
    count, found = fuzz("pcs", 0.5, 1)
    assert count > 0
    assert found == {}


def test_texts_are_of_all_kinds():
    seen: list[str] = []

    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts(["a", "("], ["sound"]), st.just(None))
    def collect(text, _):
        seen.append(text)

    collect()
    assert any(len(text) > 200 for text in seen)
    assert any("soun" in text and text != "sound" for text in seen)


@pytest.mark.parametrize("name", [name for name in SUBJECTS if SUBJECTS[name].large])
def test_large_texts_are_large_and_read_or_refused(name):
    subject, sizes = SUBJECTS[name], list[int]()

    @settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
    @given(large(subject.words, subject.sound))
    def check(text):
        sizes.append(len(text))
        assert complaint(subject.read, text) == ""

    check()
    assert max(sizes) >= 1000
