"""Turns the end of a program into an attempt."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import Literal

from racing.core.experiment import Status
from racing.evaluate import score, several
from racing.evaluate.attempt import Attempt, measured, message

OUT_OF_MEMORY = re.compile(
    r"MemoryError|bad_alloc|length_error|OutOfMemory|out of memory|cannot allocate memory|"
    r"allocation failed|memory exhausted",
    re.IGNORECASE,
)
NEAR = 0.9  # of the limit
Answer = Literal["number", "json", "irace"]
Output = Literal["number", "json", "irace", "none"]
_READERS = {
    "number": score.last_number,
    "json": score.json_object,
    "irace": score.cost_and_time,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """How a program ended.

    Attributes
    ----------
    code
        Exit status; −n if signal n killed it.
    stdout, stderr
        The last 64 and 8 KiB.
    seconds
        Wall-clock time, from its start to its end.
    cpu
        Processor seconds of it and its reaped children.
    peak
        The peak memory of one of these processes, in bytes; 0 if unknown.
    timed_out
        Whether it was stopped because its time was up.
    """

    code: int
    stdout: str
    stderr: str
    seconds: float
    cpu: float
    peak: int
    timed_out: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """The limits of a program, and the form of its answer.

    Attributes
    ----------
    output
        The form of its answer; `none` if only measured metrics count.
    metrics
        The metrics in its answer; None for one cost.
    success
        The exit statuses of success.
    timeout, cpu_timeout
        Wall-clock and processor seconds.
    memory
        Bytes.
    """

    output: Output = "number"
    success: tuple[int, ...] = (0,)
    timeout: float | None = None
    cpu_timeout: float | None = None
    memory: int | None = None
    metrics: tuple[str, ...] | None = None


def judge(ended: Ended, terms: Terms) -> Attempt:
    """The attempt: the answer counts only if the program ended by itself, in time, with success."""
    if failed := failure(ended, terms):
        return failed
    try:
        if terms.metrics is not None:
            return measured(_read_several(ended, terms), ended.seconds)
        value, seconds, spent = _read(ended, terms.output)
    except score.Unreadable as error:
        return _failed(ended, Status.UNREADABLE, f"unreadable: {error}", error.shown)
    taken = ended.seconds if seconds is None else seconds
    note = score.ignored(ended.stdout) if terms.output == "number" else ""
    return Attempt(score=value, seconds=taken, message=note, spent=dict(spent))


def failure(ended: Ended, terms: Terms) -> Attempt | None:
    """The failure; None if it ended by itself, in time, with success."""
    if limit := _time_is_up(ended, terms):
        used = f"it had used {ended.seconds:.3g} s on the clock, {ended.cpu:.3g} s of processors"
        return _failed(ended, Status.TIMEOUT, f"timed out after {limit}", used)
    if ended.code in terms.success:
        return None
    if terms.memory is not None and _out_of_memory(ended, terms.memory):
        limit = f"out of memory: {_how(ended)} under a limit of {terms.memory / 2**20:g} MiB"
        return _failed(ended, Status.OUT_OF_MEMORY, limit)
    unused = "" if terms.metrics is not None else _unused(ended, terms.output)
    return _failed(ended, Status.CRASHED, f"crashed: {_how(ended)}", unused)


def _time_is_up(ended: Ended, terms: Terms) -> str:
    """The limit that was reached, as text.

    A program that ended by itself may have exceeded its time too, while this process was stopped.
    """
    if terms.timeout is not None and ended.seconds >= terms.timeout:
        return f"{terms.timeout:g} s"
    if terms.cpu_timeout is not None and (ended.timed_out or ended.cpu > terms.cpu_timeout):
        return f"{terms.cpu_timeout:g} s of processor time"
    return ""


def _read(ended: Ended, output: Output) -> score.Score:
    return score.Score(0.0) if output == "none" else _READERS[output](ended.stdout)


def _read_several(ended: Ended, terms: Terms) -> several.Values:
    assert terms.metrics is not None
    if terms.output == "none":
        return several.Values({})
    read = several.json_object if terms.output == "json" else several.last_line
    return read(ended.stdout, terms.metrics)


def _failed(ended: Ended, status: Status, headline: str, detail: str = "") -> Attempt:
    why = message(headline, detail, ended.stderr)
    return Attempt(seconds=ended.seconds, status=status, message=why)


def _out_of_memory(ended: Ended, memory: int) -> bool:
    said = OUT_OF_MEMORY.search(ended.stderr) or OUT_OF_MEMORY.search(ended.stdout[-2000:])
    return bool(said) or ended.peak >= NEAR * memory


def _how(ended: Ended) -> str:
    if ended.code > 0:
        return f"exit status {ended.code}"
    try:
        return f"killed by {signal.Signals(-ended.code).name}"
    except ValueError:
        return f"killed by signal {-ended.code}"


def _unused(ended: Ended, output: Output) -> str:
    """A note on an ignored answer, since some programs signal success by other statuses."""
    if output == "none" or ended.code < 0:
        return ""
    try:
        value = _read(ended, output).value
    except score.Unreadable:
        return ""
    return (
        f"so the answer that it printed, {value:g}, does not count; if this status is not a "
        f"failure, set success: [0, {ended.code}]"
    )
