"""The listings of the Tool Access Service's design, as they stand there. What they take for granted is above them."""

import os
from collections.abc import Iterator

import pytest

from toolgate_client import GatedAgent
from toolgate_client.testing import MockTAS as ShippedMockTAS
from toolgate_client.testing import TASService, mock_tool_result

test_db = os.environ.get("TEST_DATABASE_URL")


class BackendDevAgent(GatedAgent):
    """An agent of the design."""


class MockTAS:
    """Mock TAS for agent unit tests."""
    def __init__(self, permissions: dict):
        self.permissions = permissions  # {agent_id: [tool_list]}
    
    def execute_tool(self, agent_id: str, tool_name: str, **params):
        if tool_name in self.permissions.get(agent_id, []):
            return {"status": "allowed", "result": mock_tool_result()}
        return {"status": "denied", "reason": "Permission denied"}


@pytest.mark.integration
def test_tas_permission_enforcement():
    """Test TAS with real database and API."""
    # Setup
    tas = TASService(db_url=test_db)
    agent = BackendDevAgent(id="test_agent")
    
    # Grant specific permission
    tas.grant_permission("test_agent", "file_write")
    
    # Test allowed operation
    response = tas.execute_tool(
        agent_id="test_agent",
        tool_name="file_write",
        path="/test.py",
        content="print('test')"
    )
    assert response["status"] == "allowed"
    
    # Test denied operation
    response = tas.execute_tool(
        agent_id="test_agent",
        tool_name="database_write",
        table="users", data={}
    )
    assert response["status"] == "denied"
    
    # Verify audit logs
    logs = tas.get_audit_logs(agent_id="test_agent")
    assert len(logs) == 2
    assert logs[0]["allowed"] == True
    assert logs[1]["allowed"] == False


# What is shipped does what the listings do.


@pytest.fixture(params=[MockTAS, ShippedMockTAS])
def mock(request) -> Iterator[object]:
    yield request.param({"backend_dev": ["file_write"], "frontend_dev": []})


def test_both_mocks_answer_an_allowed_call_alike(mock):
    answer = mock.execute_tool("backend_dev", "file_write", path="a.py", content="")
    assert answer["status"] == "allowed"
    assert answer["result"] == mock_tool_result()


def test_both_mocks_answer_a_denied_call_alike(mock):
    for agent in ("frontend_dev", "nobody"):
        answer = mock.execute_tool(agent, "file_write", path="a.py", content="")
        assert (answer["status"], answer["reason"]) == ("denied", "Permission denied")


def test_both_mocks_take_the_names_of_the_listing(mock):
    answer = mock.execute_tool(agent_id="backend_dev", tool_name="file_write", path="a.py")
    assert answer["status"] == "allowed"
