"""Loads the facts of a title from the TOML files of its folder.

The files are read through ``importlib.resources``, so that an installed wheel works like a checkout. What the board
needs (map, tiles, trains, phases, names) becomes an :class:`~board.edition.Edition`; what the rules of a whole game
need beyond that is read by them from the same files. ``docs/title_data.md`` describes the format.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from board.catalogue import Catalogue, TileStock, standard_tiles
from board.edition import Edition, MarkerShape
from board.errors import Fault, InputError
from board.hexes import HexId, Layout
from board.map import Border, GameMap, MapHex, Reservation
from board.phases import TILE_COLOURS, Phase
from board.tiles import Tile
from board.trains import ANY_STOP, Row, StopKind, TrainType
from titles.base import Title, TitleInfo
from titles.data_check import BORDER_KINDS, HEX_COLOURS, FaultList, Table, check_map, hex_or_fault, tile_problems

if TYPE_CHECKING:  # a run is answered without the rules of whole games
    from rules.game import Game, Scorer

_ROW: Final = re.compile(r"([a-z+]+) ([0-9]+|all)(?: pay=([0-9]+))?(?: x([0-9]+))?")
_RESTRICTION_KEYS: Final = (
    "tile", "hex", "only", "same_exits", "not_in_phase", "rotation", "keeps_city", "keeps_company",
)  # fmt: skip


class DataTitle(Title):
    """A title whose facts lie in the folder *package* of ``titles``."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.info = title_info(package)

    def edition(self, options: Iterable[str] = (), players: int | None = None) -> Edition:
        return load_edition(self.package, self.check_options(options, players), players)

    def game(
        self,
        seats: Sequence[str],
        *,
        options: Iterable[str] = (),
        names: Mapping[str, str] | None = None,
        seed: int = 0,
        scorer: Scorer | None = None,
    ) -> Game:
        from titles.game_facts import load_game_facts

        rules = self.game_rules()
        if rules is None:
            return super().game(seats, options=options, names=names, seed=seed, scorer=scorer)
        chosen = self.check_options(options, len(seats))
        facts = load_game_facts(self.package, chosen, len(seats))
        return rules(facts, seats, names=names, seed=seed, options=chosen, scorer=scorer)


