"""The guides are run, and their agents do what they say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness_google_adk
import harness_langchain
import harness_openai_agents
import harness_pydantic_ai
import pytest
from harness_claude_agent_sdk import claude
from listings import run_listings
from scripted import Call, Script, Turn

from toolgate_client import Toolgate

GUIDES = Path(__file__).parents[3] / "docs" / "guides"
TWO_HOSTS = (Call("deploy", {"host": "staging"}), Call("deploy", {"host": "production"}))


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, gate: Toolgate, tmp_path: Path) -> None:
    monkeypatch.setenv("TOOLGATE_URL", gate._settings.url)
    monkeypatch.setenv("TOOLGATE_KEY", gate._settings.key or "")
    monkeypatch.setenv("OPENAI_AGENTS_DISABLE_TRACING", "1")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "guide, model",
    [
        ("langchain", lambda: harness_langchain.model(Script(*TWO_HOSTS))),
        ("openai-agents", lambda: harness_openai_agents.ScriptedModel(Script(*TWO_HOSTS))),
        ("pydantic-ai", lambda: harness_pydantic_ai.model(Script(*TWO_HOSTS, Turn(()), Call("file_list", {"path": "."})))),
        ("google-adk", lambda: harness_google_adk.model(Script(*TWO_HOSTS))),
    ],
)
def test_the_guide_does_what_it_says(
    guide: str, model: Callable[[], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_listings(GUIDES / f"{guide}.md", capsys, model=model()) >= 3


def test_the_readme_does_what_it_says(capsys: pytest.CaptureFixture[str], gate: Toolgate) -> None:
    gate.agents.create("readme")
    assert run_listings(Path(__file__).parents[1] / "README.md", capsys) == 2


def test_the_guide_to_claude_does_what_it_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script(Call("Bash", {"command": "echo hello"}), Call("Bash", {"command": "rm -r notes"}))
    with claude(script) as (_, options):
        for name, value in options.env.items():
            monkeypatch.setenv(name, value)
        assert run_listings(GUIDES / "claude-agent-sdk.md", capsys) >= 3
