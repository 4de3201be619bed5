"""The distribution holds every package with its data, and nothing else; it runs outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.cli.calling import ERIE, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LISTED = PROJECT["tool"]["setuptools"]["packages"]
TOP = [name for name in LISTED if "." not in name]


def tracked() -> list[Path]:
    """The files of the checkout under version control, or all where there is no git."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        return [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    return [Path(name) for name in done.stdout.split("\0") if name]


def test_every_package_is_listed() -> None:
    packages = {".".join(path.parent.parts) for path in tracked() if path.name == "__init__.py"}
    assert sorted(LISTED) == sorted(name for name in packages if name.split(".")[0] in TOP)
    assert {"tests", "benchmarks"}.isdisjoint(name.split(".")[0] for name in LISTED)


def test_every_package_is_typed_checked_and_in_the_import_contract() -> None:
    assert all((ROOT / name / "py.typed").is_file() for name in TOP)
    assert PROJECT["tool"]["mypy"]["packages"] == TOP
    assert PROJECT["tool"]["importlinter"]["root_packages"] == TOP
    titles = [name for name in LISTED if name.startswith("titles.")]
    (independence,) = [one for one in PROJECT["tool"]["importlinter"]["contracts"] if one["type"] == "independence"]
    assert independence["modules"] == titles


def test_constraints_fit_the_lower_bounds() -> None:
    exact = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
    exact = {name.lower().replace("_", "-"): version for name, version in exact.items()}
    for requirement in (*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["dev"]):
        name, _, bounds = requirement.partition(">=")
        least = bounds.split(";")[0].split(",")[0]
        version = exact[name.lower().replace("_", "-")]
        assert _numbers(version) >= _numbers(least), requirement


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdecimal()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the tracked files as they are now."""
    pytest.importorskip("setuptools", minversion="77")
    source = tmp_path_factory.mktemp("source")
    for path in tracked():
        if (ROOT / path).is_file():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).write_bytes((ROOT / path).read_bytes())
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, source],
        check=True,
        capture_output=True,
        timeout=300,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_packages_and_their_data(wheel: Path) -> None:
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    expected = [
        path.as_posix()
        for path in tracked()
        if (".".join(path.parent.parts) in LISTED and path.suffix in (".py", ".toml", ".md", ".typed"))
        or path.is_relative_to("service/static")
    ]
    assert sorted(names) == sorted(expected)


def test_the_wheel_runs_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(target)
    environment = {**os.environ, "PYTHONPATH": str(target)}
    for arguments in (["titles", "18GB"], ["best", str(ERIE), "--map", str(tmp_path / "map.png")]):
        code = "import sys, cli; sys.exit('wrong place') if not cli.__file__.startswith(sys.argv.pop(1)) else None\n"
        code += "from cli.__main__ import main\nmain()"
        done = subprocess.run(
            [sys.executable, "-c", code, str(target), *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "map.png").is_file()
