"""The example notebook runs, cell by cell, and what it shows can be shown."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]


def _run(cell: str, names: dict[str, Any]) -> Any:
    """Runs a cell as a notebook does; returns the value of its last expression."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_example_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    notebook = json.loads((ROOT / "docs" / "examples" / "notebook.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    shown = [
        _run("".join(cell["source"]), names) for cell in notebook["cells"] if cell["cell_type"] == "code"
    ]  # fmt: skip
    game, position, best, runs, asked = shown
    assert "Player 1" in ElementTree.fromstring(game._repr_html_()).find("tr[2]/td").text
    assert ElementTree.fromstring(position._repr_svg_()).tag == "{http://www.w3.org/2000/svg}svg"
    rows = ElementTree.fromstring(best._repr_html_()).findall("tr")
    assert [cell.text for cell in rows[-1]] == ["total", str(best.revenue), "proven: nothing earns more"]
    assert len(runs) == sum(row["runs"] for row in asked)
    assert sum(max(0, most - claimed) for _, claimed, most in runs) == sum(row["left_on_table"] for row in asked)
