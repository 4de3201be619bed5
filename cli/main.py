"""The command ``trackage``: reads the call, starts a command, turns what comes out into an exit status.

Commands load what they need when they run, so that small ones start at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from math import isnan
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.errors import guarded

app: Final = typer.Typer(
    name="trackage",
    help="""Proven best train runs for 18xx board games.

    Results go to standard output, messages to standard error. Exit status: 0 done; 1 the answer is a complaint;
    2 the input or the call is wrong; 3 a fault of this program.
    """,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


class MethodName(StrEnum):
    """How to search: let the program choose, list all routes, or solve a constraint model."""

    AUTO = "auto"
    ENUMERATE = "enumerate"
    CONSTRAINT = "constraint"


def _seconds(value: float | None) -> float | None:
    """A limit in seconds; ``nan`` is smaller than no number and would slip through."""
    if value is not None and isnan(value):
        raise typer.BadParameter("'nan' is not a number of seconds.")
    return value


Positions = Annotated[list[str], typer.Argument(help="Position files; - is standard input.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON Lines for programs, one object for each position.")]
Maps = Annotated[
    list[Path] | None,
    typer.Option("--map", metavar="FILE.svg|png", help="Draw the map with the routes to this file; may be repeated."),
]
Table = Annotated[
    Path | None,
    typer.Option(
        "--bonus-table", metavar="FILE", help="Values that the title leaves to you (TOML); see docs/bonus_table.md."
    ),
]


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as installed

        try:
            print(f"trackage {installed('trackage')}")
        except PackageNotFoundError:  # run from a checkout as python -m cli
            print("trackage (not installed)")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(2)


@app.command()
def best(
    positions: Positions,
    *,
    as_json: Json = False,
    top: Annotated[int, typer.Option(min=1, max=100, metavar="K", help="Show the K best sets, ties first.")] = 1,
    pin: Annotated[
        list[str] | None,
        typer.Option(metavar="ROUTE", help="Keep this route and optimise the other trains; may be repeated."),
    ] = None,
    avoid: Annotated[
        list[str] | None, typer.Option(metavar="ROUTE", help="Do not run this route; may be repeated.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="Do not touch this hex; may be repeated.")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            metavar="SECONDS",
            callback=_seconds,
            help="Stop then, with the best set so far and a bound (default 60).",
        ),
    ] = None,
    method: Annotated[MethodName, typer.Option(help="How to search.")] = MethodName.AUTO,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also tell rules, sources, blocked cities and each route as text.")
    ] = False,
    maps: Maps = None,
    bonus_table: Table = None,
) -> int:
    """Find the best set of runs for each position, and prove it.

    A route is written TRAIN: STOP-STOP-…; a hex or a printed name is enough where it names one stop, and "via HEX HEX"
    tells apart two pieces of track between the same stops.

    \b
    Examples:
      trackage best docs/examples/1830-erie.json
      trackage best game.jsonl --json --time-limit 5
      trackage best turn.json --pin "4: E11.c1-D14-E19-G19.c1" --map turn.svg
    """
    from analysis.best_runs import Wishes
    from cli.best import run
    from cli.drawings import checked_paths
    from cli.inputs import bonus_table as read_table

    wishes = Wishes(
        method=method.value, time_limit=time_limit, top=top, pins=tuple(pin or ()), avoid=tuple(avoid or ()),
        without=tuple(without or ()), table=read_table(bonus_table),
    )  # fmt: skip
    return run(positions, wishes, as_json=as_json, explain=explain, maps=checked_paths(maps or (), "--map"))


@app.command()
def score(
    positions: Positions,
    *,
    as_json: Json = False,
    route: Annotated[
        list[str] | None,
        typer.Option(metavar="ROUTE", help="Judge this route instead of those in the file; may be repeated."),
    ] = None,
    maps: Maps = None,
    bonus_table: Table = None,
) -> int:
    """Judge the claimed routes of each position: legal or not, what each stop pays, and what differs from the claim.

    Exit status 1 where a claim is illegal or its revenue is not what the rules give.

    \b
    Examples:
      trackage score docs/examples/1833ne-frr.json
      trackage score turn.json --route "4: E11.c1-D14-E19-G19.c1"
      trackage score game.jsonl --json
    """
    from cli.drawings import checked_paths
    from cli.inputs import bonus_table as read_table
    from cli.score import run

    return run(
        positions, routes=tuple(route or ()), table=read_table(bonus_table), as_json=as_json,
        maps=checked_paths(maps or (), "--map"),
    )  # fmt: skip


@app.command()
def show(
    positions: Positions,
    *,
    out: Annotated[list[Path], typer.Option("--out", metavar="FILE.svg|png", help="Where to draw; may be repeated.")],
    as_json: Json = False,
) -> int:
    """Draw the map of each position with its tokens and the routes that it claims.

    The first position goes to the file itself, further ones to FILE-2, FILE-3 and so on.

    \b
    Example:
      trackage show docs/examples/18gb-lnwr.json --out map.svg
    """
    from cli.drawings import checked_paths
    from cli.show import run

    return run(positions, checked_paths(out, "--out"), as_json=as_json)


@app.command()
def audit(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="Recorded games, position files or claim files; - is standard input."),
    ],
    *,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with status 1 where money was left on the table, too.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="List every run, not only those with a remark.")] = False,
    time_limit: Annotated[
        float, typer.Option(min=0.0, metavar="SECONDS", callback=_seconds, help="Seconds for the best of each run.")
    ] = 60.0,
    as_json: Json = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown tables, for posting.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, a row for each turn.")] = False,
    bonus_table: Table = None,
) -> int:
    """Audit runs: money left on the table, runs that were not legal, amounts that are not what the rules give.

    A claim file is CSV or JSON with a row for each run: position or game (files), action, company, train, stops,
    revenue. Exit status 1 where a run is not legal or an amount is wrong; with --strict also where more was possible.

    \b
    Examples:
      trackage audit docs/examples/games/1830-random.json
      trackage audit claims.csv --strict
      trackage audit game.json --markdown > audit.md
    """
    from cli.audit import Form, run
    from cli.inputs import bonus_table as read_table

    forms = [form for form, asked in zip(Form, (False, as_json, as_markdown, as_csv), strict=True) if asked]
    if len(forms) > 1:
        raise typer.BadParameter("only one of --json, --markdown and --csv can be had at a time")
    return run(
        sources, form=forms[0] if forms else Form.TEXT, strict=strict, every=every, time_limit=time_limit,
        table=read_table(bonus_table),
    )  # fmt: skip


Game = Annotated[str, typer.Argument(metavar="GAME", help="A recorded game (JSON); - is standard input.")]


@app.command()
def replay(
    game: Game,
    *,
    to: Annotated[
        int | None,
        typer.Option(min=0, metavar="ACTION", help="Stop after the action with this id (0: before the first)."),
    ] = None,
    position: Annotated[
        bool,
        typer.Option(
            "--position",
            help="Print the position there as a position file; without --to, one for each run of the game.",
        ),
    ] = False,
    ledger: Annotated[
        bool, typer.Option("--ledger", help="Print a line for each action: money, prices with their causes, trains.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Play a recorded game by the rules, and say where it differs from what was recorded.

    An action that is against the rules ends the replay with who, what, why, and what would be legal. Revenue is worked
    out again; where the record tells another one, the game goes on with that of the record. Exit status 1 where
    something differs.

    \b
    Examples:
      trackage replay docs/examples/games/1830-random.json
      trackage replay game.json --ledger --json
      trackage replay game.json --to 92 --position
    """
    from cli.replay import run

    return run(game, to=to, ledger=ledger, position=position, as_json=as_json)


