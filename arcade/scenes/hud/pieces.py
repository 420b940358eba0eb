"""The pieces of the HUD; a new one is a class and an entry of PIECES."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pygame

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.games.seat_colours import team_colour
from arcade.games.spec import GameSpec
from arcade.language import N_, _, ngettext
from arcade.match.play.clock import RECENT
from arcade.scenes.hud.insight_panel import InsightPanel
from arcade.scenes.hud.piece import Facts, HudPiece, Place, below, beside, is_low, wrapped
from arcade.scenes.hud.trainer_piece import TrainerPiece
from arcade.scenes.pictograms import icon
from arcade.session.match.moment_texts import moment_of
from arcade.session.match.pace import time_left_text
from arcade.session.people import people_at

Player = tuple[SeatChoice, str]  # device and name
LEAST = 30  # units for a name without any room
SLOW, KEPT = 0.9, 0.95  # of the wanted rate: a game is slow below the first, until it is above the second
PATIENCE, STEADY = 1.5, 5.0  # seconds of a slow game until the figure appears, and of a fast one until it disappears
SHORT = 20  # seconds on a side's clock below which it warns
FRESH = 0.5  # seconds that a figure stays readable


def _colour(facts: Facts, team: int, theme: Theme) -> Colour:
    return team_colour(facts.spec, team, theme.colours.teams)


class ScorePiece(HudPiece):
    """The score of a team."""

    name, label, help = "scores", N_("Scores"), N_("Of each team, in games whose picture does not show them.")
    place = Place.TEAM_INNER

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.score.counts and not spec.score.drawn

    def content(self) -> Hashable:
        score: str = self.facts.score(self.owner)
        return score or None

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        is_large = len(self.facts.spec.teams) == 2 and not is_low(theme)
        size, colour = themes.TITLE if is_large else themes.LARGE, _colour(self.facts, self.owner, theme)
        return theme.fitted(content, width=room, size=size, bold=True, colour=colour)


class DrawnScorePiece(ScorePiece):
    """The score of a team, although the game's picture shows it."""

    name, label, help = (
        "drawn_scores",
        N_("Scores above every picture"),
        N_("Also in games whose own picture shows them."),
    )
    default = False

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.score.drawn


class TimeLeftPiece(HudPiece):
    """The time that a side of a board game has left; bright while it runs."""

    name, label, help = "time_left", N_("Time left"), N_("Of each side, in board games with a clock.")
    place = Place.TEAM_INNER

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.is_board_game

    def content(self) -> Hashable:
        clocks = self.facts.match.side_clocks
        if clocks is None:
            return None
        left = clocks.left[self.owner]
        return time_left_text(left), clocks.running == self.owner, left < SHORT

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        words, is_running, is_short = content
        colours = theme.colours
        ink = colours.warning if is_short else colours.ink if is_running else colours.muted
        size = themes.BODY if is_low(theme) else themes.LARGE
        time = theme.fitted(words, width=room, size=size, bold=is_running, colour=ink)
        plate = pygame.Surface((time.get_width() + theme.px(16), time.get_height() + theme.px(4)), pygame.SRCALPHA)
        if is_running:
            theme.draw_panel(plate, plate.get_rect(), fill=colours.raised)
        plate.blit(time, time.get_rect(center=plate.get_rect().center))
        return plate


