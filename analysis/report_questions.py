"""The questions of a report: every number and every plot of it is the answer to one of these. ``?`` is the game where a
question is about one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Questions about a whole dataset, by the name that their table has in the page (``data-question``).
QUESTIONS: Final[Mapping[str, str]] = {
    "titles": """
        SELECT title, count(DISTINCT source) AS games, count(*) AS runs, sum((best > 0)::INT) AS earning,
               sum((best > 0 AND shortfall = 0 AND legal)::INT) AS best_found,
               round(100.0 * sum((best > 0 AND shortfall = 0 AND legal)::INT) / nullif(sum((best > 0)::INT), 0), 1)
                 AS percent_found,
               sum(shortfall) AS left_on_table,
               round(100.0 * sum(shortfall) / nullif(sum(best), 0), 2) AS percent_left,
               sum((NOT legal)::INT) AS illegal, sum((NOT coalesce(proven, false))::INT) AS not_proven
        FROM company_turns GROUP BY title ORDER BY title""",
    "phases": """
        SELECT title, phase, count(*) AS runs, round(100.0 * avg((shortfall = 0 AND legal)::INT), 1) AS percent_found,
               sum(shortfall) AS left_on_table, round(avg(shortfall), 1) AS mean_left
        FROM company_turns WHERE best > 0 GROUP BY title, phase ORDER BY title, avg(tiles), phase""",
    "players": """
        SELECT title, source, name AS player, count(*) AS runs, sum(shortfall) AS left_on_table, min(rank) AS place
        FROM company_turns JOIN players USING (title, source) WHERE president = player
        GROUP BY title, source, player, name HAVING sum(shortfall) > 0
        ORDER BY left_on_table DESC, source, player LIMIT 20""",
    "time": """
        SELECT title, 1 + 10 * (run - 1) // games.runs AS tenth, count(*) AS runs,
               round(avg(shortfall), 2) AS mean_left, sum(shortfall) AS left_on_table
        FROM company_turns JOIN games USING (title, source) GROUP BY title, tenth ORDER BY title, tenth""",
    "trains": """
        WITH bought AS (
          SELECT title, source, card, min(train) AS train, sum(price) AS price
          FROM trains_bought WHERE seller IN ('bank', 'pool') GROUP BY ALL
        ), earned AS (
          SELECT title, source, card, sum(revenue) AS earned, count(*) AS runs
          FROM routes WHERE kind = 'run' GROUP BY ALL
        )
        SELECT title, train, count(*) AS cards, sum(price) AS paid, sum(coalesce(earned, 0)) AS earned,
               sum(coalesce(runs, 0)) AS runs, round(sum(coalesce(earned, 0)) / nullif(sum(price), 0), 2) AS back
        FROM bought LEFT JOIN earned USING (title, source, card)
        GROUP BY title, train ORDER BY title, min(price), train""",
    "dividends": """
        SELECT title, dividend, count(*) AS runs, round(avg(price_after - price), 1) AS mean_step,
               sum((price_after > price)::INT) AS up, sum((price_after = price)::INT) AS stays,
               sum((price_after < price)::INT) AS down
        FROM company_turns WHERE dividend IS NOT NULL AND price > 0
        GROUP BY title, dividend ORDER BY title, dividend""",
    "largest": """
        SELECT title, source, action, company, phase, array_to_string(trains, ', ') AS trains, claimed, best, shortfall
        FROM company_turns WHERE shortfall > 0 ORDER BY shortfall DESC, source, run LIMIT 15""",
    "slowest": """
        SELECT title, source, action, company, phase, array_to_string(trains, ', ') AS trains, best, bound, method,
               round(seconds, 2) AS seconds
        FROM company_turns JOIN timings USING (title, source, run)
        ORDER BY timings.seconds DESC, source, run LIMIT 15""",
    "illegal": """
        SELECT title, source, run, action, company, claimed, revenue, best, fault_text AS reason
        FROM company_turns WHERE NOT legal ORDER BY source, run""",
    "errors": """
        SELECT stage, code, count(*) AS games, min(message) AS example
        FROM errors GROUP BY stage, code ORDER BY games DESC, stage, code""",
    "games": """
        SELECT games.title, source, games.players, actions, games.runs, over, complete, differences,
               coalesce(sum(shortfall), 0) AS left_on_table
        FROM games LEFT JOIN company_turns USING (title, source)
        GROUP BY ALL ORDER BY left_on_table DESC, source LIMIT 30""",
}

#: Questions about one game.
OF_A_GAME: Final[Mapping[str, str]] = {
    "result": """
        SELECT players.name AS player, players.value, players.cash, players.recorded, rank AS place,
               coalesce(sum(shortfall), 0) AS left_on_table
        FROM players LEFT JOIN company_turns ON company_turns.source = players.source AND president = players.player
        WHERE players.source = ?
        GROUP BY players.name, players.player, players.value, players.cash, players.recorded, rank, seat
        ORDER BY rank, seat""",
    "revenue": """
        SELECT turn, round, company, claimed, best, shortfall
        FROM company_turns WHERE source = ? ORDER BY run""",
    "prices": """
        SELECT action, turn, round_kind, round, company, price_before, price, cause
        FROM share_prices WHERE source = ? ORDER BY action, company""",
    "worth": """
        SELECT ended, turn, round_kind, round, name AS player, standings.cash, standings.value
        FROM standings JOIN players USING (title, source, player)
        WHERE source = ? ORDER BY ended, seat""",
    "chronicle": """
        SELECT run, action, turn, round, company, name AS president, mark, phase, trains, claimed, revenue, best, bound,
               proven, shortfall, legal, fault_text, dividend, price, price_after, position
        FROM company_turns JOIN positions USING (title, source, run)
        LEFT JOIN players ON players.source = company_turns.source AND players.player = president
        WHERE company_turns.source = ? ORDER BY run""",
}
