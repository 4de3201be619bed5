"""Questions in SQL to the dataset of a batch, answered by DuckDB. The tables of ``analysis.tables`` are its views."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.parts import DATASET
from analysis.tables import TABLES, VERSION, TableSchema
from board.errors import Fault, InputError


@dataclass(frozen=True)
class Reply:
    """The answer to a question: names of columns, and rows as they are asked for, which can be gone through once."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


class Dataset:
    """The dataset in a folder, open for questions. Questions read; they cannot write or reach other files.

    Raises :class:`InputError` for a folder without a whole dataset, or with one of another version.
    """

    def __init__(self, folder: Path) -> None:
        import duckdb

        self.folder = folder
        self.counts = _counts(folder)
        self._connection = duckdb.connect(":memory:")
        for table in TABLES:
            self._connection.execute(_view(folder, table))
        where = _quoted(str(folder.resolve()))
        self._connection.execute(f"SET allowed_directories = [{where}]")
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")

    def ask(self, question: str, values: Sequence[object] = ()) -> Reply:
        """The answer to one SQL statement; ``?`` stands for each of *values*. Raises :class:`InputError`
        (``bad-query``) with what the database says."""
        import duckdb

        try:
            cursor = self._connection.execute(question, list(values))
            described = cursor.description or []
        except duckdb.Error as error:
            raise InputError(Fault("bad-query", _reason(error), "query")) from error
        return Reply(tuple(column[0] for column in described), self._rows(cursor) if described else iter(()))

    @staticmethod
    def _rows(cursor: Any) -> Iterator[tuple[Any, ...]]:
        import duckdb

        try:
            while rows := cursor.fetchmany(1_000):
                yield from rows
        except duckdb.Error as error:
            raise InputError(Fault("bad-query", _reason(error), "query")) from error

    def all(self, question: str, values: Sequence[object] = ()) -> list[dict[str, Any]]:
        """All rows of an answer, by column."""
        reply = self.ask(question, values)
        return [dict(zip(reply.columns, row, strict=True)) for row in reply.rows]


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:500]


def _counts(folder: Path) -> dict[str, int]:
    try:
        told = json.loads((folder / DATASET).read_bytes())
    except (OSError, ValueError) as error:
        begun = "its batch has not finished; batch --resume goes on with it"
        reason = begun if (folder / "parts").is_dir() else "there is no dataset of a batch"
        raise InputError(Fault("no-dataset", reason, str(folder))) from error
    if not isinstance(told, dict) or told.get("version") != VERSION:
        message = (
            f"has the format {told.get('version') if isinstance(told, dict) else told}; this program reads {VERSION}"
        )
        raise InputError(Fault("other-version", message, str(folder)))
    return {str(name): int(number) for name, number in told["rows"].items()}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _view(folder: Path, table: TableSchema) -> str:
    """The statement that makes the view of a table; without files it has no rows."""
    if not any((folder / table.name).rglob("*.parquet")):
        kinds = {"string": "VARCHAR", "int64": "BIGINT", "float64": "DOUBLE", "bool": "BOOLEAN"}
        kinds |= {"list<string>": "VARCHAR[]", "list<list<string>>": "VARCHAR[][]"}
        columns = [f'NULL::{kinds[one.type_name]} AS "{one.name}"' for one in table.columns]
        columns += ["NULL::VARCHAR AS title"] if table.partitioned else []
        return f'CREATE VIEW "{table.name}" AS SELECT {", ".join(columns)} WHERE false'
    path = str(folder.resolve() / table.name)
    for magic in "[*?":
        path = path.replace(magic, f"[{magic}]")
    if not table.partitioned:
        return f'CREATE VIEW "{table.name}" AS SELECT * FROM read_parquet({_quoted(path + "/*.parquet")})'
    options = "hive_partitioning = true, hive_types = {'title': VARCHAR}"
    return f'CREATE VIEW "{table.name}" AS SELECT * FROM read_parquet({_quoted(path + "/*/*.parquet")}, {options})'
