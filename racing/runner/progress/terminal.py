"""Progress on a terminal: one live line, with lines above it; plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Self, TextIO, cast

from racing.base.plain import drop, printable, talk, wrapped
from racing.base.words import count, last_line
from racing.runner.progress.state import WIDTH, RunState, look

if TYPE_CHECKING:
    from racing.core.candidate import Candidate
    from racing.core.experiment import Outcome
    from racing.core.view import View

# Seconds between plain lines while none is dropped, and between looks at the race for the live
# one: a look costs more than a quick evaluation.
_SILENCE = 30.0
_LOOK = 0.1
_PREFIX = len("dropped 999: ")
# The most kinds of failures shown during the race; the summary counts all.
_WARNINGS = 5


class _Lasting:
    """A stream whose errors end no run: the terminal may be closed while it goes on."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError:
            drop(self._stream)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            drop(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Terminal:
    """Shows the progress of a race: the `watch` of a run, and a context manager."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._live: Any = None
        self._tests: int | None = None
        self._best: Candidate | None = None
        self._met = 0
        self._state: RunState | None = None
        self._looked = self._spoke = time.monotonic()
        self._warned: set[str] = set()
        self._refused, self._succeeded = 0, False

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and not self._quiet:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(file=cast(TextIO, _Lasting(sys.stderr))),
                get_renderable=self._render,
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            ).__enter__()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)
            self._live = None

    def __call__(self, race: View, outcome: Outcome) -> None:
        """Receive an outcome."""
        if self._quiet:
            return
        self._refused += outcome.refused
        if outcome.failed:
            self._warn(race, outcome)
        self._succeeded |= not outcome.failed
        if self._tests is None:  # do not report candidates dropped in earlier sessions
            self._tests = len(race.verdicts)
        news = self._news(race, outcome)
        now = time.monotonic()
        if self._live is not None and (news or now - self._looked > _LOOK):
            self._looked, self._state = now, look(race, outcome, refused=self._refused)
        if news:
            self.say(news)
        elif self._live is None and now - self._spoke > _SILENCE:
            self.say(self._line(race, outcome))

    def _news(self, race: View, outcome: Outcome) -> str:
        """The text of a new event: dropped candidates of a race, another best one of a search.

        It is called new where it is best on as many instances as the one told before.
        """
        if not self._succeeded:
            return ""
        if race.as_search is not None:
            best, self._best = self._best, next(iter(race.as_search.elites), None)
            if self._best in (None, best):
                return ""
            met, self._met = self._met, race.instances_seen
            how = "new" if met == self._met else f"after {count(self._met, 'instance')}"
            return f"{how} {look(race, outcome).brief()}"
        dropped = sum(len(verdict.eliminated) for verdict in race.verdicts[self._tests :])
        self._tests = len(race.verdicts)
        return f"dropped {dropped}: {self._line(race, outcome)}" if dropped else ""

    def _line(self, race: View, outcome: Outcome) -> str:
        """A line to keep; it has room for `dropped 29: ` before it."""
        width = WIDTH if self._live is None else self._live.console.width
        return look(race, outcome, refused=self._refused).line(width=width - _PREFIX)

    def say(self, line: str) -> None:
        """Print a permanent line, above the live one if there is one."""
        self._spoke = time.monotonic()
        if self._live is not None:
            for one in wrapped(printable(line), self._live.console.width):
                self._live.console.print(one, markup=False, highlight=False, soft_wrap=True)
        else:
            talk(line)

    def _warn(self, race: View, outcome: Outcome) -> None:
        """Print each kind of failure once."""
        why = outcome.message.partition("\n")[0] or str(outcome.status)
        if why in self._warned or len(self._warned) >= _WARNINGS:
            return
        self._warned.add(why)
        who = next(c for c in race.candidates if c.id == outcome.candidate)
        last = f": {last}" if (last := last_line(outcome.message)) else ""
        self.say(f"warning: {who} on {race.instance(outcome.step).name}: {why}{last}")

    def _render(self) -> Any:
        from rich.text import Text

        if self._state is None:
            line = "the first evaluations are running"
        else:
            since, width = time.monotonic() - self._looked, self._live.console.width
            line = self._state.line(since, width=width, bar=True)
        return Text(printable(line), no_wrap=True, overflow="ellipsis")
