"""The target: classify a review with a prompt, and say whether that was wrong and what it cost."""

from __future__ import annotations

import os
from typing import Any

from examples.prompts.endpoint import ask
from examples.prompts.items import ITEMS

PROMPTS = {
    "plain": "Is this review positive or negative?",
    "role": "You have read thousands of restaurant reviews. Is this one positive or negative?",
    "rules": "Label the review. Mind negations: 'not bad' is praise. Answer positive or negative.",
    "steps": "Think step by step about what the guest felt, then answer positive or negative.",
}
SHOTS = (
    ("The salad was not bad.", "positive"),
    ("The fish was hardly fresh.", "negative"),
    ("The wine was a surprise, a good one.", "positive"),
    ("We waited for nothing.", "negative"),
)
USD_PER_TOKEN = {  # of a prompt and of an answer; by the million in the environment
    "prompt_tokens": float(os.environ.get("USD_PER_MILLION_IN", "0.15")) / 1e6,
    "completion_tokens": float(os.environ.get("USD_PER_MILLION_OUT", "0.60")) / 1e6,
}


async def solve(values: dict[str, Any], instance: str, seed: int) -> dict[str, Any]:
    """0 if the label is right and 1 if it is wrong, with what the call was charged."""
    item = ITEMS[instance]
    text, usage = await ask(
        messages(values, item.text), temperature=values["temperature"], seed=seed
    )
    words = text.lower().replace(".", " ").split()
    label = next((word for word in reversed(words) if word in ("positive", "negative")), "")
    usd = sum(price * usage[kind] for kind, price in USD_PER_TOKEN.items())
    tokens = sum(usage[kind] for kind in USD_PER_TOKEN)
    return {"cost": float(label != item.label), "spent": {"usd": usd, "tokens": tokens}}


def messages(values: dict[str, Any], review: str) -> list[dict[str, str]]:
    """The conversation: the prompt, examples with their labels, and the review."""
    shots = [
        {"role": role, "content": text}
        for shot in SHOTS[: values["shots"]]
        for role, text in zip(("user", "assistant"), shot, strict=True)
    ]
    system = {"role": "system", "content": PROMPTS[values["prompt"]]}
    return [system, *shots, {"role": "user", "content": review}]
