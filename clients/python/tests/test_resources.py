"""The administrative resources, against a real gate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from toolgate_client import AsyncToolgate, AuthenticationError, Toolgate, ToolgateError

MakeAgent = Callable[..., str]
pytestmark = pytest.mark.integration


def test_agents_are_added_changed_and_removed(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent()
    assert gate.agents.update(name, description="writes", trust_level="supervised").trust_level == "supervised"
    assert gate.agents.get(name).description == "writes"
    assert name in [each.agent_id for each in gate.agents.list(limit=2)]
    gate.agents.delete(name, reason="test")
    with pytest.raises(ToolgateError) as raised:
        gate.agents.get(name)
    assert raised.value.status == 404


def test_lists_go_on_over_pages(gate: Toolgate, agent: MakeAgent) -> None:
    names = {agent() for _ in range(5)}
    assert names <= {each.agent_id for each in gate.agents.list(q=f"{next(iter(names))[:6]}", limit=2)}


def test_permissions_are_granted_refused_and_cleared(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent()
    until = datetime.now(UTC) + timedelta(hours=1)
    gate.permissions.grant(name, "file_list", expires_at=until, max_uses=3, reason="to try it")
    gate.permissions.refuse(name, "bash")
    assert {each.tool_name: each.allowed for each in gate.permissions.of(name)} == {"file_list": True, "bash": False}
    gate.permissions.clear(name, "file_list")
    assert not gate.validate("file_list", agent=name)
    assert "to try it" in [each.reason for each in gate.permissions.changes(agent_id=name)]


def test_permissions_of_an_agent_with_the_name_of_a_path_are_read(gate: Toolgate) -> None:
    gate.permissions.grant("matrix", "file_list")
    assert "file_list" in [each.tool_name for each in gate.permissions.of("matrix")]


def test_names_with_odd_characters_stay_one_segment(gate: Toolgate, agent: MakeAgent) -> None:
    name = f"{agent()} ?agent_id=x&#é"
    gate.agents.create(name)
    assert gate.agents.get(name).agent_id == name
    gate.agents.delete(name)


def test_a_name_cannot_lead_to_another_path(gate: Toolgate, agent: MakeAgent) -> None:
    victim = agent("file_list")
    for name in (f"../agents/{victim}", f"x/../{victim}", "..", "", f"..%2f{victim}"):
        with pytest.raises((ToolgateError, ValueError)):
            gate.agents.delete(name)
    assert gate.agents.get(victim).agent_id == victim


def test_the_stream_tells_of_requests_and_answers(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list?")
    told: list[str] = []
    with Toolgate(url=gate._settings.url, key=gate._settings.key) as listener, listener.approvals.stream() as events:
        gate.submit("file_list", {"path": "."}, agent=name)
        for event in events:
            if event.approval.agent_id == name:
                told.append(event.event)
                if event.event == "answered":
                    break
                gate.approvals.deny(event.approval.approval_id, reason="seen")
    assert told == ["opened", "answered"]


def test_a_stream_without_permission_is_an_error(gate: Toolgate) -> None:
    with Toolgate(url=gate._settings.url, key="tg_wrong") as stranger, pytest.raises(AuthenticationError):
        next(iter(stranger.approvals.stream()))


def test_artifacts_go_up_and_down(gate: Toolgate, tmp_path: Path) -> None:
    file = tmp_path / "numbers.txt"
    file.write_bytes(b"0123456789" * 30_000)
    stored = gate.artifacts.upload(file, media_type="text/plain", workspace="py")
    assert (stored.name, stored.size, stored.media_type) == ("numbers.txt", 300_000, "text/plain")
    assert gate.artifacts.download(stored.uri) == file.read_bytes()
    copy = gate.artifacts.save(stored.uri, tmp_path / "copy.txt")
    assert copy.read_bytes() == file.read_bytes()
    assert stored.id in [each.id for each in gate.artifacts.list("py", limit=1)]
    gate.artifacts.delete(stored.uri)
    with pytest.raises(ToolgateError):
        gate.artifacts.save(stored.uri, tmp_path / "gone.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.txt", "numbers.txt"]


def test_keys_are_shown_once_rotated_and_revoked(gate: Toolgate, agent: MakeAgent) -> None:
    made = gate.keys.create("agent", agent_id=agent(), name="short", expires_in="1h")
    assert made.key.startswith("tg_") and made.key not in repr(made)
    fresh = gate.keys.rotate(made.key_id, overlap="0s")
    listed = {each.key_id: each for each in gate.keys.list(limit=50)}
    assert fresh.key_id in listed and "key" not in listed[fresh.key_id]
    gate.keys.revoke(fresh.key_id)
    with Toolgate(url=gate._settings.url, key=fresh.key) as revoked, pytest.raises(ToolgateError):
        revoked.tools()


def test_sessions_start_and_end(gate: Toolgate, agent: MakeAgent) -> None:
    name = agent("file_list", "file_read")
    bundle = {
        "policyBundleVersion": "1",
        "schemaVersion": "1.0",
        "tenantId": "default",
        "userId": "ada",
        "sessionId": f"session_{name}",
        "expiresAt": "2099-01-01T00:00:00Z",
        "capabilities": [{"name": "File.Read"}],
    }
    session = gate.sessions.create(name, bundle)
    assert session.status == "active"
    assert [each.session_id for each in gate.sessions.list(agent_id=name)] == [session.session_id]
    with Toolgate(url=gate._settings.url, key=gate._settings.key, agent=name, session=session.session_id) as own:
        gate.sessions.end(session.session_id)
        assert not own.validate("file_list")
    assert gate.sessions.get(session.session_id).status == "ended"


@pytest.mark.anyio
async def test_the_async_client_has_the_same_resources(gate: Toolgate, agent: MakeAgent, tmp_path: Path) -> None:
    name = agent("file_list")
    file = tmp_path / "a.bin"
    file.write_bytes(b"\x00\x01" * 100_000)
    async with AsyncToolgate(url=gate._settings.url, key=gate._settings.key, agent=name) as own:
        async with own.audit.stream(agent_id=name) as events:
            await own.execute("file_list", {"path": "."})
            async for record in events:
                assert record.tool_name == "file_list"
                break
        assert len([each async for each in own.audit.list(agent_id=name, kind="call", limit=1)]) == 1
        stored = await own.artifacts.upload(file)
        assert await own.artifacts.download(stored.uri) == file.read_bytes()
        assert (await own.artifacts.save(stored.uri, tmp_path / "b.bin")).stat().st_size == 200_000
        assert (await own.agents.get(name)).agent_id == name
        await own.artifacts.delete(stored.uri)
