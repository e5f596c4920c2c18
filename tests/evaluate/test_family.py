"""A process and its descendants: found, told from others with the same number, and killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from racing.evaluate import family
from tests.evaluate.test_process import gone

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[str]]:
    """A shell with a child in a session of its own: it tells the child's number, then answers."""
    text = "setsid sleep 1000 & echo $!; while read line; do echo $line; done"
    with subprocess.Popen(
        ["sh", "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def test_descendants_belong_to_the_family_wherever_they_are(parent):
    child = int(parent.stdout.readline())
    found = family.members(parent.pid)
    assert {parent.pid, child} <= found.keys()
    family.kill(found)
    assert parent.wait(10) == -9
    assert gone(child)


def test_a_later_process_with_the_number_of_an_earlier_one_is_none_of_the_family(parent):
    child = int(parent.stdout.readline())
    starts = family.members(parent.pid)
    family.kill({pid: str(int(start) - 1) for pid, start in starts.items()})
    print("alive", file=parent.stdin, flush=True)
    assert parent.stdout.readline() == "alive\n"
    assert family.members(parent.pid).keys() >= {parent.pid, child}
    family.kill(starts)


def test_there_is_no_family_of_who_is_gone():
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert family.members(process.pid) == {}
    family.kill({process.pid: "1"})
