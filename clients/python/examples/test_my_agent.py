"""Unit tests of an agent, with a gate in memory; run with pytest."""

import pytest

from toolgate_client import DeniedError, GatedAgent
from toolgate_client.testing import MockToolgate


class Writer(GatedAgent):
    def save(self, text: str) -> str:
        return str(self.use("file_write", critical=True, path="notes.txt", content=text).data)


def test_the_writer_writes() -> None:
    mock = MockToolgate({"writer": ["file_write"]}, results={"file_write": "written"})
    assert Writer("writer", gate=mock).save("hello") == "written"
    assert [call.parameters["content"] for call in mock.calls] == ["hello"]


def test_the_writer_asks_for_help_if_it_may_not_write() -> None:
    mock = MockToolgate({"writer": ["file_read"]})
    with pytest.raises(DeniedError):
        Writer("writer", gate=mock).save("hello")
    mock.assert_escalated("file_write")
