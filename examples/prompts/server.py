"""A server that plays an OpenAI-compatible endpoint offline: `python -m examples.prompts.server`.

How often it is right depends on the prompt, the examples, the temperature and the review. It takes
its time, is busy now and then, and counts tokens. The same call gets the same answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from examples.prompts.items import ITEMS

LABELS = {item.text: item for item in ITEMS.values()}
SKILL = {"step by step": 0.35, "negations": 0.45, "thousands": 0.15}


@dataclass
class Server:
    """How it behaves, and what it was asked.

    Attributes
    ----------
    latency
        Seconds that a call takes on average.
    troubles
        Trouble → how often, from 0 to 1: `busy` (429), `down` (503), `reset` (the connection
        ends), `garbage` (no JSON), `hang` (no answer at all).
    until
        After how many calls the troubles are over; None for never.
    closed
        From when to when, in seconds since the first call, every call is answered with 429.
    answered
        Call → how often it was answered, which is what a service charges for.
    """

    latency: float = 0.3
    troubles: dict[str, float] = field(default_factory=lambda: {"busy": 0.02})
    until: int | None = None
    closed: tuple[float, float] = (0.0, 0.0)
    answered: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    open: int = 0
    most_open: int = 0
    first: float | None = None

    async def serve(self, port: int = 8321) -> asyncio.Server:
        """Listen on this machine; port 0 takes any that is free."""
        return await asyncio.start_server(self._hear, "127.0.0.1", port, backlog=2000)

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.split("content-length:")[1].split()[0])
            body = await reader.readexactly(length)
            writer.write(await self._reply(body) or await reader.read())
            await writer.drain()
        except (OSError, EOFError):
            pass
        finally:
            self.open -= 1
            writer.close()

    async def _reply(self, body: bytes) -> bytes:
        self.calls += 1
        rng = random.Random(self.calls)
        now = asyncio.get_running_loop().time()
        self.first = now if self.first is None else self.first
        if self.closed[0] <= now - self.first < self.closed[1]:
            return _trouble("busy")
        over = self.until is not None and self.calls > self.until
        for trouble, share in self.troubles.items():
            if not over and rng.random() < share:
                return _trouble(trouble)
        await asyncio.sleep(self.latency * rng.uniform(0.5, 1.5))
        self.answered[body.decode()] += 1
        return _http(200, json.dumps(answer(json.loads(body))))


def _trouble(trouble: str) -> bytes:
    """What is sent; nothing until the caller gives up, if the server hangs."""
    replies = {
        "busy": _http(429, "{}", "Retry-After: 0.05\r\n"),
        "down": _http(503, "down"),
        "garbage": _http(200, "<html>"),
        "reset": b"HTTP/1.0 2",
    }
    return replies.get(trouble, b"")


def answer(call: dict[str, Any]) -> dict[str, Any]:
    """What the model of this server says; the same for the same call."""
    messages = call["messages"]
    item = LABELS[messages[-1]["content"]]
    skill = sum(gain for cue, gain in SKILL.items() if cue in messages[0]["content"])
    skill += 0.1 * (len(messages) // 2 - 1) - 0.1 * call.get("temperature", 0)
    right = random.Random(json.dumps(call)).random() < 0.97 - max(item.difficulty - skill, 0.0)
    other = "negative" if item.label == "positive" else "positive"
    text = item.label if right else other
    if "step by step" in messages[0]["content"]:
        text = "The guest writes about a visit and says how it was. " * 3 + text
    words = sum(len(one["content"].split()) for one in messages)
    return {
        "choices": [{"message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 2 * words, "completion_tokens": 2 * len(text.split())},
    }


def _http(status: int, body: str, headers: str = "") -> bytes:
    return f"HTTP/1.0 {status} Status\r\n{headers}\r\n{body}".encode()


async def _main(port: int, latency: float) -> None:
    server = await Server(latency).serve(port)
    print(f"http://127.0.0.1:{port}/v1 answers; Ctrl-C ends it", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    base = urlsplit(os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:8321/v1"))
    parser.add_argument("--port", type=int, default=base.port or 8321)
    parser.add_argument("--latency", type=float, default=0.3, help="seconds that a call takes")
    arguments = parser.parse_args()
    asyncio.run(_main(arguments.port, arguments.latency))
