"""What the OpenAPI document says of bodies and answers, with examples that can be tried as they stand."""

from __future__ import annotations

from typing import Any, Final

#: A position as docs/examples/1830-erie.json, shortened to what a first try needs.
POSITION: Final[dict[str, Any]] = {
    "title": "1830",
    "phase": "3",
    "operator": "NYC",
    "trains": ["3", "3"],
    "tiles": {"E19": ["57", 1], "E21": ["9", 1]},
    "tokens": {"E19": {"c0": ["NYC"]}},
}
ROUTE: Final = "3: E19-E23"

_TEXTS: Final = {"type": "array", "items": {"type": "string", "maxLength": 500}, "maxItems": 50}
_POSITION: Final = {"type": "object", "description": "A position; see docs/position_format.md."}
_TABLE: Final = {"type": "object", "description": "Values that a title leaves to the user; see docs/bonus_table.md."}

BEST: Final = {
    "type": "object",
    "required": ["position"],
    "additionalProperties": False,
    "properties": {
        "position": _POSITION,
        "pin": {**_TEXTS, "description": "Routes to keep: TRAIN: STOP-STOP-…"},
        "avoid": {**_TEXTS, "description": "Routes that may not be run."},
        "without": {**_TEXTS, "description": "Hexes that no run may touch."},
        "top": {"type": "integer", "minimum": 1, "maximum": 20},
        "time_limit": {"type": "number", "minimum": 0, "description": "Seconds; then the best so far with a bound."},
        "method": {"enum": ["auto", "enumerate", "constraint"]},
        "bonus_table": _TABLE,
        "map": {"type": "boolean", "description": "Add the map with the runs as SVG."},
    },
}
SCORE: Final = {
    "type": "object",
    "required": ["position"],
    "additionalProperties": False,
    "properties": {
        "position": _POSITION,
        "routes": {**_TEXTS, "description": "Routes to judge instead of those that the position claims."},
        "bonus_table": _TABLE,
        "map": {"type": "boolean"},
    },
}
MAP: Final = {
    "type": "object",
    "required": ["position"],
    "additionalProperties": False,
    "properties": {"position": _POSITION, "bonus_table": _TABLE, "legend": {"enum": ["auto", "none"]}},
}
TILES: Final = {
    "type": "object",
    "required": ["position", "hex"],
    "additionalProperties": False,
    "properties": {"position": _POSITION, "hex": {"type": "string", "maxLength": 10}},
}
WHAT_IF: Final = {
    "type": "object",
    "required": ["position"],
    "additionalProperties": False,
    "properties": {
        "position": _POSITION,
        "only": {**_TEXTS, "description": "Hexes, kinds of changes or trains to which the answer is narrowed."},
        "bonus_table": _TABLE,
    },
}
GAME: Final = {"type": "object", "description": "A game as 18xx.games exports it."}

ERROR: Final = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["status", "faults"],
            "properties": {
                "status": {"type": "integer"},
                "faults": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["code", "message", "where"],
                        "properties": {key: {"type": "string"} for key in ("code", "message", "where")},
                    },
                },
            },
        }
    },
}

_MEANING: Final = {
    401: "A token is needed.",
    403: "Another page may not call the service.",
    404: "There is nothing of this name.",
    413: "More was sent than is read.",
    421: "The service is not called by this name.",
    422: "What was sent is wrong; every fault is listed.",
    429: "Too many calls of one client at the same time.",
    500: "A fault of the program.",
    503: "Too many calls in all, or a search that took too long.",
    507: "The store is full.",
}


def errors(*further: int) -> dict[int | str, dict[str, Any]]:
    """The errors that a call may be answered with."""
    statuses = sorted({401, 403, 413, 421, 422, 429, 500, 503, *further})
    content = {"application/json": {"schema": ERROR}}
    return {status: {"description": _MEANING[status], "content": content} for status in statuses}


def answer(*media: str) -> dict[int | str, dict[str, Any]]:
    """The kinds of content that a call is answered with."""
    return {200: {"description": "The answer", "content": {one: {} for one in media}}}


def body(schema: dict[str, Any], example: dict[str, Any]) -> dict[str, Any]:
    """The part of an operation that describes its body."""
    content = {"application/json": {"schema": schema, "example": example}}
    return {"requestBody": {"required": True, "content": content}}
