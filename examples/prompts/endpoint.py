"""A call of any OpenAI-compatible endpoint, by the standard library alone.

OPENAI_BASE_URL   where it is; default: the offline server, http://127.0.0.1:8321/v1
OPENAI_API_KEY    what it is called with; default: none
OPENAI_MODEL      which model answers; default: small
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import racing

BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 529)
Messages = Sequence[dict[str, str]]


async def ask(messages: Messages, **options: Any) -> tuple[str, dict[str, float]]:
    """What a model answers, and the tokens that this took: `prompt_tokens`, `completion_tokens`.

    Raises
    ------
    racing.Retry
        If the service is busy, ends the connection or answers with something else than JSON.
    RuntimeError
        If it refuses the call for good.
    """
    model = os.environ.get("OPENAI_MODEL", "small")
    try:
        status, headers, body = await _post({"model": model, "messages": messages, **options})
    except (OSError, EOFError, ValueError) as error:
        raise racing.Retry(f"{type(error).__name__}: {error}") from error
    if status in BUSY:
        raise racing.Retry(f"HTTP {status}", after=headers.get("retry-after"))
    if status != 200:
        raise RuntimeError(f"HTTP {status}: {body[:300].decode(errors='replace')}")
    try:
        answer = json.loads(body)
        return answer["choices"][0]["message"]["content"], answer["usage"]
    except (ValueError, LookupError, TypeError) as error:
        raise racing.Retry(f"no answer: {body[:80]!r}") from error


async def _post(payload: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body; one connection for each call."""
    url = urlsplit(os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:8321/v1"))
    secure = url.scheme == "https"
    port = url.port or (443 if secure else 80)
    reader, writer = await asyncio.open_connection(url.hostname, port, ssl=secure or None)
    try:
        body = json.dumps(payload).encode()
        key = os.environ.get("OPENAI_API_KEY", "")
        writer.write(
            f"POST {url.path}/chat/completions HTTP/1.0\r\nHost: {url.netloc}\r\n"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): text.strip() for name, _, text in (h.partition(":") for h in head)}
        return int(head[0].split()[1]), headers, await reader.read()
    except IndexError:
        raise ValueError("no status line") from None
    finally:
        writer.close()
