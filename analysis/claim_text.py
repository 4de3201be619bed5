"""Claims as people type them: ``2: E16-F15; 2: E16-D17 = 90``, trains left out, places named loosely.

A claim is routes separated by semicolons (or lines), each perhaps with its train before a colon and its amount after an
equals sign; an amount after the last of several routes is the total. What is left open (trains, which city of a hex) is
resolved in the claimant's favour: a reading under which the claim is legal and pays what is claimed, else the legal one
that pays most. Where legal readings pay differently and none pays what is claimed, the answer is a question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Final

from board.errors import Fault, InputError, LimitExceeded
from board.position import Position
from board.routes import ClaimedRoute
from routing.checker import Verdict, credited
from routing.claims import check_claim
from routing.problem import RouteProblem
from routing.route_text import is_place, known_train, readings, separated

#: Readings of a whole claim (choices of trains and stops together) that are put to the checker.
MOST_TRIED: Final = 400
#: Readings that a question lists.
_ASKED: Final = 4
#: An amount after a word that tells that it is one; an amount that just follows, perhaps in parentheses; the amount of
#: a stop before others; a piece that is a total alone; what stands between routes.
_AMOUNT: Final = re.compile(
    r"\s*(?:=|\bfor\b|\btotal(?:ling)?:?|\bmakes\b|\bearns\b|\bpays\b)\s*[$£€]?\s*(?P<amount>\d{1,6})\s*[$£€]?\s*\.?$",
    re.IGNORECASE,
)
_BARE_AMOUNT: Final = re.compile(r"[^\s:,(]([\s:,(]+(?:[$£€]\s*)?(?P<amount>\d{1,6})\s*[$£€]?\)?\.?)$")
_STOP_AMOUNT: Final = re.compile(
    r"[^\W\d](?:\s+(?:\d+×)?|\s*=\s*)\d+(?=\s*(?:->|[-‐-―−→,>/]))|\d\s*=\s*\d+(?=\s*[-‐-―−→,>/])"
)
_TOTAL: Final = re.compile(
    r"\s*(?:=|for|(?:in\s+)?(?:total|all|sum|together|altogether)\s*[:=]?)?\s*[$£€]?\s*(\d{1,6})\s*[$£€]?\.?\s*",
    re.IGNORECASE,
)
_BETWEEN_ROUTES: Final = re.compile(
    r"[;\n|]+|,\s*(?=[^,;:]{1,9}:)|\s/\s*(?=[^,;:/]{1,9}:)|(?<=\d)\s+(?:and|und|et|y|&)\s+(?=[^\W\d])"
)
_DASHES: Final = re.compile(r"->|[-‐-―−→]")
_HEX: Final = re.compile(r"[A-Za-z]\d{1,2}(?:\.[cto]\d)?")
_SEEN_STOP: Final = re.compile(r"([A-Za-z]\d{1,2}(?:\.[cto]\d)?)\s+[^\W\d][^0-9]*(?:\s*(?:\d+×)?\d+)?$")


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim as it was understood: routes with their trains, the total (money; None: not told), and sentences on what
    was chosen where the text left it open."""

    routes: tuple[ClaimedRoute, ...]
    total: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Written:
    """One route as written; no train where it is left out."""

    text: str
    train: str | None
    path: str
    amount: int | None


def read_claim(problem: RouteProblem, text: str) -> ReadClaim:
    """The claim written as *text*. Raises :class:`InputError` for what cannot be understood, with what was meant
    perhaps; ``ambiguous-claim`` is a question with the answers that are possible."""
    written, total = _split(problem.position, text)
    return understood(problem, [(one.text, one.train, one.path, one.amount) for one in written], total)


def understood(
    problem: RouteProblem, rows: Sequence[tuple[str, str | None, str, int | None]], total: int | None = None
) -> ReadClaim:
    """The claim of several routes, each as its text (for faults), its train (None: left out), its stops joined by
    hyphens, and its amount."""
    faults: list[Fault] = []
    options: list[tuple[ClaimedRoute, ...]] = []
    for text, train, path, amount in rows:
        try:
            if train is not None:
                known_train(problem.position, train, text)
            found = readings(problem, train or "", _tidy(problem.position, path), text)
            options.append(tuple(replace(claim, revenue=amount) for claim in found))
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    if all(len(found) == 1 and found[0].train for found in options):
        return ReadClaim(tuple(found[0] for found in options), total)
    return _chosen(problem, options, total)


