"""What pyproject.toml cannot say: the README for a package index, with whole addresses.

Where the repository is, the environment variable RACING_REPOSITORY says, for example
https://example.org/racing. Without it, pictures are left out and links are only their text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from setuptools import setup

_PICTURE = re.compile(r'((?:src|srcset)="|!\[[^\]]*\]\()(?!https?://)([^")]+)')
_LINK = re.compile(r"(\]\()(?!https?://|#)([^)]+)")
_PICTURES = re.compile(r"<picture>.*?</picture>\n|!\[[^\]]*\]\((?!https?://)[^)]+\)\n", re.DOTALL)
_LINKED = re.compile(r"\[([^\]]*)\]\((?!https?://|#)[^)]+\)")


def absolute(text: str, repository: str) -> str:
    """The text without relative addresses: they lead into the repository, if that is known."""
    if not repository:
        return _LINKED.sub(r"\1", _PICTURES.sub("", text))
    text = _PICTURE.sub(rf"\1{repository}/raw/HEAD/\2", text)
    return _LINK.sub(rf"\1{repository}/blob/HEAD/\2", text)


if __name__ == "__main__":
    address = os.environ.get("RACING_REPOSITORY", "").rstrip("/")
    readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    setup(
        long_description=absolute(readme, address),
        long_description_content_type="text/markdown",
        project_urls={"Repository": address} if address else {},
    )
