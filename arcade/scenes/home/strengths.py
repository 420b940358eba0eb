"""The measured strength of a game's levels of AI, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Column
from arcade.engine.ui.tables import Bar, Cell, DataTable
from arcade.engine.ui.tables import Column as TableColumn
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.games.spec import GameSpec
from arcade.games.strengths import Figure, LevelStrength, Strength, measured
from arcade.games.strengths.reasons import reasons_for
from arcade.language import N_, _, date_text
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.match.strength_texts import gain_text, rate_text
from arcade.session.player_names import LEVEL_WORDS
from arcade.session.services import Services

WINS = N_("Share of the points: 1 for a win, a half for a draw, over both sides.")
GAINS = N_(
    "Points gained by a seat of that level in place of one that moves at random, or of one of the level below; all "
    "other seats are the same in both."
)
MEASURED = N_(
    "Measured in up to {matches} matches each on {date}, with 95% intervals. "
    "How it was measured: arcade strengths --json"
)
NORMALISED = N_("Experts in all seats come {figure} of the way from random moves to the best known result.")
KNOWN = {
    "follower of the ball": N_("Expert against a player that only follows the ball: {figure}."),
    "follower of the other boxer": N_("Expert against a player that only follows the other boxer: {figure}."),
    "player that beats the last choice": N_("Expert against a player that beats the last choice: {figure}."),
    "Stockfish at skill 0 with 100 ms a move": N_("Expert against Stockfish at skill 0 with 100 ms a move: {figure}."),
    "alpha-beta search of six moves": N_("Expert against an alpha-beta search of six moves: {figure}."),
    "alpha-beta search of eight moves that plays second": N_(
        "Expert, playing first, against an alpha-beta search of eight moves: {figure}."
    ),
    "GNU Go at level 1": N_("Expert against GNU Go at level 1: {figure}."),
    "rule player of RLCard": N_("Expert against the rule player of RLCard: {figure}."),
}
"""By the names of the known opponents in assets/strengths.json."""
AGAINST = N_("Expert against {name}: {figure}.")


class StrengthsScene(Screen):
    """A row for each level, and for each role where the seats of a game need different skills."""

    def __init__(self, services: Services, route: routes.Strengths) -> None:
        super().__init__(services, route)
        self.spec = route.spec
        self.heading = _("{game}: strength of the AI").format(game=route.spec.title)
        self._strength = measured()[route.spec.id]

    def body(self) -> Widget:
        found = self._strength
        wins = found.measure == "win rate"
        has_roles = any(row.role for row in found.levels)
        columns = [
            TableColumn(_("Level"), 0.8),
            *([TableColumn(_("Seats"), 1.2)] if has_roles else ()),
            TableColumn(_("Against random moves") if wins else _("More than random moves"), 1.4, least=250),
            TableColumn(_("Against the level below") if wins else _("More than the level below"), 1.4, least=250),
        ]
        rows = [_row(self.spec, one, has_roles=has_roles, wins=wins) for one in found.levels]
        table = DataTable(columns, rows, hint=_("One level of the AI"), key="levels")
        reasons = map(_, reasons_for(self.spec.id, found))
        texts = [_(WINS if wins else GAINS), *_beside(found), *reasons, _measured(found)]
        return Column([table, *(Paragraph(text, size=themes.SMALL, colour="muted") for text in texts)], grow=1)


def _row(spec: GameSpec, one: LevelStrength, *, has_roles: bool, wins: bool) -> Sequence[Cell]:
    seats = [spec.seat_title(agent) for agent in spec.agents if spec.roles.get(agent, "") in one.roles]
    figures = [_cell(figure, wins=wins) for figure in (one.versus_random, one.versus_below)]
    return (_(LEVEL_WORDS[one.level]).capitalize(), *([", ".join(seats) or _("All")] if has_roles else ()), *figures)


def _cell(figure: Figure, *, wins: bool) -> Cell:
    if not wins:
        return gain_text(figure)
    return Bar(figure.value, figure.low, figure.high, rate_text(figure))


def _beside(found: Strength) -> list[str]:
    """The score of cooperating experts, and the results against known opponents."""
    texts = []
    if found.normalised:
        texts.append(_(NORMALISED).format(figure=rate_text(found.normalised)))
    for one in found.reference:
        texts.append(_(KNOWN.get(one.name, AGAINST)).format(name=one.name, figure=rate_text(one)))
    return texts


def _measured(found: Strength) -> str:
    day = date_text(date.fromisoformat(found.date))
    return _(MEASURED).format(matches=found.matches, date=day)
