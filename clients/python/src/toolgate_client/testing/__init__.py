"""For tests: a gate in memory, a real gate for the length of a test, and the Tool Access Service by its first design."""

from .mock import MockTAS, MockToolgate, RecordedCall, mock_tool_result
from .server import GateProcess, TASService

__all__ = ["GateProcess", "MockTAS", "MockToolgate", "RecordedCall", "TASService", "mock_tool_result"]
