"""``trackage query``: SQL over the dataset of a batch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from analysis.questions import Dataset, Reply
from analysis.tables import TABLES
from board.errors import Fault, InputError
from cli.errors import DONE
from cli.screen import columns, say, styled
from cli.written import write_json


def run(question: str | None, folder: Path | None, *, tables: bool = False, as_json: bool = False) -> int:
    """Print the answer to a question, or the schema of all tables; returns the exit status."""
    if tables:
        if folder is None and question is not None:
            folder = Path(question)
        _say_tables(folder, as_json)
        return DONE
    if question is None or folder is None:
        raise InputError(Fault("no-question", "give a question in SQL and the folder of a batch", "query"))
    reply = Dataset(folder).ask(question)
    if as_json:
        for row in reply.rows:
            write_json({name: _plain(value) for name, value in zip(reply.columns, row, strict=True)})
    else:
        for line in _lines(reply):
            say(line)
    return DONE


def _say_tables(folder: Path | None, as_json: bool) -> None:
    counts = Dataset(folder).counts if folder is not None else {}
    for table in TABLES:
        shown = [("title", "string", "title of the game")] if table.partitioned else []
        shown += [(one.name, one.type_name, one.meaning) for one in table.columns]
        if as_json:
            listed = [{"name": name, "type": kind, "meaning": meaning} for name, kind, meaning in shown]
            write_json({"table": table.name, "row": table.row, "rows": counts.get(table.name), "columns": listed})
            continue
        number = f" · {counts[table.name]:,} rows" if table.name in counts else ""
        say(f"{styled(table.name, 'bold')}{number}: {table.row}")
        for line in columns([list(one) for one in shown]):
            say(f"  {line}")
        say()


def _lines(reply: Reply) -> Iterator[str]:
    """Aligned columns, numbers flush right; a long answer is aligned by its first thousand rows."""
    gathered: list[Sequence[Any]] = []
    for row in reply.rows:
        gathered.append(row)
    if not reply.columns:
        return
    right = [
        place
        for place in range(len(reply.columns))
        if any(isinstance(row[place], (int, float, Decimal)) and not isinstance(row[place], bool) for row in gathered)
    ]
    texts = [list(reply.columns), *([_text(value) for value in row] for row in gathered)]
    yield from columns([[*row, ""] for row in texts], right)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}"
    if isinstance(value, (list, tuple)):
        return ", ".join(_text(one) for one in value)
    return str(value) if not isinstance(value, dict) else json.dumps(_plain(value))


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
