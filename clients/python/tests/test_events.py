"""Server-sent events, however the network splits them."""

from __future__ import annotations

from typing import Any

import pytest

from toolgate_client.errors import ToolgateError
from toolgate_client.events import EventParser


def events(*parts: str) -> list[tuple[str, Any]]:
    parser = EventParser(lambda name, data: (name, data))
    return [event for part in parts for event in parser.feed(part)]


def test_lines_of_data_are_joined_by_line_feeds_and_lose_one_space() -> None:
    assert events("data: [1,\ndata:2,\ndata:  3]\n\n") == [("message", [1, 2, 3])]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_lines_end_with_any_line_end(end: str) -> None:
    stream = f"data: 1{end}{end}event: e{end}data: 2{end}{end}"
    assert events(stream) == events(*stream) == [("message", 1), ("e", 2)]
    assert events(*"data: 1\r\n\n") == events(*"data: 1\n\r\n") == [("message", 1)]


def test_other_characters_end_no_line() -> None:
    assert events('data: "a\u2028b\u0085c"\n\n') == [("message", "a\u2028b\u0085c")]


def test_comments_other_fields_and_a_byte_order_mark_are_skipped() -> None:
    assert events("\ufeffdata: 1\n: data: 2\ndatabase: 3\nid: 4\n\n") == [("message", 1)]


def test_a_name_is_that_of_its_own_event_only() -> None:
    assert events("event: a\n\ndata: 1\n\nevent:b\ndata: 2\n\nevent:\ndata: 3\n\n") == [
        ("message", 1),
        ("b", 2),
        ("message", 3),
    ]


def test_an_event_cut_off_by_the_end_of_the_stream_is_dropped() -> None:
    assert events("data: 1\n\ndata: 2\n") == [("message", 1)]


def test_a_stream_that_was_cut_is_an_error() -> None:
    with pytest.raises(ToolgateError) as raised:
        events("event: cut\ndata: {}\n\n")
    assert raised.value.code == "STREAM_CUT"
