"""Actions in words: what a refusal, a ledger or a list of choices calls them. One line each."""

from __future__ import annotations

from rules import actions as act
from rules.actions import Action
from rules.state import State


def describe(state: State, action: Action) -> str:
    """What the action does, in words, without who does it: ``lays 57-0 on E11 in rotation 2``."""
    match action:
        case act.Bid():
            return f"bids {action.price} for {action.private}"
        case act.Pass():
            return "passes"
        case act.Par():
            printed = state.facts.market.at(action.cell)
            return f"starts {action.corporation} at {printed.price if printed else action.cell}"
        case act.BuyShares() | act.SellShares():
            return _deal(action)
        case act.LayTile():
            return f"lays {action.tile}-{action.copy} on {action.hex} in rotation {action.rotation}"
        case act.PlaceToken():
            stop = state.table.city_of_record(action.tile, action.part)
            return f"puts a token in {stop or f'{action.tile}-{action.part}'}"
        case act.RemoveToken():
            return f"takes the token out of {action.tile}-{action.part}"
        case act.RunRoutes():
            return f"runs {len(action.routes)} train{'s' if len(action.routes) != 1 else ''}"
        case act.Dividend():
            return f"dividend: {action.kind}"
        case act.BuyTrain():
            return _train(action)
        case act.BuyPrivate():
            return f"buys {action.private} for {action.price}"
        case act.DiscardTrain():
            return f"gives up {action.train}"
        case act.Choose() | act.ChooseAbility():
            return f"chooses {action.choice!r}"
        case act.Merge():
            return f"merges with {action.corporation}"
        case act.SwapTrain():
            return f"moves {action.train} to its other part"
        case act.Assign():
            return f"puts its marker on {action.target}"
        case act.SpecialBuy():
            return f"buys {action.what} for {action.cost}"
    return action.verb.replace("_", " ")


def _deal(action: act.BuyShares | act.SellShares) -> str:
    verb = "buys" if isinstance(action, act.BuyShares) else "sells"
    price = f" at {action.price}" if action.price is not None else ""
    return f"{verb} {action.percent or 'all'} % in {', '.join(action.shares)}{price}"


def _train(action: act.BuyTrain) -> str:
    face = f" as {action.face}" if action.face and action.face != action.train.rpartition("-")[0] else ""
    shell = f" for {action.shell}" if action.shell else ""
    given = f" and {action.exchange}" if action.exchange else ""
    return f"buys {action.train}{face} for {action.price}{given}{shell}"
