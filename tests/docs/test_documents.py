"""The documents are true: examples print what they show, options are explained, links lead somewhere."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.main import app
from tests.cli.calling import ROOT, trackage
from tests.docs.codes import codes
from tests.docs.examples import DOCUMENTS, examples, output

COMMANDS = [info.name or info.callback.__name__ for info in app.registered_commands if info.callback]
ALL_DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
_CASES = [(document, command, shown) for document in DOCUMENTS for command, shown in examples(document)]


def options_of(command: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", trackage(command, "--help").out.split("Options:")[1])) - {
        "--help"
    }


@pytest.mark.parametrize(("document", "command", "shown"), _CASES, ids=[case[1] for case in _CASES])
def test_examples_print_what_they_show(document: Path, command: str, shown: str) -> None:
    assert output(command) == shown, f"renew {document.name} with: python -m tests.docs.examples"


def test_the_readme_has_examples() -> None:
    assert {command.split()[1] for command, _ in examples(ROOT / "README.md")} >= {"best", "score", "titles"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    shown = trackage(command, "--help").out
    assert re.search(r"Examples?:\n +trackage " + command, shown)
    assert len(shown.splitlines()) > 10


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_documented(command: str) -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {command}\b.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section is not None, f"docs/cli.md has no section on {command}"
    documented = set(re.findall(r"^\| `(--[a-z-]+)", section[0], re.MULTILINE))
    assert documented == options_of(command)


@pytest.mark.parametrize("document", ALL_DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
        if not target.startswith(("http:", "https:")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_the_position_in_the_format_description_is_read() -> None:
    text = (ROOT / "docs" / "position_format.md").read_text(encoding="utf-8")
    block = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert block is not None
    assert trackage("best", "-", stdin=block[1]).status == 0


@pytest.mark.parametrize(
    "target", re.findall(r"^make ([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
)
def test_make_targets_of_the_readme_exist(target: str) -> None:
    assert re.search(rf"^{target}:.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


_FAULTS = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
_CODES = re.findall(r"^\| `([a-z0-9-]+)` \|", _FAULTS, re.MULTILINE)
#: The example of each code: a heading with the code, and a command.
_SHOWN = re.findall(r"^### ([a-z-]+)\n\n```console\n\$ trackage (.+)$", _FAULTS, re.MULTILINE)
#: Tables whose codes have an example each.
_WITH_EXAMPLES = ("one route", "the routes together", "a route as text", "the amounts", "claim files")


def test_the_table_of_faults_holds_the_codes_of_the_source() -> None:
    found, unclear = codes()
    assert not unclear, "a fault whose code is not a text; see tests.docs.codes"
    assert sorted(_CODES) == sorted(found)


def test_every_code_of_claims_has_an_example() -> None:
    sections = dict(re.findall(r"^## Of ([^\n]+)\n(.*?)(?=^## )", _FAULTS, re.M | re.S))
    listed = [code for name in _WITH_EXAMPLES for code in re.findall(r"^\| `([a-z-]+)`", sections[name], re.MULTILINE)]
    assert [code for code, _ in _SHOWN] == listed


@pytest.mark.parametrize(("code", "command"), _SHOWN, ids=[code for code, _ in _SHOWN])
def test_the_examples_of_faults_have_their_codes(code: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    called = trackage(*shlex.split(command), "--json")
    assert called.status in {1, 2}
    told = [fault["code"] for value in called.objects for fault in _faults_of(value)]
    assert code in told


def _faults_of(value: object) -> Iterator[dict[str, str]]:
    """Every fault in a JSON answer, whatever it is about."""
    if isinstance(value, dict):
        if {"code", "message", "where"} <= set(value):
            yield value
        for inner in value.values():
            yield from _faults_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _faults_of(inner)
