"""Server-sent events, read as the HTML standard defines them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from .errors import ToolgateError

E = TypeVar("E")

# Only these end a line; str.splitlines and httpx also split at characters that JSON may contain, such as U+2028.
_LINE_END = re.compile(r"\r\n|\r|\n")


class EventParser(Generic[E]):
    """Parses the text of a stream into events. Unknown events are skipped; ``cut`` is an error."""

    def __init__(self, record: Callable[[str, Any], E | None]) -> None:
        self._record = record
        self._started = False
        self._after_return = False
        self._rest = ""
        self._name = ""
        self._data: list[str] = []

    def feed(self, text: str) -> Iterator[E]:
        """The events that end in this part of the stream. One that is cut off by the end of the stream is dropped."""
        if not text:
            return
        if not self._started:
            self._started = True
            text = text.removeprefix("\ufeff")
        if self._after_return:
            text = text.removeprefix("\n")
        self._after_return = text.endswith("\r")
        *lines, self._rest = _LINE_END.split(self._rest + text)
        for line in lines:
            event = self._line(line)
            if event is not None:
                yield event

    def _line(self, line: str) -> E | None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
        elif not line:
            event, data = self._name or "message", self._data
            self._name, self._data = "", []
            if data:
                return self._event(event, "\n".join(data))
        return None

    def _event(self, event: str, data: str) -> E | None:
        if event == "cut":
            raise ToolgateError(
                "STREAM_CUT", "The stream was read too slowly", "Open it again, and list what was missed.", True
            )
        return self._record(event, json.loads(data))
