"""The tables of a report counted from the plain rows of a dataset: sums in Python, no SQL but ``SELECT *``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from analysis.questions import Dataset

Row = dict[str, Any]
Answer = list[Row]


def _rows(dataset: Dataset, table: str, source: str | None = None) -> Answer:
    found = dataset.all(f"SELECT * FROM {table}")
    return [row for row in found if source is None or row["source"] == source]


def _groups(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, Answer]:
    found: dict[Any, Answer] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def _optimal(row: Row) -> bool:
    return bool(row["legal"]) and row["claimed"] >= row["best"]


def _left(rows: Iterable[Row]) -> int:
    return sum(max(0, row["best"] - row["claimed"]) for row in rows)


def _names(dataset: Dataset) -> Mapping[tuple[str, str], Row]:
    return {(row["source"], row["player"]): row for row in _rows(dataset, "players")}


def titles(dataset: Dataset) -> Answer:
    answer = []
    for title, rows in sorted(_groups(_rows(dataset, "company_turns"), lambda row: row["title"]).items()):
        earning = [row for row in rows if row["best"] > 0]
        found = sum(map(_optimal, earning))
        answer.append({
            "title": title, "games": len({row["source"] for row in rows}), "runs": len(rows), "earning": len(earning),
            "best_found": found, "percent_found": 100 * found / len(earning), "left_on_table": _left(rows),
            "percent_left": 100 * _left(rows) / sum(row["best"] for row in rows),
            "illegal": sum(not row["legal"] for row in rows), "not_proven": sum(not row["proven"] for row in rows),
        })  # fmt: skip
    return answer


def phases(dataset: Dataset) -> Answer:
    """In the order of the rule books."""
    order = ("2", "3", "4", "5", "6", "D", "Yellow", "Green", "Blue", "Brown", "Red", "Gray", "Purple")
    earning = [row for row in _rows(dataset, "company_turns") if row["best"] > 0]
    groups = _groups(earning, lambda row: (row["title"], order.index(row["phase"])))
    return [
        {
            "title": title, "phase": order[place], "runs": len(rows),
            "percent_found": 100 * sum(map(_optimal, rows)) / len(rows), "left_on_table": _left(rows),
            "mean_left": _left(rows) / len(rows),
        }
        for (title, place), rows in sorted(groups.items())
    ]  # fmt: skip


def players(dataset: Dataset) -> Answer:
    names = _names(dataset)
    groups = _groups(_rows(dataset, "company_turns"), lambda row: (row["source"], row["president"]))
    found = [(key, rows) for key, rows in groups.items() if key in names and _left(rows)]
    found.sort(key=lambda one: (-_left(one[1]), *one[0]))
    return [
        {
            "title": rows[0]["title"], "source": key[0], "player": names[key]["name"], "runs": len(rows),
            "left_on_table": _left(rows), "place": names[key]["rank"],
        }
        for key, rows in found[:20]
    ]  # fmt: skip


def time(dataset: Dataset) -> Answer:
    """A tenth holds the runs whose number, counted from 0, is a tenth of all runs of the game or more, and so on."""
    runs = {row["source"]: row["runs"] for row in _rows(dataset, "games")}
    groups = _groups(
        _rows(dataset, "company_turns"),
        lambda row: (row["title"], 1 + int(10 * (row["run"] - 1) / runs[row["source"]])),
    )
    return [
        {"title": title, "tenth": tenth, "runs": len(rows), "mean_left": _left(rows) / len(rows),
         "left_on_table": _left(rows)}
        for (title, tenth), rows in sorted(groups.items())
    ]  # fmt: skip


def trains(dataset: Dataset) -> Answer:
    order = ("2", "2+1", "3", "3+1", "4", "4+2", "5", "5+1", "5+2", "6", "7", "D")
    routes = _groups(
        (row for row in _rows(dataset, "routes") if row["kind"] == "run"), lambda row: (row["source"], row["card"])
    )
    cards = _groups(
        (row for row in _rows(dataset, "trains_bought") if row["seller"] in ("bank", "pool")),
        lambda row: (row["source"], row["card"]),
    )
    kinds = _groups(
        ({"key": key, "title": rows[0]["title"], "train": min(row["train"] for row in rows),
          "paid": sum(row["price"] for row in rows)} for key, rows in cards.items()),
        lambda row: (row["title"], order.index(row["train"])),
    )  # fmt: skip
    answer = []
    for (title, place), rows in sorted(kinds.items()):
        ran = [route for row in rows for route in routes.get(row["key"], [])]
        earned, paid = sum(route["revenue"] for route in ran), sum(row["paid"] for row in rows)
        answer.append({
            "title": title, "train": order[place], "cards": len(rows), "paid": paid, "earned": earned,
            "runs": len(ran), "back": earned / paid,
        })  # fmt: skip
    return answer


def dividends(dataset: Dataset) -> Answer:
    rows = [row for row in _rows(dataset, "company_turns") if row["dividend"] is not None and row["price"] > 0]
    answer = []
    for (title, dividend), group in sorted(_groups(rows, lambda row: (row["title"], row["dividend"])).items()):
        steps = [row["price_after"] - row["price"] for row in group]
        answer.append({
            "title": title, "dividend": dividend, "runs": len(group), "mean_step": sum(steps) / len(steps),
            "up": sum(step > 0 for step in steps), "stays": steps.count(0), "down": sum(step < 0 for step in steps),
        })  # fmt: skip
    return answer


def _of(row: Row, *columns: str) -> Row:
    return {column: ", ".join(row[column]) if column == "trains" else row[column] for column in columns}


def largest(dataset: Dataset) -> Answer:
    rows = [row for row in _rows(dataset, "company_turns") if row["best"] > row["claimed"]]
    rows.sort(key=lambda row: (row["claimed"] - row["best"], row["source"], row["run"]))
    columns = ("title", "source", "action", "company", "phase", "trains", "claimed", "best")
    return [_of(row, *columns) | {"shortfall": row["best"] - row["claimed"]} for row in rows[:15]]


def slowest(dataset: Dataset) -> Answer:
    seconds = {(row["source"], row["run"]): row["seconds"] for row in _rows(dataset, "timings")}
    rows = _rows(dataset, "company_turns")
    rows.sort(key=lambda row: (-seconds[row["source"], row["run"]], row["source"], row["run"]))
    columns = ("title", "source", "action", "company", "phase", "trains", "best", "bound", "method")
    return [_of(row, *columns) | {"seconds": seconds[row["source"], row["run"]]} for row in rows[:15]]


def illegal(dataset: Dataset) -> Answer:
    rows = [row for row in _rows(dataset, "company_turns") if not row["legal"]]
    rows.sort(key=lambda row: (row["source"], row["run"]))
    columns = ("title", "source", "action", "company", "claimed", "revenue", "best")
    return [_of(row, *columns) | {"reason": row["fault_text"]} for row in rows]


def errors(dataset: Dataset) -> Answer:
    groups = _groups(_rows(dataset, "errors"), lambda row: (row["stage"], row["code"]))
    return [
        {"stage": stage, "code": code, "games": len(rows), "example": min(row["message"] for row in rows)}
        for (stage, code), rows in sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))
    ]


def games(dataset: Dataset) -> Answer:
    turns = _groups(_rows(dataset, "company_turns"), lambda row: row["source"])
    rows = [row | {"left_on_table": _left(turns.get(row["source"], []))} for row in _rows(dataset, "games")]
    rows.sort(key=lambda row: (-row["left_on_table"], row["source"]))
    columns = ("title", "source", "players", "actions", "runs", "over", "complete", "differences", "left_on_table")
    return [_of(row, *columns) for row in rows[:30]]


def result(dataset: Dataset, source: str) -> Answer:
    turns = _groups(_rows(dataset, "company_turns", source), lambda row: row["president"])
    rows = sorted(_rows(dataset, "players", source), key=lambda row: (row["rank"], row["seat"]))
    return [
        {"player": row["name"], "value": row["value"], "cash": row["cash"], "recorded": row["recorded"],
         "place": row["rank"], "left_on_table": _left(turns.get(row["player"], []))}
        for row in rows
    ]  # fmt: skip


def revenue(dataset: Dataset, source: str) -> Answer:
    rows = sorted(_rows(dataset, "company_turns", source), key=lambda row: row["run"])
    return [_of(row, "turn", "round", "company", "claimed", "best", "shortfall") for row in rows]


def prices(dataset: Dataset, source: str) -> Answer:
    rows = sorted(_rows(dataset, "share_prices", source), key=lambda row: (row["action"], row["company"]))
    return [
        _of(row, "action", "turn", "round_kind", "round", "company", "price_before", "price", "cause") for row in rows
    ]


def worth(dataset: Dataset, source: str) -> Answer:
    names = _names(dataset)
    rows = _rows(dataset, "standings", source)
    rows.sort(key=lambda row: (row["ended"], names[source, row["player"]]["seat"]))
    return [
        _of(row, "ended", "turn", "round_kind", "round") | {"player": names[source, row["player"]]["name"]}
        | _of(row, "cash", "value")
        for row in rows
    ]  # fmt: skip


OF_ALL: Mapping[str, Callable[[Dataset], Answer]] = {
    "titles": titles, "phases": phases, "players": players, "time": time, "trains": trains, "dividends": dividends,
    "largest": largest, "slowest": slowest, "illegal": illegal, "errors": errors, "games": games,
}  # fmt: skip
OF_ONE: Mapping[str, Callable[[Dataset, str], Answer]] = {
    "result": result, "revenue": revenue, "prices": prices, "worth": worth,
}  # fmt: skip