@app.command("what-if")
def what_if(
    source: Annotated[
        str, typer.Argument(metavar="POSITION|GAME", help="A position file or a recorded game; - is standard input.")
    ],
    *,
    at: Annotated[
        int | None,
        typer.Option(
            "--at", min=0, metavar="ACTION", help="The moment of a game: right after the action with this id."
        ),
    ] = None,
    company: Annotated[
        str | None, typer.Option("--for", metavar="COMPANY", help="Whose best runs are told (default: who is on turn).")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this kind, hex, city, tile or train; may be repeated."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="Processes that work on it.")] = 2,
    every: Annotated[bool, typer.Option("--all", help="List every change, also those that bring nothing.")] = False,
    as_json: Json = False,
    bonus_table: Table = None,
) -> int:
    """Tell the best revenue after each tile lay, upgrade, token and train purchase now open to the company on turn.

    Sorted by gain, with the cost and what others lose. What is open is for the rules engine to say. Of a position the
    money and the trains of others are not known: everything is taken to be affordable, and no harm is told.

    \b
    Examples:
      trackage what-if docs/examples/1830-erie.json
      trackage what-if game.json --at 92 --for PRR
      trackage what-if turn.json --only token --only D14
    """
    from cli.inputs import bonus_table as read_table
    from cli.what_if import run

    return run(
        source, at=at, company=company, only=tuple(only or ()), jobs=jobs, every=every, as_json=as_json,
        table=read_table(bonus_table),
    )  # fmt: skip


@app.command()
def round(  # noqa: A001
    game: Game,
    *,
    at: Annotated[
        int | None, typer.Option(metavar="ACTION", help="An action of the operating round (default: the last round).")
    ] = None,
    time_limit: Annotated[
        float,
        typer.Option(min=0.0, metavar="SECONDS", callback=_seconds, help="Seconds for the best run of each company."),
    ] = 60.0,
    as_json: Json = False,
) -> int:
    """Evaluate an operating round of a recorded game: best runs, and what each dividend would bring.

    For each company its best run, what paying out, withholding and whatever else the title allows would do to the share
    price, and what every holder and treasury would receive, beside what was done.

    \b
    Examples:
      trackage round docs/examples/games/1830-random.json
      trackage round game.json --at 92 --json
    """
    from cli.round import run

    return run(game, at=at, time_limit=time_limit, as_json=as_json)


@app.command()
def simulate(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="The title to play.")],
    *,
    players: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many play (default: the least number of the title).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, metavar="S", help="What decides the game.")] = 1,
    option: Annotated[
        list[str] | None, typer.Option(metavar="OPTION", help="An option of the title; may be repeated.")
    ] = None,
    length: Annotated[
        int, typer.Option(min=1, max=10_000, metavar="ACTIONS", help="End the game by agreement after so many actions.")
    ] = 2_500,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the game to this file instead of standard output."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Play a random legal game and print it in the format of recorded games.

    The same title, number of players, options and seed give the same game on every machine.

    \b
    Examples:
      trackage simulate 1830 --players 3 --seed 7 --out game.json
      trackage simulate 1830 --option optional_6_train --seed 2 | trackage replay -
    """
    from cli.simulate import run

    return run(title, players=players, seed=seed, options=tuple(option or ()), length=length, out=out, as_json=as_json)


@app.command()
def batch(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCES", help="Recorded games: files, folders, patterns, archives; - reads JSON Lines."
        ),
    ],
    *,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder of the dataset.")],
    jobs: Annotated[
        int | None, typer.Option(min=1, max=512, metavar="N", help="Worker processes (default: one a processor).")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the batch that DIR holds.")] = False,
    scheduler: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Let the workers of this Dask scheduler do the work.")
    ] = "",
    time_limit: Annotated[
        float,
        typer.Option(min=0.0, metavar="SECONDS", callback=_seconds, help="Seconds for the best of each train run."),
    ] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the totals as JSON.")] = False,
) -> int:
    """Replay many recorded games, find the best of every train run, and write a Parquet dataset.

    Takes .json, .json.gz, .jsonl and .zip; folders are searched for them. A game that cannot be read or played becomes
    a row of the table errors. After an interruption of any kind, --resume keeps the games that were finished.

    \b
    Examples:
      trackage batch games/ --out dataset
      trackage batch 'exports/**/*.json' more.zip --out dataset --jobs 8 --resume
      trackage batch games/ --out dataset --scheduler tcp://10.0.0.5:8786
    """
    from cli.batch import run

    return run(
        sources, out, jobs=jobs, resume=resume, scheduler=scheduler, time_limit=time_limit, as_json=as_json
    )  # fmt: skip


@app.command()
def query(
    question: Annotated[str | None, typer.Argument(metavar="SQL", help="One SQL statement.")] = None,
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="The folder of a batch.")] = None,
    *,
    tables: Annotated[bool, typer.Option("--tables", help="List the tables and the meaning of their columns.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON Lines, one object for each row.")] = False,
) -> int:
    """Ask the dataset of a batch in SQL (DuckDB).

    \b
    Examples:
      trackage query --tables
      trackage query "SELECT title, avg(shortfall) FROM company_turns GROUP BY title" dataset
      trackage query "SELECT * FROM errors" dataset --json
    """
    from cli.query import run

    return run(question, folder, tables=tables, as_json=as_json)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a batch.")],
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.html", help="Where to write the page.")],
    game: Annotated[
        str, typer.Option(metavar="GAME", help="About this game alone, by file name, source or id, with a chronicle.")
    ] = "",
) -> int:
    """Write a page with tables, plots and maps about the dataset of a batch: one HTML file that stands for itself.

    With --game, or where the dataset holds one game, the page is about that game, and ends with a chronicle: the map at
    each train run, what was run, and what was best.

    \b
    Examples:
      trackage report dataset --out report.html
      trackage report dataset --out game.html --game 26855
    """
    from cli.report import run

    return run(folder, out, game=game)


@app.command()
def titles(
    names: Annotated[list[str] | None, typer.Argument(metavar="[TITLE]", help="Titles to describe.")] = None,
    *,
    as_json: Json = False,
) -> int:
    """List the supported titles, or describe some: options, trains, phases, and where the facts come from.

    \b
    Examples:
      trackage titles
      trackage titles 18GB
      trackage titles --json
    """
    from cli.titles import run

    return run(names or (), as_json=as_json)


@app.command()
def serve(
    *,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="PORT", help="The port; 0: any free one.")] = 8018,
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where games are kept (default: trackage in the user's data folder)."),
    ] = None,
    token: Annotated[
        str,
        typer.Option(
            envvar="TRACKAGE_TOKEN",
            help="What callers must know; needed where others can reach the address. Better told by TRACKAGE_TOKEN.",
        ),
    ] = "",
    workers: Annotated[int, typer.Option(min=1, max=64, metavar="N", help="How many searches run at a time.")] = 2,
) -> int:
    """Serve a page and an HTTP interface for live play, on this machine only unless told otherwise.

    \b
    Examples:
      trackage serve
      trackage serve --port 9000 --data games
      TRACKAGE_TOKEN=... trackage serve --host 192.0.2.7
    """
    from cli.serve import run

    return run(host, port, folder=data, token=token, workers=workers)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (by default that of this process); returns the exit status and never raises."""
    return guarded(lambda: _called(sys.argv[1:] if arguments is None else list(arguments)))


def _called(arguments: list[str]) -> object:
    # Not app(...): it would turn interruption and closed pipes into exit statuses of its own.
    command = typer.main.get_command(app)
    with command.make_context("trackage", arguments) as context:
        return command.invoke(context)
