"""Server-sent events, line by line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from .errors import ToolgateError

E = TypeVar("E")


class EventParser(Generic[E]):
    """Parses the lines of a stream into events. Unknown events are skipped; ``cut`` is an error."""

    def __init__(self, record: Callable[[str, Any], E | None]) -> None:
        self._record = record
        self._name = "message"
        self._data: list[str] = []

    def feed(self, line: str) -> E | None:
        """The event that ends with this line, if one does."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
        elif not line and self._data:
            event, data = self._name, "\n".join(self._data)
            self._name, self._data = "message", []
            if event == "cut":
                raise ToolgateError(
                    "STREAM_CUT", "The stream was read too slowly", "Open it again, and list what was missed.", True
                )
            return self._record(event, json.loads(data))
        return None
