"""The state of a run and the next step, in words: for terminal, JSON and pages."""

from __future__ import annotations

import shlex
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from racing.answer.gain import Gain
from racing.answer.head import is_front
from racing.base.words import moment
from racing.core.stop import Stop
from racing.log import Session
from racing.report.facts import Facts, members_of

if TYPE_CHECKING:
    from racing.search import SearchBase


def resume_command(log: Path) -> str:
    """The command that resumes a run."""
    return f"`racing resume {shlex.quote(str(log))}`"


def state(facts: Facts) -> str:
    """Whether the run is over, at work, or stopped."""
    if facts.stopped is not None:
        return f"over: {facts.stopped.why(search=facts.race.as_search is not None)}"
    session = facts.session
    if session is None:
        return "not begun"
    if session.ended is None:
        return _at_work(session)
    if session.why == "target_failed":
        return f"stopped: {Stop.TARGET_FAILED.meaning}"
    return f"stopped ({session.why})"


def _at_work(session: Session) -> str:
    """The state of a session that did not record its end."""
    from racing.log.opening import is_alive

    process = f"process {session.pid} on {session.host} since {moment(session.started)}"
    elsewhere = session.host != socket.gethostname()
    if session.why == "killed" or not (elsewhere or is_alive(session.pid)):
        return f"killed ({process})"
    return f"at work, or killed: {process}" if elsewhere else f"at work: {process}"


def next_step(facts: Facts, log: Path) -> str:
    """The next step."""
    run = shlex.quote(str(log))
    if facts.stopped is None:
        return _on(state(facts), run, resume_command(log))
    if facts.winner is None:
        if facts.stopped is Stop.ALL_FAILED:
            return f"fix the target: `racing export {run}` has every message"
        return "a larger budget, or fewer candidates: no instance was completed"
    if (tested := facts.test("winner")) is not None and not members_of(facts.race):
        return _after_test(tested.gain, run)
    if (search := facts.race.as_search) is not None:
        return _after_search(facts, search, run)
    if not facts.answer.gain.why:
        return f"`racing test {run} INSTANCE...` measures the gain on further instances"
    if is_front(facts.race):
        return f"`racing export {run}` writes the whole front"
    if len(facts.survivors) > 1:
        return "more instances or a larger budget, to tell the survivors apart"
    return f"`racing export {run}` for the numbers"


def _on(now: str, run: str, resume: str) -> str:
    if now.startswith("at work: "):
        return f"`racing watch {run}` follows it"
    if now.startswith("stopped: "):
        return f"fix the target; {resume} tries again"
    return f"{resume} continues it{', unless it is at work' * now.startswith('at work')}"


def _after_test(tested: Gain, run: str) -> str:
    if tested.evidence == "better":
        return f"use the configuration of {tested.name}; `racing export {run}` for the numbers"
    more = f"`racing resume {run} --budget +N` looks for a better one"
    if tested.evidence == "worse":
        return f"keep {tested.over}; {more}"
    return f"more unseen problems may decide: `racing test {run} INSTANCE...`; {more}"


def _after_search(facts: Facts, search: SearchBase, run: str) -> str:
    if search.portfolio > 1:
        if (tested := facts.test("team")) is not None and tested.gain.better:
            return f"use the team; `racing export {run}` for the numbers"
        return f"`racing export {run}` for the numbers; a larger `confirm` makes the gain surer"
    more = f"`racing resume {run} --budget +N` searches on"
    if facts.test("front") is not None:
        return f"`racing export {run}` writes the whole front; {more}"
    if search.gain is None or search.gain.estimate is None:
        return f"`racing test {run} INSTANCE...` measures the gain on further instances; {more}"
    if search.gain.better and facts.winner == facts.race.found:
        return f"`racing export {run}` for the numbers; {more}"
    return f"{more}; more instances make the gain surer"
