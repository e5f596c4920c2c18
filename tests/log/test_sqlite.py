"""What only a log in a file does; the contract is in `test_contract.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from racing.base.errors import LogBusy, LogError
from racing.log import SQLiteLog
from tests.log.samples import CANDIDATES, HEADER, fill, instance, make, outcome


def test_a_reader_sees_each_outcome_as_soon_as_it_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "log.sqlite"
    with SQLiteLog.create(path, HEADER) as log, SQLiteLog.open(path, write=False) as reader:
        log.add(CANDIDATES)
        for k in range(5):
            log.record(outcome(k), instance(outcome(k).step))
            assert reader.outcomes() == [outcome(j) for j in range(k + 1)]


def test_there_is_one_writer_and_the_next_can_follow(tmp_path: Path) -> None:
    path = make(tmp_path / "log.sqlite", 3)
    with SQLiteLog.open(path, write=True), pytest.raises(LogBusy):
        SQLiteLog.open(path, write=True)
    with SQLiteLog.open(path, write=True) as log:
        fill(log, 6, start=3)
    with SQLiteLog.open(path, write=False) as reader:
        assert len(reader.outcomes()) == 6
        with pytest.raises(LogError, match="it was opened to be read"):
            reader.record(outcome(6), instance(2))


@pytest.mark.parametrize("there", [True, False])
def test_a_log_under_a_link_is_written_where_the_link_leads(tmp_path: Path, there: bool) -> None:
    (real := tmp_path / "disk").mkdir()
    if not there:
        real.rmdir()
    (link := tmp_path / "run.sqlite").symlink_to("disk/run.sqlite")
    make(link)
    assert link.is_symlink()
    assert [file.name for file in real.iterdir()] == ["run.sqlite"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["disk", "run.sqlite"]
    with SQLiteLog.open(link, write=False) as log:
        assert len(log.outcomes()) == 15


def test_a_name_that_no_file_can_have_is_refused_in_few_words(tmp_path: Path) -> None:
    for path in (tmp_path / ("n" * 100_000), tmp_path / ("n/" * 3000), tmp_path / ("ü" * 121)):
        with pytest.raises(LogError, match="has at most 240 bytes") as caught:
            SQLiteLog.create(path, HEADER)
        assert len(str(caught.value)) < 300
        with pytest.raises(LogError, match="has at most 240 bytes"):
            SQLiteLog.open(path, write=False)
    with pytest.raises(LogError, match="half a character"):
        SQLiteLog.create(tmp_path / "\ud83d", HEADER)