def _chosen(problem: RouteProblem, options: Sequence[tuple[ClaimedRoute, ...]], total: int | None) -> ReadClaim:
    """Of all readings the one in the claimant's favour."""
    judged: list[tuple[tuple[ClaimedRoute, ...], Verdict]] = []
    for routes in islice(_all_readings(problem.position, options), MOST_TRIED):
        try:
            judged.append((routes, check_claim(problem, routes)))
        except LimitExceeded:
            continue
    if not judged:
        raise LimitExceeded(Fault("too-much-track", "so many ways lead from stop to stop that hexes must be named"))
    legal = [(routes, verdict) for routes, verdict in judged if verdict.legal]
    if not legal:
        routes, _ = min(judged, key=lambda one: len(one[1].all_faults))
        return ReadClaim(routes, total, tuple(_notes(problem.position, options, routes)))
    fitting = [(routes, verdict) for routes, verdict in legal if _as_claimed(routes, verdict, total)]
    if not fitting and len({_stops(routes) for routes, _ in legal}) > 1:
        best_of: dict[object, tuple[tuple[ClaimedRoute, ...], int]] = {}
        for routes, verdict in legal:
            if _stops(routes) not in best_of or best_of[_stops(routes)][1] < verdict.revenue:
                best_of[_stops(routes)] = routes, verdict.revenue
        if len({revenue for _, revenue in best_of.values()}) > 1:
            raise InputError(_question(list(best_of.values())))
    routes, _ = max(fitting or legal, key=lambda one: one[1].revenue)
    return ReadClaim(routes, total, tuple(_notes(problem.position, options, routes)))


def _as_claimed(routes: Sequence[ClaimedRoute], verdict: Verdict, total: int | None) -> bool:
    """Whether amounts were told, and are right."""
    amounts = [route.revenue for route in routes]
    told = total is not None or any(amount is not None for amount in amounts)
    right = all(amount in (None, paid) for amount, paid in zip(amounts, credited(verdict), strict=True))
    return told and right and total in (None, verdict.revenue)


def _stops(routes: Sequence[ClaimedRoute]) -> tuple[object, ...]:
    return tuple(route.stops for route in routes)


def _question(choices: Sequence[tuple[tuple[ClaimedRoute, ...], int]]) -> Fault:
    texts = [
        f"{'; '.join(f'{route.train}: ' + '-'.join(route.stops) for route in routes)} (earns {revenue})"
        for routes, revenue in choices[:_ASKED]
    ]
    more = f", or {len(choices) - _ASKED} more" if len(choices) > _ASKED else ""
    return Fault("ambiguous-claim", f"which is meant: {', or '.join(texts)}{more}? Claim it in that form")


def _all_readings(
    position: Position, options: Sequence[tuple[ClaimedRoute, ...]]
) -> Iterator[tuple[ClaimedRoute, ...]]:
    """Readings with the trains given out; trains of the position in its order first."""
    named = Counter(found[0].train for found in options if found[0].train)
    left = Counter(position.trains)
    left.subtract(named)
    open_places = [place for place, found in enumerate(options) if not found[0].train]
    for trains in _shared_out(+left, len(open_places), tuple(position.trains)):
        given = dict(zip(open_places, trains, strict=True))
        for routes in product(*options):
            yield tuple(
                replace(route, train=given[place]) if place in given else route for place, route in enumerate(routes)
            )


