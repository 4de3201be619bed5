"""The documents are true: examples print what they show, options are explained, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.main import app
from tests.cli.calling import ROOT, trackage
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


_FAULTS = re.findall(
    r"^\| `([a-z-]+)` \| `([\w.-]+)` \| `(.+)` \|$", (ROOT / "docs" / "faults.md").read_text("utf-8"), re.MULTILINE
)


@pytest.mark.parametrize(("code", "position", "claim"), _FAULTS, ids=[case[0] for case in _FAULTS])
def test_the_examples_of_faults_have_their_codes(code: str, position: str, claim: str) -> None:
    called = trackage("score", ROOT / "docs" / "examples" / position, "--route", claim, "--json")
    assert called.status in (1, 2)
    assert f'"code": "{code}"' in called.out