class LineupPiece(HudPiece):
    """The players of a team with their devices and, below, their seats."""

    name, label, help = "lineup", N_("Who plays"), N_("Names, seats and devices of each team.")
    place = Place.TEAM_OUTER

    def content(self) -> Hashable:
        spec = self.facts.spec
        agents = spec.teams[self.owner]
        if len(agents) <= 3:
            return self.facts.players(self.owner), ", ".join(_(spec.seat_title(agent)) for agent in agents)
        seats = ngettext("{count} seat", "{count} seats", len(agents)).format(count=len(agents))
        return self.facts.players(self.owner), seats

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        players, seats = content
        names = next((one for one in self._tries(players, theme) if one.get_width() <= room), None)
        if names is None:
            names = self._short(players, theme, room)
        if is_low(theme):
            return names
        if theme.font(themes.SMALLEST).size(seats)[0] > room:
            count = len(self.facts.spec.teams[self.owner])
            seats = ngettext("{count} seat", "{count} seats", count).format(count=count)
        below_them = theme.fitted(seats, width=room, size=themes.SMALL, colour=theme.colours.muted)
        is_right = len(self.facts.spec.teams) == 2 and self.facts.spec.side_of(self.owner) == 1
        return below([names, below_them], gap=theme.px(2), side="right" if is_right else "left")

    def _short(self, players: Sequence[Player], theme: Theme, room: int) -> pygame.Surface:
        """Draw one player in a narrow bar: the name in two lines, else only the device of an AI player."""
        (choice, label), more = players[0], f"+ {len(players) - 1}"
        device = icon(theme, choice, size=theme.px(24), colour=_colour(self.facts, self.owner, theme))
        if len(players) > 1:
            return beside([device, theme.text(more, size=themes.SMALL, bold=True)], gap=theme.px(8), room=room)
        beside_it = room - device.get_width() - theme.px(6)
        if (name := wrapped(theme, label, beside_it)) is not None:
            return beside([device, name], gap=theme.px(6))
        if (name := wrapped(theme, label, room)) is not None:
            return name
        return self._names(players, theme, themes.SMALLEST, room=room) if choice.is_human else device

    def _tries(self, players: Sequence[Player], theme: Theme) -> Iterator[pygame.Surface]:
        """Draw all players smaller and smaller, then fewer and fewer of them."""
        for size in (themes.BODY, themes.SMALL, themes.SMALLEST):
            yield self._names(players, theme, size)
        for count in range(len(players) - 1, 0, -1):
            more = theme.text(f"+ {len(players) - count}", size=themes.SMALL, colour=theme.colours.muted)
            yield beside([self._names(players[:count], theme, themes.SMALLEST), more], gap=theme.px(8))

    def _names(self, players: Sequence[Player], theme: Theme, size: float, *, room: int = 10_000) -> pygame.Surface:
        """Draw device and name of each player, a name within `room`."""
        pictures: list[pygame.Surface] = []
        for choice, label in players:
            device = icon(theme, choice, size=theme.px(24), colour=_colour(self.facts, self.owner, theme))
            width = max(theme.px(LEAST), room - device.get_width() - theme.px(8))
            pictures += [device, theme.fitted(label, width=width, size=size, bold=True)]
        return beside(pictures, gap=theme.px(8))


class ClockPiece(HudPiece):
    """The match's own time, or its moves."""

    name, label, help = "clock", N_("Clock"), N_("The match's time where the game shows none, or its moves.")
    place = Place.MIDDLE

    def content(self) -> Hashable:
        moment = "" if self.facts.spec.draws_clock else moment_of(self.facts.match, self.facts.shown)
        return (moment, self.facts.pace_words) if moment or self.facts.pace_words else None

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        moment, pace = content
        parts = []
        if moment:
            parts.append(theme.fitted(moment, width=room, size=themes.BODY if is_low(theme) else themes.LARGE))
        if pace:
            parts.append(theme.text(pace, size=themes.SMALL, colour=theme.colours.muted))
        return beside(parts, gap=theme.px(10), room=room)


