"""Prompts are raced by a server that is busy, ends connections, sends garbage and hangs."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

import racing
from examples.prompts.classify import PROMPTS, USD_PER_TOKEN
from examples.prompts.items import ITEMS
from examples.prompts.server import Server, answer
from racing.evaluate import task
from racing.log import SQLiteLog
from racing.race import Race
from tests.runs_kit import PATIENCE
from tests.runs_kit import racing as program

CONFIG = Path(__file__).parents[2] / "configs" / "prompts.yaml"
CHAOS = {"busy": 0.1, "down": 0.05, "reset": 0.1, "garbage": 0.05, "hang": 0.01}


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch, **how: Any) -> Iterator[Server]:
    """A server in a thread of its own, which the target finds by its environment.

    A call of this process that is turned away waits for a twentieth of a second at first.
    """
    monkeypatch.setattr(task, "FIRST", 0.05)
    server, ready, loop = Server(latency=0.005, **how), threading.Event(), asyncio.new_event_loop()
    port: list[int] = []

    async def serve() -> asyncio.Server:
        opened = await server.serve(0)
        port.append(opened.sockets[0].getsockname()[1])
        ready.set()
        return opened

    def run() -> None:
        opened = loop.run_until_complete(serve())
        loop.run_forever()
        opened.close()
        while left := asyncio.all_tasks(loop):
            loop.run_until_complete(asyncio.wait(left))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port[0]}/v1")
    yield server
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def scenario(**changes: Any) -> racing.Scenario:
    """That of the how-to with few instances, held back ones left out, and a short patience."""
    found = racing.read(CONFIG)
    target = replace(found.target, timeout=3.0)  # only what hangs reaches it
    failure = replace(found.on_failure, retries=5)
    return replace(found, target=target, test_instances=None, on_failure=failure, **changes)


def raced(log: Path, **options: Any) -> Race:
    race = racing.run(scenario(**options), log=log)
    assert isinstance(race, Race)
    return race


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_troubles_change_no_verdict_and_all_is_recorded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = racing.Budget(usd=0.002)
    with serving(monkeypatch, troubles={}) as calm:
        quiet = raced(tmp_path / "calm.sqlite", budget=budget)
    with serving(monkeypatch, troubles=CHAOS) as wild:
        loud = raced(tmp_path / "wild.sqlite", budget=budget)
    assert (loud.verdicts, loud.winner, loud.spent.usd) == (
        quiet.verdicts,
        quiet.winner,
        quiet.spent.usd,
    )
    assert loud.stopped is quiet.stopped
    for log, server in (("calm", calm), ("wild", wild)):
        with SQLiteLog.open(tmp_path / f"{log}.sqlite", write=False) as book:
            outcomes = book.outcomes()
        assert sum(one.spent["usd"] for one in outcomes) < 0.0025
        assert all(count == 1 for count in server.answered.values())  # nothing is paid twice
    assert sum(one.refused for one in outcomes) > 10


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_an_interrupted_run_is_resumed_and_pays_for_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget, seen = racing.Budget(usd=0.003), []
    options = racing.RunOptions(
        watch=lambda race, outcome: seen.append(outcome), interrupted=lambda: len(seen) > 60
    )
    with serving(monkeypatch, troubles={"busy": 0.2}) as server:
        whole = raced(tmp_path / "whole.sqlite", budget=budget)
        server.answered.clear()
        log = tmp_path / "part.sqlite"
        part = racing.run(scenario(budget=budget), log=log, options=options)
        assert not part.done
        resumed = racing.resume(log)
        assert (resumed.winner, resumed.spent.usd) == (whole.winner, whole.spent.usd)
        assert set(server.answered.values()) == {1}


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_service_that_is_closed_for_a_while_delays_the_run_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As 429 for a minute, in shortened time: every call is turned away, many times."""
    budget = racing.Budget(usd=0.002)
    with serving(monkeypatch, troubles={}):
        quiet = raced(tmp_path / "calm.sqlite", budget=budget)
    with serving(monkeypatch, troubles={}, closed=(0.05, 1.5)) as server:
        delayed = raced(tmp_path / "closed.sqlite", budget=budget)
    assert (delayed.verdicts, delayed.winner) == (quiet.verdicts, quiet.winner)
    assert delayed.spent.usd == quiet.spent.usd
    with SQLiteLog.open(tmp_path / "closed.sqlite", write=False) as book:
        outcomes = book.outcomes()
    assert not any(one.failed for one in outcomes)
    assert {one.attempts for one in outcomes} == {1}
    refused = sum(one.refused for one in outcomes)  # without calls that were dropped meanwhile
    assert 50 < refused <= server.calls - len(outcomes)
    assert set(server.answered.values()) == {1}


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_after_kill_9_nothing_is_lost_and_the_budget_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The controller is killed four times, while the service is in all kinds of trouble."""
    budget, jobs, log = 0.008, 10, tmp_path / "killed.sqlite"
    execution = {"jobs": jobs, "rate": "400/s", "speculate": 0.3}  # more than kills can lose
    keys = {"execution": execution, "budget": {"usd": budget}}
    path = tmp_path / "prompts.yaml"
    given = scenario().to_dict(resolved=True)
    path.write_text(yaml.safe_dump({**given, **keys}))
    with serving(monkeypatch, troubles={"busy": 0.1}):
        whole = racing.run(path, log=tmp_path / "whole.sqlite")
    with serving(monkeypatch, troubles=CHAOS) as server:
        kept = killed(path, log, server, times=4)
        race = racing.resume(log)
    assert (race.verdicts, race.winner, race.spent) == (
        whole.verdicts,
        whole.winner,
        replace(whole.spent, target_time=race.spent.target_time, wall_time=race.spent.wall_time),
    )
    with SQLiteLog.open(log, write=False) as book:
        final = {one.key: (one.cost, one.spent) for one in book.outcomes()}
        lost, unanswered = book.losses(), book.unanswered
    assert all(final[key] == told for key, told in kept.items())  # nothing recorded is lost
    assert race.spent.usd <= budget
    most = max(map(_price, server.answered))
    paid = sum(_price(call) * times for call, times in server.answered.items())
    told = sum(spent["usd"] for _, spent in final.values())
    assert told <= paid <= told + unanswered * most  # each call that is charged is in the log
    assert 0 < sum(one.evaluations for one in lost) <= unanswered
    again = sum(server.answered.values()) - len(server.answered)
    assert again <= 4 * jobs  # only what was in flight when it was killed
    assert paid <= budget + jobs * most


def _price(call: str) -> float:
    usage = answer(json.loads(call))["usage"]
    return sum(USD_PER_TOKEN[kind] * usage[kind] for kind in USD_PER_TOKEN)


def killed(path: Path, log: Path, server: Server, *, times: int) -> dict[Any, Any]:
    """Run, and kill the controller again and again; what the log held at each kill."""
    kept: dict[Any, Any] = {}
    command: tuple[object, ...] = ("run", path, "--log", log, "--quiet")
    for _ in range(times):
        wanted, process = sum(server.answered.values()) + 25, program(*command)
        patience = time.monotonic() + PATIENCE
        while sum(server.answered.values()) < wanted and process.poll() is None:
            assert time.monotonic() < patience, "the service is not called any more"
            time.sleep(0.002)
        process.kill()
        process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGKILL, "it ended before the kill"
        with SQLiteLog.open(log, write=False) as book:
            kept |= {one.key: (one.cost, one.spent) for one in book.outcomes()}
        command = ("resume", log, "--quiet")
    assert kept
    return kept


def test_a_service_that_refuses_for_good_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(monkeypatch, troubles={"busy": 1.0}):
        failure = replace(scenario().on_failure, patience=0.1, retries=0)
        race = racing.run(replace(scenario(), on_failure=failure), log=tmp_path / "log.sqlite")
    assert race.stopped is racing.Stop.ALL_FAILED


def test_the_offline_model_is_a_function_of_the_call() -> None:
    call = {
        "model": "small",
        "messages": [
            {"role": "system", "content": PROMPTS["rules"]},
            {"role": "user", "content": ITEMS["review-001"].text},
        ],
    }
    assert answer(call) == answer(json.loads(json.dumps(call)))
    assert len(ITEMS) == len({item.text for item in ITEMS.values()}) == 240
