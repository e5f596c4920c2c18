"""What every pool does around an evaluation."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable

from racing.evaluate.running import Cancelled
from racing.experiment import Experiment, Outcome, Status

Evaluate = Callable[[Experiment], Outcome]


def guarded(evaluate: Evaluate, experiment: Experiment) -> Outcome:
    """Evaluate an experiment; whatever is raised becomes a crashed outcome.

    Raises
    ------
    Cancelled
        If the evaluation was cancelled.
    KeyboardInterrupt
        If the user interrupted it.
    """
    try:
        outcome = evaluate(experiment)
    except Cancelled:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and may_be_the_users():
            raise
        return experiment.failure(Status.CRASHED, f"crashed: {named(error)}")
    if not isinstance(outcome, Outcome) or outcome.key != experiment.key:
        return experiment.failure(Status.CRASHED, f"crashed: not its outcome: {outcome!r:.200}")
    return outcome


def may_be_the_users() -> bool:
    """Whether a KeyboardInterrupt here may come from a signal, and not from the target itself.

    Signals are handled in the main thread, and worker processes ignore SIGINT.
    """
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def named(error: BaseException) -> str:
    """An exception in one line."""
    text = str(error).partition("\n")[0][:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def guarded_by_watchdog(evaluate: Evaluate) -> Evaluate:
    """The same evaluator, so that its commands die with this process, if it can do that."""
    return evaluate.guarded() if hasattr(evaluate, "guarded") else evaluate


def close(evaluate: Evaluate) -> None:
    """Release what an evaluator holds, if it holds anything."""
    if callable(end := getattr(evaluate, "close", None)):
        end()


def cancel(evaluate: Evaluate) -> None:
    """End what an evaluator runs, if it can do that."""
    if callable(end := getattr(evaluate, "cancel", None)):
        end()
