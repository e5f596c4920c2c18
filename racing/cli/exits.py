"""Exit codes, and the code of each error."""

from __future__ import annotations

from racing.base.errors import LogError, RacingError, TargetError
from racing.base.plain import talk

OK = 0
NO_WINNER = 1
BAD_INPUT = 2
TARGET_FAILED = 3
LOG_TROUBLE = 4
INTERRUPTED = 130

EPILOG = """\
exit codes:
  0    done, with a winner if there is one
  1    no winner: every evaluation failed, or the budget was too small to choose
  2    the command, scenario or a file cannot be used, or an extra is missing
  3    the target cannot be started, or a failure of it ended the run
  4    the log cannot be read or written, or another process is writing it
  130  interrupted; `racing resume` continues"""


def interrupted(stop: KeyboardInterrupt) -> int:
    """Say that a command was interrupted, and what resumes it if anything does."""
    talk("; ".join(["interrupted", *map(str, stop.args)]))
    return INTERRUPTED


def of(error: RacingError) -> int:
    """The exit code of an error."""
    if isinstance(error, TargetError):
        return TARGET_FAILED
    if isinstance(error, LogError):
        return LOG_TROUBLE
    return BAD_INPUT
