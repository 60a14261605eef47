"""The types, and the package as it would be published."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command: str, folder: Path = ROOT, **environment: str) -> str:
    ended = subprocess.run(
        [sys.executable, *command], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_the_types_are_right(tmp_path: Path) -> None:
    assert "Success" in run("-m", "mypy", "--cache-dir", str(tmp_path))


def test_the_package_builds_and_works_where_it_is_installed(tmp_path: Path) -> None:
    # A copy, since a build leaves files beside the sources.
    project = tmp_path / "clients" / "python"
    shutil.copytree(ROOT, project, ignore=shutil.ignore_patterns("__pycache__", "dist", ".*"))
    shutil.copy(ROOT.parents[1] / "LICENSE", tmp_path / "LICENSE")
    run("-m", "build", "--no-isolation", "--outdir", str(tmp_path / "dist"), folder=project)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    (source,) = (tmp_path / "dist").glob("*.tar.gz")
    names = zipfile.ZipFile(wheel).namelist()
    assert "toolgate_client/py.typed" in names and "toolgate_client/testing/plugin.py" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("/LICENSE") for name in tarfile.open(source).getnames())
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    (tmp_path / "test_it.py").write_text("def test_it(request):\n    request.config.pluginmanager.getplugin('toolgate_client').toolgate_server\n")
    said = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "test_it.py", folder=tmp_path, PYTHONPATH=str(installed))
    assert "1 passed" in said
    version = run("-c", "import toolgate_client as t; print(t.__file__, t.__version__)", folder=tmp_path, PYTHONPATH=str(installed))
    assert str(installed) in version and wheel.name.split("-")[1] in version


def test_the_changelog_has_this_version() -> None:
    from toolgate_client import __version__

    assert re.search(rf"^## {re.escape(__version__)}", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
