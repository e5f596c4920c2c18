"""The actors of a cluster of Ray: one on each node, as long as the node is there.

`test_ray.py` runs races on Ray itself; here a module stands in for it.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from racing.base.errors import TargetError
from racing.evaluate.engines.cluster import Answer, Away
from racing.evaluate.engines.ray import RayTransport


class RayTaskError(Exception):
    """An error in the method of an actor."""


class Actor:
    """An actor whose calls end when a test says so."""

    number = 0

    def __init__(self) -> None:
        Actor.number += 1
        name = f"actor-{Actor.number}"
        self._actor_id = SimpleNamespace(hex=lambda: name)
        self.future: Future[bytes] = Future()
        self.killed: list[tuple[int, int]] = []
        self.ready = SimpleNamespace(remote=lambda: self)
        self.answer = SimpleNamespace(
            remote=lambda *given: SimpleNamespace(future=lambda: self.future)
        )
        self.kill = self._beside(lambda *given: self.killed.append(given))
        self.close = self._beside(lambda: None)

    def _beside(self, call: Any) -> Any:
        return SimpleNamespace(options=lambda **how: SimpleNamespace(remote=call))


class Ray:
    """Nodes, and whether their actors start."""

    def __init__(self) -> None:
        self.rooms: dict[str, int] = {"a": 2, "b": 3}
        self.fails: dict[int, Exception] = {}
        self.actors: list[Actor] = []
        self.away = False

    def remote(self, **how: Any) -> Any:
        def begin(*arguments: Any) -> Actor:
            self.actors.append(Actor())
            return self.actors[-1]

        return lambda kind: SimpleNamespace(options=lambda **how: SimpleNamespace(remote=begin))

    def nodes(self) -> list[dict[str, Any]]:
        if self.away:
            raise ConnectionError("no answer")
        alive = [{"NodeID": at, "Resources": {"CPU": float(n)}, "Alive": True}
                 for at, n in self.rooms.items()]  # fmt: skip
        return [*alive, {"NodeID": "old", "Resources": {"CPU": 8.0}, "Alive": False}]

    def wait(self, begun: list[Any], **how: Any) -> tuple[list[Any], list[Any]]:
        return begun, []

    def get(self, begun: Actor, timeout: float) -> bool:
        if error := self.fails.get(self.actors.index(begun)):
            raise error
        return True

    def is_initialized(self) -> bool:
        return True

    def kill(self, actor: Actor) -> None: ...


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Ray:
    for name, members in {
        "ray": {}, "ray.util": {}, "ray.exceptions": {"RayTaskError": RayTaskError},
        "ray.util.scheduling_strategies": {
            "NodeAffinitySchedulingStrategy": lambda at, *, soft: at
        },
    }.items():  # fmt: skip
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    return Ray()


@pytest.fixture
def transport(ray: Ray) -> Iterator[RayTransport]:
    found = RayTransport(ray, b"work", None, ending=contextlib.ExitStack())
    yield found
    found.close()


def sent(transport: RayTransport, at: str = "a") -> tuple[threading.Event, list[Answer]]:
    """An attempt on a node, and what is told of it."""
    [member] = [one for one in transport.members() if one[0] == at]
    told: list[Answer] = []
    came = threading.Event()

    def hear(answer: Answer) -> None:
        told.append(answer)
        came.set()

    transport.send((*member, 0), 7, b"task", "w-1", hear)
    return came, told


def test_a_node_has_one_actor_with_all_its_processors(transport: RayTransport, ray: Ray) -> None:
    ray.rooms["head"] = 0  # it has no processors for evaluations
    first = transport.members()
    assert {at: places for (at, _), places in first.items()} == {"a": 2, "b": 3}
    assert transport.members() == first
    assert len(ray.actors) == 2
    del ray.rooms["b"]
    ray.rooms["c"] = 1
    assert {at for at, _ in transport.members()} == {"a", "c"}


def test_a_cluster_that_does_not_answer_is_away(transport: RayTransport, ray: Ray) -> None:
    ray.away = True
    with pytest.raises(Away, match="Ray does not answer: ConnectionError: no answer"):
        transport.members()


def test_a_node_without_racing_ends_the_run(transport: RayTransport, ray: Ray) -> None:
    ray.fails[0] = RuntimeError("ModuleNotFoundError: No module named 'racing'")
    with pytest.raises(TargetError, match="nodes of Ray need racing installed"):
        transport.members()


def test_a_node_whose_actor_does_not_start_is_left_out(transport: RayTransport, ray: Ray) -> None:
    ray.rooms = {"a": 2}
    ray.fails = dict.fromkeys(range(99), RuntimeError("out of memory"))
    for _ in range(20):
        assert transport.members() == {}
    assert 1 < len(ray.actors) < 20, "it is tried again, and not for ever"


@pytest.mark.parametrize("error", [None, RayTaskError("cannot pickle a lock")])
def test_what_a_call_came_to_is_told(
    transport: RayTransport, ray: Ray, error: Exception | None
) -> None:
    came, told = sent(transport)
    if error is None:
        ray.actors[0].future.set_result(b"report")
    else:
        ray.actors[0].future.set_exception(error)
    assert came.wait(10)
    assert told == [error or b"report"]


def test_an_actor_that_died_is_replaced(transport: RayTransport, ray: Ray) -> None:
    came, told = sent(transport)
    before = set(transport.members())
    ray.actors[0].future.set_exception(RuntimeError("the actor died"))
    assert came.wait(10)
    assert told == [None]
    after = set(transport.members())
    assert {at for at, _ in after} == {"a", "b"}
    assert len(after & before) == 1


def test_an_actor_that_was_lost_gets_nothing(transport: RayTransport, ray: Ray) -> None:
    transport.members()
    told: list[Answer] = []
    transport.send(("a", "another", 0), 7, b"task", "w-1", told.append)
    transport.kill(("a", "another", 0), 7)
    assert told == [None]
    assert ray.actors[0].killed == []
    [member] = [one for one in transport.members() if one[0] == "a"]
    transport.kill((*member, 1), 8)
    assert ray.actors[0].killed == [(1, 8)]
