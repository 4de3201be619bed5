"""Numbers and options of the rules of 18GB that do not stand in its data files. Source: digest 18GB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rules.state import State

if TYPE_CHECKING:
    from titles.t18gb.game import Game18GB

#: Options that follow the printed word where the recording site does not. Source: 18GB, "Where the sources differ".
OBSOLETE_ONCE_MORE: Final = "gb_obsolete_once_more"
EMERGENCY_CONVERSION_DUE: Final = "gb_emergency_conversion_due"
HILLS_BY_SECTION: Final = "gb_hills_by_section"
ENDS_WITH_LAST_TRAIN_ON_SALE: Final = "gb_ends_with_last_train_on_sale"
OPEN_PRIVATES_ALWAYS_BLOCK: Final = "gb_open_privates_always_block"
ONLY_UNSTARTED_CHANGE: Final = "gb_only_unstarted_change"
SCORE_WITHOUT_PRIVATES: Final = "gb_score_without_privates"

#: Percent of an ordinary share of a company that has not been converted, and of one that has.
FIFTH: Final = 20
TENTH: Final = 10
#: The most that a player may hold after buying from the IPO. Source: 18GB section 4.
MOST_FROM_IPO: Final = 60
#: Steps to the left for a conversion in a stock round and in an emergency. Source: 18GB sections 5 and 9.
CONVERSION_DROP: Final = 2
EMERGENCY_DROP: Final = 3
#: With this many trains left at the end of an operating round no token may be placed any more. Source: 18GB section 6.
LAST_TRAINS: Final = 2
#: The private whose owner starts the company that goes with it. Source: 18GB section 3, LB.
OPENER: Final = "LB"
OPENED: Final = "LNWR"
#: How much a private without a bid loses when all pass. Source: 18GB section 2.
REDUCTION: Final = 10
#: The choice that closes a private, and what stands before the name of a company to convert.
CLOSE: Final = "close"
CONVERT: Final = "convert_"
#: The moment of the abilities that last as long as track and tokens.
TRACK_STEP_OF_OWNER: Final = "track_step_of_a_corporation_of_the_owner"


def rules_of(state: State) -> Game18GB:
    """The rules of the game that the state belongs to, for the steps of the title."""
    from titles.t18gb.game import Game18GB

    assert isinstance(state.game, Game18GB)
    return state.game