class TurnPiece(HudPiece):
    """The player to move in a turn-based game."""

    name, label, help = "turn", N_("Whose turn"), N_("In games that wait for a move.")
    place = Place.MIDDLE

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.turn_based

    def content(self) -> Hashable:
        match, spec, shown = self.facts.match, self.facts.spec, self.facts.shown
        waiting = match.waiting_for
        if match.over or not waiting or (shown is not None and shown.get("over")):
            return None  # also while the table shows how a hand ended, until a press that plays nothing
        people = [agent for agent in waiting if self.facts.lineup[agent].is_human]
        asked = people or waiting  # where all move at once, AI never keeps people waiting for long
        labels = list(dict.fromkeys(self.facts.label(agent) for agent in asked))
        if people:
            words = ngettext("{player} to move", "{player} to move", len(labels))
        else:
            words = ngettext("{player} thinks …", "{player} think …", len(labels))
        names = " & ".join(labels)
        return spec.team_of(asked[0]), words.format(player=names), self._short(waiting, names)

    def _short(self, waiting: Sequence[AgentID], names: str) -> str:
        """Return the words for a narrow bar."""
        if not any(self.facts.lineup[agent].is_human for agent in waiting):
            return _("thinking …")
        return _("Your turn") if len(people_at(self.facts.match)) == 1 else names

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        team, *tries = content
        dot = pygame.Surface((theme.px(12), theme.px(12)), pygame.SRCALPHA)
        pygame.draw.circle(dot, _colour(self.facts, team, theme), dot.get_rect().center, theme.px(6))
        inside = room - theme.px(20)
        one = theme.text(tries[0], size=themes.SMALL, bold=True)
        found = one if one.get_width() <= inside else None
        for words in tries:
            found = found or wrapped(theme, words, inside)
        picture = found or theme.fitted(tries[-1], width=inside, size=themes.SMALL, bold=True)
        return beside([dot, picture], gap=theme.px(8))


class RatePiece(HudPiece):
    """Ticks a second of a game that cannot keep its rate."""

    name, label, help = "rate", N_("Frame rate"), N_("Frames a second where a game cannot keep its rate.")
    place = Place.MIDDLE

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return not spec.turn_based

    def __init__(self, facts: Any) -> None:
        super().__init__(facts)
        self._turned_at: float | None = None  # since when the rate contradicts `_is_slow`
        self._is_slow = False
        self._waited_at = float("-inf")  # when the match last waited for another machine
        self._wanted: float | None = None
        self._rates = 0, 0  # ticks a second, as measured and as wanted
        self._fresh_at = 0.0

    def update(self, now: float) -> None:
        """Measure the rate at `now` seconds."""
        match = self.facts.match
        got, wanted = match.clock.rate_now(now), match.clock.rate
        if match.is_waiting:
            self._waited_at, self._is_slow = now, False
        stands = match.paused or match.over or match.rewinding or now - self._waited_at < RECENT
        if stands or got is None or wanted is None:
            self._turned_at = None
            return
        if wanted != self._wanted:  # another speed
            self._wanted, self._is_slow, self._turned_at = wanted, False, None
        slow = got < wanted * (KEPT if self._is_slow else SLOW)
        if slow == self._is_slow:
            self._turned_at = None
        elif self._turned_at is None:
            self._turned_at = now
        elif now - self._turned_at >= (STEADY if self._is_slow else PATIENCE):
            self._is_slow, self._turned_at = slow, None
        if self._is_slow and slow and now - self._fresh_at >= FRESH:
            self._rates, self._fresh_at = (round(got), round(wanted)), now

    def content(self) -> Hashable:
        return self._rates if self._is_slow and not self.facts.match.paused else None

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        got, wanted = content
        look: dict[str, Any] = {"size": themes.SMALL, "bold": True, "colour": theme.colours.warning}
        words = theme.text(_("Slow: {rate} of {wanted} fps").format(rate=got, wanted=wanted), **look)
        if words.get_width() <= room:
            return words
        short, two = _("{rate} of {wanted} fps"), 2 * theme.line_height(themes.SMALLEST)
        return theme.fitted(short.format(rate=got, wanted=wanted), width=room, height=two, **look)


class NetworkPiece(HudPiece):
    """Round-trip times of remote seats, and late ticks."""

    name, label, help = "network", N_("Late actions"), N_("Late ticks, and the round-trip times of remote seats.")
    place = Place.FOOT

    def content(self) -> Hashable:
        return self.facts.network() or None

    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        return theme.fitted(content, width=room, size=themes.SMALL, colour=theme.colours.muted)


# In the order of the settings page; those of one place are drawn in this order too.
PIECES: list[type[HudPiece]] = [
    ScorePiece, DrawnScorePiece, TimeLeftPiece, LineupPiece, ClockPiece, TurnPiece, RatePiece, NetworkPiece,
    TrainerPiece, InsightPanel,
]  # fmt: skip
