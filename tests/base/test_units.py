"""Times and amounts of memory."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base import units


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1 hour", "1h"),
        ("30 min", "30m"),
        ("2 Days 3 hrs", "2d3h"),
        ("90s", None),
        ("soon", None),
        ("2gb", "2GB"),
        ("512M", "512MB"),
        ("1.5 gib", "1.5GiB"),
        ("2GB", None),
        ("b", None),
    ],
)
def test_times_in_words_are_understood(text: str, meant: str | None) -> None:
    assert units.meant(text) == meant


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90), ("30m", 1800), ("2h", 7200), ("1d", 86400), ("1h30m", 5400), ("1.5h", 5400),
        ("500ms", 0.5), ("1d 2h 3m 4s", 93784), ("2 h", 7200), ("1m30s", 90), (" 5s ", 5),
    ],
)  # fmt: skip
def test_times(text: str, seconds: float) -> None:
    assert units.seconds(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text",
    ["", " ", "90", "5 min", "1h2h", "30m1h", "-5s", "s", "1e3s", "1,5h", "5S", "1h-30m", "∞s"],
)
def test_no_times(text: str) -> None:
    assert units.seconds(text) is None


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512MiB", 2**29),
        ("2GiB", 2**31),
        ("1GB", 10**9),
        ("1.5 KiB", 1536),
        ("7B", 7),
        ("3kB", 3000),
    ],
)
def test_memory(text: str, size: int) -> None:
    assert units.amount(text) == size


@pytest.mark.parametrize("text", ["", "512", "512M", "1 gib", "-1GiB", "GiB", "1e3MB", "1GiB2MiB"])
def test_no_memory(text: str) -> None:
    assert units.amount(text) is None


@given(st.integers(1, 2**60))
def test_memory_is_written_as_it_is_read(size: int) -> None:
    text = units.memory_text(size)
    match = re.fullmatch(r"(\d+)(\w+)", text)
    assert match
    assert int(match[1]) * units.MEMORY[match[2]] == size
    if len(match[1]) <= 15:
        assert units.amount(text) == size


@pytest.mark.parametrize(
    ("text", "rate"), [("50/s", 50), ("3000/min", 50), ("0.5 / s", 0.5), ("900/h", 0.25)]
)
def test_rates(text: str, rate: float) -> None:
    assert units.per_second(text) == rate
    assert re.fullmatch(units.RATE_PATTERN, text)


@pytest.mark.parametrize("text", ["", "50", "50/d", "/s", "-5/s", "50/m", "5e3/s", "50/s/s"])
def test_no_rates(text: str) -> None:
    assert units.per_second(text) is None
    assert not re.fullmatch(units.RATE_PATTERN, text)
