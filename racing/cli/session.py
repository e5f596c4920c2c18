"""What commands do that evaluate or draw: progress on stderr, interruption, pictures as files."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Self, TypeVar

from racing.answer.document import line
from racing.base.logs import Warnings
from racing.cli.console import results_alone
from racing.report.check import brief
from racing.runner.loop import RunOptions
from racing.runner.progress.json_lines import JsonLines
from racing.runner.progress.terminal import Terminal

if TYPE_CHECKING:
    from racing.core.view import View
    from racing.report.pictures import Picture
    from racing.scenario import Scenario

T = TypeVar("T")


def driven(go: Callable[[RunOptions], T], args: argparse.Namespace, *, begins: bool = False) -> T:
    """Call `go` with progress on stderr, and stop it cleanly on Ctrl-C.

    Parameters
    ----------
    begins
        Whether to say first what the run is asked for: a test of its result is not asked that.
    """
    kind = JsonLines if args.log_format == "json" else Terminal
    with (
        results_alone(),
        kind(quiet=args.quiet) as progress,
        Interrupts(progress.say) as interrupted,
        Warnings("racing.evaluate.engines", progress.say),
    ):

        def begin(scenario: Scenario, decider: View) -> None:
            """Say the objective, the budget and the instances."""
            for said in brief(scenario, decider, args.jobs) if begins and not args.quiet else ():
                progress.say(line(said))

        return go(RunOptions(watch=progress, begin=begin, interrupted=interrupted, jobs=args.jobs))


def finished(go: Callable[[RunOptions], T | None], args: argparse.Namespace) -> T:
    """As `driven`, for what returns nothing if it was interrupted: then the command ends.

    Raises
    ------
    KeyboardInterrupt
        If it was interrupted.
    """
    found = driven(go, args)
    if not found:
        raise KeyboardInterrupt("the same command again resumes it")
    return found


def write_pictures(
    args: argparse.Namespace, pictures: Callable[[], Iterable[Picture]]
) -> list[Path]:
    """Write the pictures that `--png` and `--svg` ask for."""
    from racing.report.figures import write_figures

    wanted = (args.png, ".png"), (args.svg, ".svg")
    return [
        file
        for folder, ending in wanted
        if folder
        for file in write_figures(pictures(), Path(folder), ending)
    ]


class Interrupts:
    """Context manager that makes requests of SIGINT and SIGTERM; a call says whether there is one.

    The first Ctrl-C stops the run after running evaluations, the second at once. SIGTERM stops it
    at once: its sender (a queue, a container, a shutdown) kills soon afterwards. Further signals
    are ignored, because the program is about to exit.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._requested = self._abandoned = False
        self._before: dict[int, object] = {}

    def __call__(self) -> bool:
        """Whether the user asked to stop."""
        return self._requested

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if self._abandoned else handler)  # type: ignore[arg-type]

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._abandoned:
            return
        if self._requested or number == signal.SIGTERM:
            self._abandoned = True
            raise KeyboardInterrupt
        self._requested = True
        with suppress(RuntimeError):  # the signal came during another output
            self._say("stopping when what runs is done; once more to abandon it")
