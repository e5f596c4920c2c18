"""Exit codes, and which error ends with which."""

from __future__ import annotations

from racing.errors import InputError, LogError, RacingError, TargetError

OK = 0
NO_WINNER = 1
BAD_INPUT = 2
TARGET_FAILED = 3
LOG_TROUBLE = 4
INTERRUPTED = 130

EPILOG = """\
exit codes:
  0    done, with a winner where there is one to be had
  1    the race ended without a winner: everything failed, or the budget was too small
  2    the command, the scenario or a file given cannot be used
  3    the target cannot be started, or failed where the scenario says to stop then
  4    the log cannot be read or written, or another process is writing it
  130  interrupted; `racing resume` goes on"""


def of(error: RacingError) -> int:
    """The exit code of an error."""
    if isinstance(error, TargetError):
        return TARGET_FAILED
    if isinstance(error, LogError):
        return LOG_TROUBLE
    return BAD_INPUT if isinstance(error, InputError) else NO_WINNER
