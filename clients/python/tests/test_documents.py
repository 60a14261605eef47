"""Every example and every listing of the documents is run, and prints what it says it prints."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from listings import run_listings

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
DOCUMENTS = [ROOT / "README.md", ROOT.parents[1] / "docs" / "guides" / "python.md"]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    gate = request.getfixturevalue("gate")
    monkeypatch.setenv("TOOLGATE_URL", gate._settings.url)
    monkeypatch.setenv("TOOLGATE_KEY", gate._settings.key)
    monkeypatch.chdir(tmp_path)


def said(file: Path) -> list[str]:
    _, _, printed = file.read_text().partition("# Prints:\n")
    return [line.removeprefix("# ") for line in printed.splitlines() if line]


@pytest.mark.integration
@pytest.mark.parametrize("file", [each for each in EXAMPLES if said(each)], ids=lambda file: file.stem)
def test_the_example_prints_what_it_says(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(file), run_name="__main__")
    assert capsys.readouterr().out.splitlines() == said(file)


def test_the_example_tests_pass() -> None:
    tests = [each for each in EXAMPLES if not said(each)]
    assert [each.name for each in tests] == ["test_my_agent.py"]
    for file in tests:
        names = runpy.run_path(str(file))
        run = [value() for name, value in names.items() if name.startswith("test_")]
        assert len(run) == 2


@pytest.mark.integration
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_the_listings_do_what_the_document_says(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_listings(document, capsys) >= 3