@lru_cache(maxsize=64)
def read_toml(package: str, file: str) -> Mapping[str, object]:
    """The content of a file of the title's folder. Raises :class:`InputError` where it is not TOML."""
    try:
        return tomllib.loads(files(f"titles.{package}").joinpath(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(Fault("bad-title-data", f"cannot be read: {error}", f"{package}/{file}")) from error


def open_table(package: str, file: str, faults: FaultList) -> Table:
    """The file as a table that notes faults; ``format`` and ``source``, which every file has, are checked."""
    table = Table(read_toml(package, file), f"{package}/{file}", faults)
    if not re.fullmatch(r"trackage-[a-z-]+-1", table.text("format")):
        table.fault("format", "is not a format of this program")
    table.text("source")
    return table


@lru_cache(maxsize=16)
def title_info(package: str) -> TitleInfo:
    """What the title's ``setup.toml`` says about it. Raises :class:`InputError` with all faults."""
    faults = FaultList()
    setup = open_table(package, "setup.toml", faults)
    options = setup.table("options")
    info = TitleInfo(
        name=setup.text("name"),
        full_name=setup.text("full_name"),
        players=_players(setup),
        options={option: options.text(option) for option in options},
        scenarios=tuple(name for name, _ in setup.tables("scenarios")),
        sources=setup.texts("sources"),
    )
    faults.stop_if_any()
    return info


def aliases(package: str) -> tuple[str, ...]:
    """Further names under which the title is known."""
    faults = FaultList()
    found = open_table(package, "setup.toml", faults).texts("aliases")
    faults.stop_if_any()
    return found


@lru_cache(maxsize=32)
def load_edition(package: str, options: frozenset[str], players: int | None) -> Edition:
    """The facts of the title for these options and number of players; the same object for the same question.

    Raises :class:`InputError` with all faults of the files, or where the title has scenarios and *players* names none.
    """
    faults = FaultList()
    setup = open_table(package, "setup.toml", faults)
    name = setup.text("name")
    scenario, scenario_facts = _scenario(setup, name, options, players)
    company_facts = open_table(package, "companies.toml", faults)
    companies, privates = _names(company_facts, options)
    tiles = _tiles(open_table(package, "tiles.toml", faults), scenario, faults)
    map_file = scenario_facts.text("map", "map.toml")
    game_map = _map(open_table(package, map_file, faults), faults)
    check_map(game_map, f"{package}/{map_file}", companies | privates, faults)
    trains_file = open_table(package, "trains.toml", faults)
    trains, counts = _trains(trains_file, scenario, options, players)
    phases = _phases(trains_file, trains, options)
    trains_file.close()
    if scenario:
        in_play = frozenset((*scenario_facts.texts("corporations"), *scenario_facts.texts("one_drawn_from")))
        private_names = frozenset(scenario_facts.texts("privates"))
        for stranger in sorted((in_play - companies) | (private_names - privates)):
            scenario_facts.fault("", f"nobody is called {stranger!r}")
        companies, privates = in_play, private_names
    markers = setup.table("markers")
    shapes = {shape.name.lower(): shape for shape in MarkerShape}
    for marker in markers:
        if markers.text(marker) not in shapes:
            markers.fault(marker, f"is not one of {', '.join(shapes)}")
    edition = Edition(
        title=name,
        scenario=scenario,
        options=options,
        players=players,
        map=game_map,
        tiles=tiles,
        phases=phases,
        trains=trains,
        companies=companies,
        privates=privates,
        markers={marker: shapes.get(markers.text(marker), MarkerShape.NAME) for marker in markers},
        joined_companies=setup.flag("joined_companies"),
        tokens_beside_slots=setup.flag("tokens_beside_slots"),
        other_labels=_other_labels(setup),
        train_counts=counts,
        colours=_colours(company_facts),
    )
    faults.stop_if_any()
    return edition


def _other_labels(setup: Table) -> dict[str, HexId]:
    """By tile the hex on which it lies although the label differs."""
    table = setup.table("tiles_with_another_label")
    return {tile: table.hex(tile) for tile in table}


def _players(setup: Table) -> tuple[int, int]:
    limits = setup.integers("players")
    if len(limits) != 2:
        setup.fault("players", "expected the least and the most players, as [2, 6]")
        return 0, 0
    return limits[0], limits[1]


def _scenario(setup: Table, title: str, options: frozenset[str], players: int | None) -> tuple[str, Table]:
    """The scenario for the number of players and the options, and its table; none for titles without scenarios."""
    scenarios = dict(setup.tables("scenarios"))
    if not scenarios:
        return "", setup.table("no_scenario")
    if players is None:
        raise InputError(
            Fault(
                "no-players", f"{title} needs the number of players; map, tiles and companies depend on it", "players"
            )
        )
    fitting = {name: facts for name, facts in scenarios.items() if facts.number("players") == players}
    for option in sorted(options):
        users = [facts for facts in scenarios.values() if facts.text("option", "") == option]
        if users and all(facts.number("players") != players for facts in users):
            needed = " or ".join(str(facts.number("players")) for facts in users)
            raise InputError(
                Fault("option-does-not-fit", f"{option} is for {needed} players, not {players}", "options")
            )
    chosen = next(
        (name for name, facts in fitting.items() if facts.text("option", "") in options - {""}),
        next((name for name, facts in fitting.items() if not facts.text("option", "")), ""),
    )
    return chosen, scenarios[chosen]


def _names(companies: Table, options: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of all corporations and minors, and of all privates."""
    by_option = companies.table("corporations_by_option")
    further = [name for option in by_option if option in options for name in by_option.texts(option)]
    owners = frozenset((*companies.table("corporations"), *companies.table("minors"), *further))
    return owners, frozenset(companies.table("privates"))


def _colours(companies: Table) -> dict[str, str]:
    """The colour of each company's tokens, where the title gives one."""
    facts = (*companies.tables("corporations"), *companies.tables("minors"))
    return {name: colour for name, company in facts if (colour := company.text("colour", ""))}


def _map(table: Table, faults: FaultList) -> GameMap:
    layouts = {layout.value: layout for layout in Layout}
    layout_name = table.text("layout")
    if layout_name not in layouts:
        table.fault("layout", f"is not one of {', '.join(layouts)}")
    hexes: dict[HexId, MapHex] = {}
    for place, text in enumerate(table.texts("blank")):
        if hex_id := hex_or_fault(text, table.where(f"blank[{place}]"), faults):
            hexes[hex_id] = MapHex(hex_id, Tile(hex_id, "white"))
    for text, facts in table.tables("hexes"):
        hex_id = hex_or_fault(text, facts.where(), faults)
        if hex_id is None:
            continue
        if hex_id in hexes:
            facts.fault("", "is also in blank")
        hexes[hex_id] = _hex(hex_id, facts)
    game_map = GameMap(layouts.get(layout_name, Layout.FLAT), hexes, table.text("source"), table.text("name", ""))
    table.close()
    return game_map


def _hex(hex_id: HexId, facts: Table) -> MapHex:
    colour = facts.text("colour")
    if colour not in HEX_COLOURS:
        facts.fault("colour", f"{colour!r} is not one of {', '.join(HEX_COLOURS)}")
    printed = MapHex(
        id=hex_id,
        tile=_tile(hex_id, colour, facts),
        name=facts.text("name", ""),
        borders=tuple(_borders(facts)),
        reservations=tuple(_reservations(facts)),
        blocked_by=facts.texts("blocked_by"),
        markers=tuple(_marker(table) for table in facts.list_of_tables("markers")),
        record=facts.text("record", ""),
    )
    facts.close()
    return printed


def _marker(table: Table) -> Mapping[str, object]:
    """A symbol of the map; what it means is up to the rules of the title."""
    table.text("kind")
    return {key: table.number(key) if key in ("count", "value") else table.text(key) for key in table}


def _tile(tile_id: str, colour: str, facts: Table) -> Tile:
    try:
        return Tile.parse(tile_id, colour, facts.text("print", ""))
    except InputError as error:
        for fault in error.faults:
            facts.fault("print", fault.message)
        return Tile(tile_id, colour)


def _borders(facts: Table) -> Iterable[Border]:
    for place, text in enumerate(facts.texts("borders")):
        words = text.split()
        kind = words[1] if len(words) > 1 else ""
        costs = BORDER_KINDS.get(kind)
        if (
            costs is None
            or not words[0].isdecimal()
            or len(words) != 2 + costs
            or not all(map(str.isdecimal, words[2:]))
        ):
            facts.fault(f"borders[{place}]", f'{text!r} is not a side and a kind with its cost, as "4 water 40"')
        else:
            yield Border(int(words[0]), kind, int(words[2]) if costs else 0)


def _reservations(facts: Table) -> Iterable[Reservation]:
    for table in facts.list_of_tables("reserved"):
        yield Reservation(
            table.text("company"),
            table.text("reason", "home"),
            table.text("city", "") or None,
            table.text("until", "") or None,
            table.text("since", "") or None,
        )
        table.close()


def _tiles(table: Table, scenario: str, faults: FaultList) -> Catalogue:
    known = standard_tiles()
    stock: dict[str, TileStock] = {}
    standard, labels, limited = table.table("standard"), table.table("labels"), table.table("only_in_scenarios")
    for tile_id in standard:
        count = standard.count(tile_id)
        entry = known.get(tile_id)
        if entry is None:
            standard.fault(tile_id, "no standard tile has this number")
        else:
            stock[tile_id] = TileStock(entry.tile(tile_id, labels.text(tile_id, "")), count)
    for tile_id in labels:
        if tile_id not in stock:
            labels.fault(tile_id, "is not among the standard tiles of this title")
    for tile_id, facts in table.tables("tiles"):
        colour = facts.text("colour")
        if colour not in TILE_COLOURS:
            facts.fault("colour", f"{colour!r} is not one of {', '.join(TILE_COLOURS)}")
        tile = _tile(tile_id, colour, facts)
        for problem in tile_problems(tile):
            facts.fault("print", problem)
        if tile_id in stock:
            facts.fault("", "is also among the standard tiles")
        facts.ignore("reserved")
        stock[tile_id] = TileStock(tile, facts.count("count"))
        facts.close()
    for tile_id in limited:
        if tile_id not in stock:
            limited.fault(tile_id, "is not a tile of this title")
        elif scenario not in limited.texts(tile_id):
            del stock[tile_id]
    for restriction in table.list_of_tables("restrictions"):
        restriction.ignore(*_RESTRICTION_KEYS)
        for tile_id in (*restriction.texts("only"), *filter(None, [restriction.text("tile", "")])):
            if tile_id not in stock and tile_id not in limited:
                restriction.fault("", f"{tile_id!r} is not a tile of this title")
        restriction.close()
    table.close()
    return Catalogue(stock, table.text("source"))


def _trains(
    table: Table, scenario: str, options: frozenset[str], players: int | None
) -> tuple[dict[str, TrainType], dict[str, int | None]]:
    """The kinds of train, and the number of cards of each (None: unlimited); a second face counts with its card."""
    trains: dict[str, TrainType] = {}
    counts: dict[str, int | None] = {}
    names = set(table.table("trains"))
    for name, facts in table.tables("trains"):
        other_rows = facts.table("rows_by_option")
        texts = next((other_rows.texts(option) for option in other_rows if option in options), facts.texts("rows"))
        rows = tuple(filter(None, (_row(text, place, facts) for place, text in enumerate(texts))))
        if not rows:
            facts.fault("rows", "a train needs at least one row")
        trains[name] = TrainType(name, rows)
        by_scenario = facts.numbers("count_by_scenario")
        by_players = facts.numbers("count_by_players")
        by_option = facts.numbers("count_by_option")
        chosen = [by_option[option] for option in sorted(options) if option in by_option]
        if "card" in facts:
            counts[name] = counts.get(facts.text("card"))
        elif chosen:
            counts[name] = chosen[0]
        elif str(players) in by_players:
            counts[name] = by_players[str(players)]
        elif scenario in by_scenario:
            counts[name] = by_scenario[scenario]
        else:
            counts[name] = facts.count("count")
        facts.ignore(
            "price", "count", "phase", "obsolete_in_phase", "removed_in_phase", "obsolete_on", "trade_in", "events",
        )  # fmt: skip
        for key in ("rusts_on", "available_on", "card"):
            if key in facts and facts.text(key) not in names:
                facts.fault(key, f"no train is called {facts.text(key)!r}")
        facts.close()
    return trains, counts


def _row(text: str, place: int, facts: Table) -> Row | None:
    """``any 5 pay=3``: kinds of stop, most visited (``all``: no limit), most counted where fewer, ``x2`` doubled."""
    match = _ROW.fullmatch(text)
    kinds = {kind.value: kind for kind in StopKind}
    words = match[1].split("+") if match else []
    if match is None or not (words == ["any"] or all(word in kinds for word in words)):
        facts.fault(f"rows[{place}]", f'{text!r} is not a row, as "any 5 pay=3" or "city+offboard 3 x2"')
        return None
    visit = None if match[2] == "all" else int(match[2])
    return Row(
        kinds=ANY_STOP if words == ["any"] else frozenset(kinds[word] for word in words),
        visit=visit,
        pay=int(match[3]) if match[3] else visit,
        multiplier=int(match[4] or 1),
    )


def _phases(table: Table, trains: Mapping[str, TrainType], options: frozenset[str]) -> dict[str, Phase]:
    phases: dict[str, Phase] = {}
    for name, facts in table.tables("phases"):
        by_option = facts.numbers("train_limit_by_option")
        chosen = [by_option[option] for option in sorted(options) if option in by_option]
        limit: int | dict[str, int]
        if chosen:
            limit = chosen[0]
            facts.ignore("train_limit")
        else:
            limit = _limit(facts)
        colours = facts.texts("tile_colours")
        for colour in colours:
            if colour not in TILE_COLOURS:
                facts.fault("tile_colours", f"{colour!r} is not one of {', '.join(TILE_COLOURS)}")
        starts_with = facts.text("starts_with", "") or None
        if starts_with is not None and starts_with not in trains:
            facts.fault("starts_with", f"no train is called {starts_with!r}")
        phases[name] = Phase(
            name,
            colours,
            limit,
            facts.number("operating_rounds"),
            starts_with,
            frozenset(facts.texts("status")),
            facts.texts("effects"),
        )
        facts.close()
    if not phases:
        table.fault("phases", "missing")
    return phases


def _limit(facts: Table) -> int | dict[str, int]:
    """A number, or numbers by kind of company."""
    if facts.is_table("train_limit"):
        return facts.numbers("train_limit")
    return facts.number("train_limit")
