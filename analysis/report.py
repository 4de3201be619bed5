"""A report on a dataset: one HTML page that stands for itself, with tables, plots and maps. No script, nothing loaded.

Every number comes from a question of ``analysis.report_questions``; the table of a question stands below its plot,
under its name. The same dataset gives the same page, but for the seconds of searches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from html import escape
from pathlib import PurePosixPath
from typing import Any, Final, Literal

from analysis.games import problems_of
from analysis.picture_store import PictureStore
from analysis.pictures import picture_of
from analysis.plots import bars, lines
from analysis.questions import Dataset
from analysis.report_questions import OF_A_GAME, QUESTIONS
from board.edition import Edition
from board.errors import Fault, InputError, TrackageError
from board.hexes import HexId, StopId
from board.routes import ClaimedRoute
from records.positions import PositionRecord, from_json
from routing.checker import Verdict
from routing.claims import check_claim
from routing.problem import RouteProblem
from titles.registry import get_title

#: Illegal runs that are drawn; the table lists all.
_DRAWN: Final = 12
#: Rows of a table that are shown at once; more fold.
_SHOWN: Final = 15
#: Characters of a text that stands in a cell on one line.
_SHORT: Final = 24

_STYLE: Final = """
:root{color-scheme:light}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;color:#1f1f1f;background:#fff;
max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.25rem;margin-top:2.2rem;border-bottom:1px solid #ccc}
h3{font-size:1rem;margin:1.6rem 0 .3rem}h1,h2,h3,p{overflow-wrap:anywhere}td.k{white-space:nowrap}
td.t{min-width:14rem;max-width:40rem}td.s{overflow-wrap:anywhere;min-width:7rem;max-width:15rem}
p,figcaption{max-width:45rem}figure{margin:.8rem 0}
svg.plot,svg.trackage-map{display:block;width:100%;height:auto}svg.plot{max-width:32rem}
svg.trackage-map{max-height:90vh}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;margin:.5rem 0}
th,td{padding:.15rem .6rem .15rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #e4e4e4}
th{font-weight:600}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
summary{cursor:pointer;color:#0b4f8a;font-size:.9rem}nav a{margin-right:1rem;white-space:nowrap}
.short{color:#a33a00;font-weight:600}.bad{color:#b00020;font-weight:600}.good{color:#1b6e3c}
.turn{border-top:1px solid #ccc;padding-top:.2rem}.pair{display:grid;gap:1rem}
@media(min-width:46rem){.pair.two{grid-template-columns:1fr 1fr}}
@media print{body{font-size:10pt;max-width:none;padding:0}nav{display:none}figure,.turn,tr{break-inside:avoid}
h2,h3{break-after:avoid}svg.trackage-map{max-height:8.2cm}.turn figure{margin:.2rem 0}
svg.plot{max-width:11cm}.wide{overflow:visible}table{font-size:7.5pt}a{color:inherit}
details::details-content{content-visibility:visible;block-size:auto}summary{display:none}}
""".replace("\n", "")

_HEADS: Final[Mapping[str, str]] = {
    "earning": "could earn",
    "best_found": "best found", "percent_found": "best found, %", "left_on_table": "left on the table",
    "percent_left": "left, %", "not_proven": "not proven", "mean_left": "left a run", "mean_step": "mean step",
    "price_before": "price before", "price_after": "price after", "round_kind": "round of", "source": "game",
    "back": "earned per money paid", "tenth": "tenth of the game", "over": "ended by",
}  # fmt: skip


def report_on(dataset: Dataset, game: str = "") -> str:
    """The page about a dataset; about one game of it where *game* names one by source or id, or where there is only
    one. Raises :class:`InputError` for a game that is not there."""
    sources = [row["source"] for row in dataset.all("SELECT source FROM games ORDER BY source")]
    source = _source(dataset, game) if game else sources[0] if len(sources) == 1 else ""
    return _Page(dataset).of_game(source) if source else _Page(dataset).of_all()


def _source(dataset: Dataset, game: str) -> str:
    """The source of the game that is called so: by its source, its id, or the name of its file without endings."""
    games = dataset.all("SELECT source, game FROM games ORDER BY source")
    for fits in (
        [row for row in games if row["source"] == game],
        [row for row in games if game in (row["game"], _short(row["source"]), _stem(row["source"]))],
    ):
        if len(fits) == 1:
            return str(fits[0]["source"])
        if fits:
            several = ", ".join(str(row["source"]) for row in fits[:5])
            raise InputError(Fault("ambiguous-game", f"{len(fits)} games are called {game}: {several}", "--game"))
    close = get_close_matches(game, [str(row["source"]) for row in games], n=3, cutoff=0.3)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    raise InputError(Fault("unknown-game", f"there is no game {game!r} in the dataset{hint}", "--game"))


def _stem(source: str) -> str:
    """The last part of the name of a game without what says how it is packed."""
    return re.sub(r"\.(json|jsonl|ndjson)(\.gz)?(?=:[0-9]+$|$)", "", PurePosixPath(source).name)


class _Page:
    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._store = PictureStore()
        self._parts: list[str | int] = []
        """Markup, and the numbers of pictures that stand between it."""
        self._heads: list[tuple[str, str]] = []
        self._editions: dict[tuple[str, frozenset[str], int | None], Edition] = {}

    # --- pieces ------------------------------------------------------------------------------------------------

    def _add(self, markup: str) -> None:
        self._parts.append(markup)

    def _head(self, anchor: str, text: str, said: str = "") -> None:
        self._heads.append((anchor, text))
        self._add(f'<h2 id="{anchor}">{escape(text)}</h2>' + (f"<p>{escape(said)}</p>" if said else ""))

    def _figure(self, plot: str, said: str) -> None:
        self._add(
            f'<figure role="img" aria-label="{escape(said)}">{plot}<figcaption>{escape(said)}</figcaption></figure>'
        )

    def _table(
        self, name: str, rows: Sequence[Mapping[str, Any]], *, fold: bool = False, without: Iterable[str] = ()
    ) -> None:
        if not rows:
            self._add(f'<p data-question="{name}">None.</p>')
            return
        columns = [column for column in rows[0] if column not in frozenset(without)]
        numeric = {column: _places(rows, column) for column in columns if _is_numeric(rows, column)}
        head = "".join(
            f'<th class="n">{escape(_HEADS.get(one, one))}</th>'
            if one in numeric
            else f"<th>{escape(_HEADS.get(one, one))}</th>"
            for one in columns
        )
        body = "".join(
            "<tr>" + "".join(_cell(one, row[one], numeric.get(one)) for one in columns) + "</tr>" for row in rows
        )
        inside = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        table = f'<div class="wide"><table data-question="{name}">{inside}</table></div>'
        folded = fold or len(rows) > 2 * _SHOWN
        self._add(f"<details><summary>{len(rows)} rows</summary>{table}</details>" if folded else table)

    def _finished(self, title: str, said: str) -> str:
        pictures = {part: self._store.picture(part) for part in self._parts if isinstance(part, int)}
        links = " ".join(f'<a href="#{anchor}">{escape(text)}</a>' for anchor, text in self._heads)
        body = "".join(pictures[part] if isinstance(part, int) else part for part in self._parts)
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>{self._store.shared()}"
            f"<h1>{escape(title)}</h1><p>{escape(said)}</p><nav>{links}</nav>{body}</body></html>\n"
        )

    # --- a whole dataset ---------------------------------------------------------------------------------------

    def of_all(self) -> str:
        found = {name: self._dataset.all(question) for name, question in QUESTIONS.items()}
        found["phases"].sort(key=lambda row: (row["title"], self._place(row["title"], "phases", row["phase"])))
        found["trains"].sort(key=lambda row: (row["title"], self._place(row["title"], "trains", row["train"])))
        counts = self._dataset.counts
        said = (
            f"{counts['games']:,} games, {counts['company_turns']:,} train runs; "
            f"{counts['errors']:,} errors. Money is in the currency of each title."
        )
        self._head(
            "optimum", "How often the best runs were found",
            "A run counts as best where it is legal and earns the most possible; of those that could earn something.",
        )  # fmt: skip
        self._table("titles", found["titles"])
        for title, rows in _by(found["phases"], "title"):
            values = [(str(row["phase"]), float(row["percent_found"])) for row in rows]
            plot = bars(f"phases-{title}", values, unit="best found, % of runs")
            self._figure(plot, f"{title}: runs that earned the most possible, by phase")
        self._table("phases", found["phases"], fold=True)
        self._head(
            "left", "Money left on the table", "What the best legal runs would have earned more than what was claimed."
        )
        names = [(f"{row['player']}, {_stem(row['source'])}", float(row["left_on_table"])) for row in found["players"]]
        if names:
            self._figure(bars("players", names, unit="left on the table"), "Players who left most, over a whole game")
        self._table("players", found["players"], fold=True)
        series = {
            title: [(float(row["tenth"]), float(row["mean_left"])) for row in rows]
            for title, rows in _by(found["time"], "title")
        }
        if series:
            plot = lines("time", series, across="tenth of the runs of a game", unit="left a run, mean")
            self._figure(plot, "Money left in each run as games go on, by tenths of their runs")
        self._table("time", found["time"], fold=True)
        self._add("<h3>The runs that left most</h3>")
        self._table("largest", found["largest"])
        self._trains(found["trains"])
        self._head("prices", "Share prices and dividends", "How far prices moved with each use of the revenue.")
        for title, rows in _by(found["dividends"], "title"):
            values = [(str(row["dividend"]), float(row["mean_step"] or 0)) for row in rows]
            self._figure(
                bars(f"dividends-{title}", values, unit="mean step of the price"), f"{title}: price after dividends"
            )
        self._table("dividends", found["dividends"], fold=True)
        if found["games"]:
            row = found["games"][0]
            self._head("game", f"A game: {_short(row['source'])}", "The game in which most was left on the table.")
            self._curves(str(row["source"]))
        self._illegal(found["illegal"])
        self._head("slowest", "Slowest positions", "Seconds of the search for the best runs.")
        self._table("slowest", found["slowest"])
        self._head("games", "Games")
        self._table("games", found["games"])
        self._head("errors", "Errors", "What could not be read, played or searched.")
        self._table("errors", found["errors"])
        return self._finished("Train runs of recorded games", said)

    def _trains(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._head(
            "trains", "Which trains pay back",
            "Money that the routes of a kind of train earned in all, for each unit paid to the bank for such trains. "
            "Bonuses that several trains earn together are not counted.",
        )  # fmt: skip
        for title, of_title in _by(rows, "title"):
            values = [(str(row["train"]), float(row["back"] or 0)) for row in of_title]
            self._figure(
                bars(f"trains-{title}", values, unit="earned for each unit paid"),
                f"{title}: earned by train, per money paid",
            )
        self._table("trains", rows, fold=True)

    def _illegal(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._head("illegal", "Illegal runs", "Runs that the rules do not allow; the map shows what was claimed.")
        self._table("illegal", rows, without=("run",))
        for row in rows[:_DRAWN]:
            (found,) = self._dataset.all(
                "SELECT position FROM positions WHERE source = ? AND run = ?", [row["source"], row["run"]]
            )
            self._add(
                f'<section class="turn"><h3>{escape(_short(row["source"]))}, action {row["action"]}: '
                f'{escape(row["company"])}</h3><p class="bad">{escape(row["reason"] or "")}</p>'
            )
            self._map(str(row["title"]), json.loads(found["position"]))
            self._add("</section>")
        if len(rows) > _DRAWN:
            self._add(f"<p>{len(rows) - _DRAWN} more are not drawn.</p>")

    # --- one game ----------------------------------------------------------------------------------------------

    def of_game(self, source: str) -> str:
        (game,) = self._dataset.all("SELECT * FROM games WHERE source = ?", [source])
        ended = f"ended by {game['over']}" if game["over"] else "did not end"
        said = (
            f"{game['title']}, {game['players']} players, {game['actions']} actions, {game['runs']} train runs; "
            f"{ended}. {source}"
        )
        self._head("result", "Result")
        self._curves(source)
        self._chronicle(str(game["title"]), source)
        errors = self._dataset.all("SELECT stage, code, message FROM errors WHERE source = ?", [source])
        if errors:
            self._head("errors", "Errors")
            self._table("errors", errors)
        name = game["game"] or _short(source)
        return self._finished(f"{game['title']} · game {name}", said)

    def _curves(self, source: str) -> None:
        """Result, value, revenue and price of one game as tables and lines."""
        found = {
            name: self._dataset.all(OF_A_GAME[name], [source]) for name in ("result", "revenue", "prices", "worth")
        }
        self._table("result", found["result"])
        worth = found["worth"]
        ticks = {float(row["ended"]): f"{row['round_kind'][0]}{row['turn']}.{row['round']}" for row in worth}
        values = {
            str(player): [(float(row["ended"]), float(row["value"])) for row in rows]
            for player, rows in _by(worth, "player")
        }
        if values:
            plot = lines("worth", values, across="round (S stock, O operating)", unit="value", ticks=ticks)
            self._figure(plot, "Value of the players at the end of each round")
        self._table("worth", worth, fold=True, without=("ended",))
        ran = list(dict.fromkeys((row["turn"], row["round"]) for row in found["revenue"]))
        at = {key: float(place) for place, key in enumerate(ran)}
        ticks = {at[key]: f"{key[0]}.{key[1]}" for key in ran}
        revenue = {
            str(company): [(at[row["turn"], row["round"]], float(row["claimed"])) for row in rows]
            for company, rows in _by(found["revenue"], "company")
        }
        if revenue:
            self._figure(
                lines("revenue", revenue, across="operating round", unit="revenue", ticks=ticks),
                "Revenue of the companies",
            )
            left: dict[float, float] = dict.fromkeys(at.values(), 0.0)
            for row in found["revenue"]:
                left[at[row["turn"], row["round"]]] += float(row["shortfall"])
            plot = lines(
                "left", {"all companies": list(left.items())}, across="operating round", unit="money", ticks=ticks
            )
            self._figure(plot, "Money left on the table in each operating round")
        self._table("revenue", found["revenue"], fold=True)
        prices = {
            str(company): [(float(row["action"] or 0), float(row["price"])) for row in rows]
            for company, rows in _by(found["prices"], "company")
        }
        if prices:
            self._figure(lines("prices", prices, across="action", unit="share price"), "Share prices")
        self._table("prices", found["prices"], fold=True)

    def _chronicle(self, title: str, source: str) -> None:
        self._head(
            "chronicle", "Chronicle",
            "Each train run: the map of that moment with what was run, and, where more was possible, with the best.",
        )  # fmt: skip
        best = self._best_routes(source)
        for row in self._dataset.all(OF_A_GAME["chronicle"], [source]):
            self._add(f'<section class="turn" data-run="{row["run"]}">{_turn_head(row)}')
            better = row["shortfall"] > 0 or not row["legal"]
            self._add('<div class="pair two">' if better else '<div class="pair">')
            self._add("<figure><figcaption>what was run</figcaption>" if better else "<figure>")
            value = json.loads(row["position"])
            self._map(title, value)
            self._add("</figure>")
            if better:
                self._add(f"<figure><figcaption>the best: {row['best']}</figcaption>")
                self._map(title, value, best.get(row["run"], ()))
                self._add("</figure>")
            self._add("</div></section>")

    def _best_routes(self, source: str) -> dict[int, list[ClaimedRoute]]:
        found: dict[int, list[ClaimedRoute]] = {}
        question = "SELECT * FROM routes WHERE source = ? AND kind = 'best' ORDER BY run, route"
        for row in self._dataset.all(question, [source]):
            stops = tuple(StopId.of(HexId(stop.partition(".")[0]), stop.partition(".")[2]) for stop in row["stops"])
            hexes = tuple(tuple(HexId(name) for name in leg) for leg in row["connections"])
            found.setdefault(row["run"], []).append(ClaimedRoute(row["train"], stops, hexes))
        return found

    def _map(self, title: str, value: object, routes: Sequence[ClaimedRoute] | None = None) -> None:
        """The map of a position with these routes, or with those that it claims."""
        try:
            record = self._record(value)
            problem = problems_of(title)(record.position)
            verdict = _verdict(problem, record.claimed if routes is None else routes)
        except TrackageError as error:
            self._add(f'<p class="bad">{escape(str(error))}</p>')
            return
        self._parts.append(self._store.add(picture_of(record.position, verdict, title=" ", legend_at="none")))
        if verdict is not None:
            self._add("".join(_route_lines(problem, verdict)))

    def _record(self, value: object) -> PositionRecord:
        return from_json(value, self._edition)

    def _place(self, title: str, kind: Literal["phases", "trains"], name: str) -> int:
        """Where a phase or train stands in the printed order of its title; behind all others if it is not there."""
        names = list(getattr(self._edition(title, (), get_title(title).info.players[0]), kind))
        return names.index(name) if name in names else len(names)

    def _edition(self, title: str, options: Iterable[str], players: int | None) -> Edition:
        key = title, frozenset(options), players
        if key not in self._editions:
            self._editions[key] = get_title(title).edition(key[1], players)
        return self._editions[key]


def _verdict(problem: RouteProblem, routes: Sequence[ClaimedRoute]) -> Verdict | None:
    return check_claim(problem, routes) if routes else None


def _route_lines(problem: RouteProblem, verdict: Verdict) -> Iterator[str]:
    """Each route as a line: train, revenue and stops with what they pay; those that do not count in brackets."""
    names = problem.position.edition.map
    yield '<ol class="routes">'
    for scored in verdict.routes:
        paid = {part.where: part.amount for part in scored.parts}
        stops = [
            escape(f"{names.name_of(stop)} {paid[stop]}" if stop in paid else f"[{names.name_of(stop)}]")
            if stop.hex in problem.position.layout_of
            else escape(f"[{stop}]")
            for stop in scored.stops
        ]
        bonuses = "".join(f" + {escape(item.label)} {item.amount}" for item in scored.bonuses)
        yield f"<li><b>{escape(scored.train)}</b> {scored.revenue}: {' – '.join(stops)}{bonuses}</li>"
    yield "</ol>"
    for item in verdict.bonuses:
        if len(item.routes) > 1:
            yield f"<p>{escape(item.label)} {item.amount}, earned together</p>"


def _turn_head(row: Mapping[str, Any]) -> str:
    president = f", {row['president']}" if row["president"] else ""
    mark = f", {row['mark']}" if row["mark"] else ""
    number = f", action {row['action']}" if row["action"] is not None else ""
    trains = ", ".join(row["trains"]) or "no train"
    head = f"{row['turn']}.{row['round']} · {row['company']}{president}{mark} · phase {row['phase']}{number}"
    sure = "" if row["proven"] else f", not proven: at most {row['bound']}"
    if row["shortfall"] > 0:
        verdict = f'<span class="short">{row["shortfall"]} less than the best, {row["best"]}{sure}</span>'
    else:
        verdict = (
            f'<span class="good">nothing better: {row["best"]}{sure}</span>'
            if row["legal"]
            else f"best {row['best']}{sure}"
        )
    illegal = "" if row["legal"] else f' <span class="bad">illegal: {escape(row["fault_text"] or "")}</span>'
    paid = ""
    if row["dividend"]:
        moved = f", price {row['price']} → {row['price_after']}" if row["price"] else ""
        paid = f" {escape(row['dividend'])}{moved}."
    return f"<h3>{escape(head)}</h3><p>{escape(trains)} ran for <b>{row['claimed']}</b>;{paid} {verdict}{illegal}</p>"


def _is_numeric(rows: Sequence[Mapping[str, Any]], column: str) -> bool:
    return all(
        row[column] is None or (isinstance(row[column], (int, float)) and not isinstance(row[column], bool))
        for row in rows
    )


def _places(rows: Sequence[Mapping[str, Any]], column: str) -> int:
    """Decimal places of a column, so that its points stand below each other."""
    fractions = (f"{row[column]:.2f}".rstrip("0").partition(".")[2] for row in rows if isinstance(row[column], float))
    return max((len(fraction) for fraction in fractions), default=0)


def _cell(column: str, value: object, places: int | None) -> str:
    """*places* are the decimal places of a column of numbers; None for any other."""
    if places is not None:
        return f'<td class="n">{"" if value is None else f"{value:.{places}f}"}</td>'
    if value is None:
        return "<td></td>"
    if column == "source":
        return f'<td class="s" title="{escape(str(value))}">{escape(_short(str(value)))}</td>'
    if isinstance(value, bool):
        value = "yes" if value else "no"
    kind = ' class="k"' if len(str(value)) <= _SHORT else ' class="t"'
    return f"<td{kind}>{escape(str(value))}</td>"


def _short(source: str) -> str:
    """The last two parts of the name of a game."""
    return "/".join(PurePosixPath(source).parts[-2:])


def _by(rows: Iterable[Mapping[str, Any]], column: str) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Rows gathered by a column, in order of appearance."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(str(row[column]), []).append(row)
    yield from found.items()