def _shared_out(left: Counter[str], number: int, owned: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Trains for *number* routes, each at most as often as it is left; where too few are left the last is repeated, so
    that the checker can say which train runs twice."""
    if number == 0:
        yield ()
        return
    kinds = [train for train in dict.fromkeys(owned) if left[train] > 0]
    if not kinds:
        filler = owned[-1] if owned else ""
        yield (filler,) * number
        return
    for train in kinds:
        for others in _shared_out(left - Counter((train,)), number - 1, owned):
            yield (train, *others)


def _notes(
    position: Position, options: Sequence[tuple[ClaimedRoute, ...]], routes: Sequence[ClaimedRoute]
) -> Iterator[str]:
    for place, (found, route) in enumerate(zip(options, routes, strict=True), start=1):
        chosen = []
        if not found[0].train:
            chosen.append(f"run by the {route.train}" if route.train else f"{position.operator} has no train")
        doubtful = [
            stop
            for number, stop in enumerate(route.stops)
            if len({other.stops[number] for other in found}) > 1 and len(position.stops_on(stop.hex)) > 1
        ]
        chosen += [f"{stop.hex} taken as {stop}" for stop in dict.fromkeys(doubtful)]
        if chosen:
            yield f"route {place} is understood as {', '.join(chosen)}"


# --- text ----------------------------------------------------------------------------------------------------------


def _split(position: Position, text: str) -> tuple[list[_Written], int | None]:
    text = re.sub(r"\s*(?:…|\.\.\.+)\s*", "-", text)
    pieces = [_unlisted(piece) for piece in _BETWEEN_ROUTES.split(text)]
    pieces = [piece for piece in pieces if piece]
    total: int | None = None
    if pieces and (only := _TOTAL.fullmatch(pieces[-1])):
        total = int(only[1])
        pieces.pop()
    if len(pieces) > 1 and all(is_place(position, piece) for piece in pieces):
        pieces = ["-".join(pieces)]  # stops with semicolons between, not routes
    written = [_one(position, piece) for piece in pieces]
    if not written:
        raise InputError(Fault("malformed-route", "no route is claimed; a route is written TRAIN: STOP-STOP-…", text))
    if len(written) > 1 and written[-1].amount is not None and all(one.amount is None for one in written[:-1]):
        total = written[-1].amount
        written[-1] = replace(written[-1], amount=None)
    return written, total


def _unlisted(piece: str) -> str:
    """The piece without the number or the mark of a list before it."""
    return re.sub(r"^\s*(?:\(?\d{1,2}\)|\d{1,2}\.(?=\s)|(?:route|run)\s+\d+\s*[:.)]?|[-–•*](?=\s))\s*", "", piece,
                  flags=re.IGNORECASE).strip()  # fmt: skip


def _one(position: Position, text: str) -> _Written:
    rest = text
    before, colon, after = rest.partition(":")
    if colon and before.strip().casefold() == position.operator.casefold():
        rest = after.strip()
    amount, rest = _amount(rest)
    before, colon, path = rest.partition(":")
    if colon and path.strip():
        return _Written(text, _train(position, before), path, amount)
    rest = before.strip()
    first, _, path = rest.partition(" ")
    if path and (train := _train(position, first)) in position.edition.trains and not _DASHES.match(path.strip()):
        path = re.sub(r"^trains?\s+", "", path.strip(), flags=re.IGNORECASE)
        return _Written(text, train, path, amount)
    return _Written(text, None, rest, amount)


def _amount(text: str) -> tuple[int | None, str]:
    """The amount at the end of a route, and the rest. Where other stops have amounts as well, it is that of the last
    stop alone."""
    if found := _AMOUNT.search(text):
        start = found.start()
    elif found := _BARE_AMOUNT.search(text):
        start = found.start(1)
    else:
        return None, text
    amounts = _STOP_AMOUNT.findall(text[:start])
    if amounts and not re.search(r"\b(?:for|total)\b", found[0], re.IGNORECASE):
        return None, text
    return int(found["amount"]), text[:start].rstrip(" ,:(")


def _train(position: Position, word: str) -> str:
    """The train as the title writes it: ``5-train``, ``5T``, ``D-Zug`` and ``3+d`` are understood."""
    word = re.sub(r"^(?:an?|the|my|our)\s+", "", word.strip(), flags=re.IGNORECASE)
    known = {train.casefold(): train for train in position.edition.trains}
    bare = re.sub(r"^trains?[\s-]+|[\s-]*(?:trains?|z(?:ug|üge))$", "", word, flags=re.IGNORECASE)
    for attempt in (word, bare, bare.replace(" ", ""), bare.removesuffix("T").removesuffix("t")):
        if attempt.casefold() in known:
            return known[attempt.casefold()]
    return word


def _tidy(position: Position, path: str) -> str:
    """The path with hyphens between its stops, without remarks in parentheses, brackets, and amounts of stops."""
    path = re.sub(r"\([^)]*\)", " ", path).replace("[", " ").replace("]", " ").strip().strip(".,:")
    path = re.sub(r"\s*=\s*[$£€]?\d{1,6}", "", path)
    if not _DASHES.search(path):
        if re.search(r",|>|/|\bto\b", path):
            path = re.sub(r"\s*(?:,|>|/|\bto\b)\s*", "-", path)
        elif all(_HEX.fullmatch(word) for word in path.split()):
            path = "-".join(path.split())
        elif not re.search(r"\bvia\b", path):
            path = separated(position, path)
    pieces = re.split(rf"(\s*(?:{_DASHES.pattern})\s*)", path)
    return "".join(piece if "via" in piece else _place(piece) for piece in pieces)


def _place(piece: str) -> str:
    """A stop without its name beside its hex, and without its amount."""
    if seen := _SEEN_STOP.fullmatch(piece.strip()):
        return seen[1]
    return re.sub(r"(?<=[^\W\d])\s+(?:\d+×)?\d{1,4}$", "", piece)
