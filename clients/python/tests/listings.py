"""The programs in documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_listings(document: Path, capsys: pytest.CaptureFixture[str], **given: object) -> int:
    """Runs the listings of a document as one program, which has the given names, and compares what they print with what the document says.

    :returns: how many there are
    """
    names: dict[str, object] = {"__name__": document.name, **given}
    listings = 0
    printed = ""
    for kind, text in _BLOCK.findall(document.read_text()):
        if kind == "python":
            exec(compile(text, f"{document.name}, listing {listings + 1}", "exec"), names)
            printed = capsys.readouterr().out
            listings += 1
        else:
            for line in text.splitlines():
                assert line in printed, f"listing {listings} prints\n{printed}"
    return listings
