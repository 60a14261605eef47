"""The types, and the package as it would be published."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

from toolgate_integrations import __version__

ROOT = Path(__file__).parents[1]
PROJECT = ROOT.parents[1]


def run(*command: str, folder: Path) -> str:
    ended = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_the_types_are_right(type_check: subprocess.Popen[str]) -> None:
    said, _ = type_check.communicate()
    assert type_check.returncode == 0 and "Success" in said, said


def test_the_package_builds_with_its_types_and_licence(tmp_path: Path) -> None:
    # A copy, since a build leaves files beside the sources.
    copy = tmp_path / "integrations" / "python"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("__pycache__", "dist", ".*"))
    shutil.copy(PROJECT / "LICENSE", tmp_path / "LICENSE")
    run("-m", "build", "--no-isolation", "--outdir", str(tmp_path / "dist"), folder=copy)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    (source,) = (tmp_path / "dist").glob("*.tar.gz")
    names = zipfile.ZipFile(wheel).namelist()
    assert "toolgate_integrations/py.typed" in names and "toolgate_integrations/langchain.py" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("/LICENSE") for name in tarfile.open(source).getnames())
    assert wheel.name.split("-")[1] == __version__


def test_every_framework_is_an_extra_of_the_client() -> None:
    extras = _project(ROOT)["optional-dependencies"]
    of_the_client = _project(PROJECT / "clients" / "python")["optional-dependencies"]
    for extra in extras:
        assert of_the_client[extra] == [f"toolgate-integrations[{extra}]>=0.1,<0.2"]
        assert (PROJECT / "docs" / "guides" / f"{extra}.md").exists()


def test_the_module_of_a_framework_needs_no_other_one() -> None:
    frameworks = ["langchain", "langgraph", "agents", "pydantic_ai", "claude_agent_sdk", "google.adk"]
    for module in ("langchain", "openai_agents", "pydantic_ai", "claude_agent_sdk", "google_adk"):
        text = (ROOT / "src" / "toolgate_integrations" / f"{module}.py").read_text()
        imported = {each for each in frameworks if re.search(rf"^(from|import) {re.escape(each)}\b", text, re.MULTILINE)}
        assert len(imported - {"langgraph"}) == 1


def test_the_changelog_has_this_version() -> None:
    assert re.search(rf"^## {re.escape(__version__)}", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


def _project(folder: Path) -> dict[str, dict[str, list[str]]]:
    project: dict[str, dict[str, list[str]]] = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    return project
