"""The pieces of the HUD; a new one is a class and an entry of PIECES."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pygame

from agents.seats.controller import AgentID, Insight, SeatChoice
from arcade.engine.ui import theme
from arcade.games.seat_colours import seat_colour, team_colour
from arcade.games.spec import GameSpec
from arcade.scenes.hud.piece import Facts, HudPiece, Look, Place, below, beside
from arcade.scenes.pictograms import icon
from arcade.session.match.pace import moment_of

if TYPE_CHECKING:
    from arcade.scenes.hud.action_words import ActionWords
    from arcade.session.recordings.insights import Insights

Player = tuple[SeatChoice, str]  # device and name
LEAST = 30  # pixels for a name without any room
SLOW, KEPT = 0.9, 0.95  # of the wanted rate: a game is slow below the first, until it is above the second
PATIENCE = 1.5  # seconds of a slow game until the figure appears, and of a fast one until it disappears
_UNIT = " ticks a second"
FRESH = 0.5  # seconds that a figure stays readable


def _colour(facts: Facts, team: int) -> theme.Colour:
    return team_colour(facts.spec, team, theme.TEAMS)


class ScorePiece(HudPiece):
    """The score of a team."""

    name, label, help = "scores", "Scores", "Of each team, in games whose picture does not show them."
    place = Place.TEAM_INNER

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.score.counts and not spec.score.drawn

    def content(self) -> Hashable:
        score: str = self.facts.score(self.owner)
        return score or None

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        size = look.title if len(self.facts.spec.teams) == 2 else look.large
        return theme.fitted(content, width=room, size=size, bold=True, colour=_colour(self.facts, self.owner))


class DrawnScorePiece(ScorePiece):
    """The score of a team, although the game's picture shows it."""

    name, label, help = "drawn_scores", "Scores twice", "Also in games whose picture shows them."
    default = False

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.score.drawn


class LineupPiece(HudPiece):
    """The players of a team with their devices and, below, their seats."""

    name, label, help = "lineup", "Who plays", "Names, seats and devices of each team."
    place = Place.TEAM_OUTER

    def content(self) -> Hashable:
        spec = self.facts.spec
        agents = spec.teams[self.owner]
        seats = ", ".join(map(spec.seat_title, agents)) if len(agents) <= 3 else f"{len(agents)} seats"
        return self.facts.players(self.owner), seats

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        players, seats = content
        names = next((one for one in self._tries(players, look) if one.get_width() <= room), None)
        if names is None:
            names = self._names(players[:1], look, look.body * 2 // 3, room=room)
        below_them = theme.fitted(seats, width=room, size=look.small, colour=theme.MUTED)
        is_right = len(self.facts.spec.teams) == 2 and self.facts.spec.side_of(self.owner) == 1
        return below([names, below_them], gap=look.px(2), side="right" if is_right else "left")

    def _tries(self, players: Sequence[Player], look: Look) -> Iterator[pygame.Surface]:
        """Draw all players smaller and smaller, then fewer and fewer of them."""
        for size in (look.body, look.body * 4 // 5, look.body * 2 // 3):
            yield self._names(players, look, size)
        for count in range(len(players) - 1, 0, -1):
            more = theme.text(f"+ {len(players) - count}", size=look.small, colour=theme.MUTED)
            yield beside([self._names(players[:count], look, look.body * 2 // 3), more], gap=look.px(8))

    def _names(self, players: Sequence[Player], look: Look, size: int, *, room: int = 10_000) -> pygame.Surface:
        """Draw device and name of each player, a name within `room`."""
        pictures: list[pygame.Surface] = []
        for choice, label in players:
            device = icon(choice, size=look.icon, colour=_colour(self.facts, self.owner))
            width = max(LEAST, room - device.get_width() - look.px(8))
            pictures += [device, theme.fitted(label, width=width, size=max(size, theme.SMALL), bold=True)]
        return beside(pictures, gap=look.px(8))


class ClockPiece(HudPiece):
    """The match's own time, or its moves."""

    name, label, help = "clock", "Clock", "The game's own time, or its moves."
    place = Place.MIDDLE

    def content(self) -> Hashable:
        return moment_of(self.facts.match), self.facts.pace_words

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        moment, pace = content
        time = theme.fitted(moment, width=room, size=look.large)
        if not pace:
            return time
        return beside([time, theme.text(pace, size=look.small, colour=theme.MUTED)], gap=look.px(10), room=room)


class TurnPiece(HudPiece):
    """The player to move in a turn-based game."""

    name, label, help = "turn", "Whose turn", "In games that wait for a move."
    place = Place.MIDDLE

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return spec.turn_based

    def content(self) -> Hashable:
        match, spec = self.facts.match, self.facts.spec
        waiting = match.waiting_for
        if match.over or not waiting:
            return None
        names = dict.fromkeys(self.facts.label(agent) for agent in waiting)
        is_person = self.facts.lineup[waiting[0]].is_human
        return spec.team_of(waiting[0]), " and ".join(names) + (" to move" if is_person else " thinks …")

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        team, words = content
        dot = pygame.Surface((look.px(12), look.px(12)), pygame.SRCALPHA)
        pygame.draw.circle(dot, _colour(self.facts, team), dot.get_rect().center, look.px(6))
        picture = theme.fitted(words, width=room - look.px(20), size=look.small, bold=True)
        return beside([dot, picture], gap=look.px(8))


class RatePiece(HudPiece):
    """Ticks a second of a game that cannot keep its rate."""

    name, label, help = "rate", "Frame rate", "Ticks a second where a game cannot keep its rate."
    place = Place.MIDDLE

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        return not spec.turn_based

    def __init__(self, facts: Any) -> None:
        super().__init__(facts)
        self._turned_at: float | None = None  # since when the rate contradicts `_is_slow`
        self._is_slow = False
        self._wanted: float | None = None
        self._words = ""
        self._fresh_at = 0.0

    def update(self, now: float) -> None:
        """Measure the rate at `now` seconds."""
        match = self.facts.match
        got, wanted = match.clock.rate_now(now), match.clock.rate
        if match.paused or match.over or match.rewinding or got is None or wanted is None:
            self._turned_at = None
            return
        if wanted != self._wanted:  # another speed
            self._wanted, self._is_slow, self._turned_at = wanted, False, None
        slow = got < wanted * (KEPT if self._is_slow else SLOW)
        if slow == self._is_slow:
            self._turned_at = None
        elif self._turned_at is None:
            self._turned_at = now
        elif now - self._turned_at >= PATIENCE:
            self._is_slow, self._turned_at = slow, None
        if self._is_slow and slow and now - self._fresh_at >= FRESH:
            self._words, self._fresh_at = f"Slow: {got:.0f} of {wanted:.0f}{_UNIT}", now

    def content(self) -> Hashable:
        return self._words if self._is_slow else None

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        words = theme.text(content, size=look.small, bold=True, colour=theme.WARNING)
        if words.get_width() <= room:
            return words
        figures = content.removesuffix(_UNIT)
        return theme.fitted(figures, width=room, size=look.small, bold=True, colour=theme.WARNING)


class NetworkPiece(HudPiece):
    """Round-trip times of remote seats, and late ticks."""

    name, label, help = "network", "Late actions", "Late ticks, and the round-trip times of remote seats."
    place = Place.FOOT

    def content(self) -> Hashable:
        return self.facts.network() or None

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        return theme.fitted(content, width=room, size=look.small, colour=theme.MUTED)


ROWS = 6  # most actions that are shown, the likeliest of them

WIDTH = 236
Row = tuple[str, int]  # an action's name and its probability in per cent


class InsightPanel(HudPiece):
    """The panel of one seat; nothing for a seat without AI insight."""

    name, label, help = "mind", "AI insight", "F9: the action probabilities and the value of each snapshot."
    place = Place.PICTURE
    default = False
    is_secret = True

    facts: Facts | Insights
    owner: AgentID
    _words: ActionWords | None = None  # made at the first insight: a stage that is not ready has no spaces

    @staticmethod
    def width(look: Look) -> int:
        """Return the width of a panel in pixels; it grows less than other pieces."""
        return replace(look, scale=min(look.scale, 1.8)).px(WIDTH)

    def content(self) -> Hashable:
        insight = self.facts.insight(self.owner)
        if insight is None:
            return None
        if self._words is None:
            from arcade.scenes.hud.action_words import ActionWords  # on demand: numpy comes with it

            self._words = ActionWords(self.facts.spec, self.owner, self.facts.action_space(self.owner))
        value = None if insight.value is None else round(float(insight.value), 2)
        return self.facts.label(self.owner), value, insight_rows(insight, self._words.named)

    def paint(self, content: Any, look: Look, room: int) -> pygame.Surface:
        label, value, rows = content
        look = replace(look, scale=min(look.scale, 1.8))  # it lies on the game
        line, width = look.px(24), min(room, self.width(look))
        lines = len(rows) + (value is not None)
        panel = theme.plate((width, look.px(44) + line * lines))
        colour = seat_colour(self.facts.spec, self.owner, theme.TEAMS)
        left, inner = look.px(14), width - look.px(28)
        title = self.facts.spec.seat_title(self.owner)
        words = label if self.facts.spec.seats == 2 else f"{title}: {label}"  # two stand on their own sides
        theme.draw_text(panel, words, (left, look.px(8)), size=look.small, bold=True, colour=colour, width=inner)
        top = look.px(36)
        for name, share in rows:
            _paint_row(panel, pygame.Rect(left, top, inner, line), name, share, look=look, colour=colour)
            top += line
        if value is not None:
            at = (left, top + line // 2)
            theme.draw_text(panel, f"expects {value:+.2f}", at, size=look.px(16), anchor="midleft", width=inner)
        return panel


def insight_rows(insight: Insight, name: Callable[[int], str]) -> tuple[Row, ...]:
    """Return the rows of an insight: few actions in their own order, of many the likeliest first."""
    shares = [round(100 * float(share)) for share in insight.shares]
    if len(insight.parts) == 1:
        every = range(len(shares))
        shown = every if len(every) <= ROWS else heapq.nlargest(ROWS, every, shares.__getitem__)
        return tuple((name(index), shares[index]) for index in shown)
    rows, start = [], 0
    for place, length in enumerate(insight.parts[:ROWS], 1):
        part = shares[start : start + length]
        best = max(range(length), key=part.__getitem__)
        rows.append((f"part {place}" if length == 1 else f"part {place}: {best}", part[best]))
        start += length
    return tuple(rows)


def _paint_row(
    panel: pygame.Surface, area: pygame.Rect, name: str, share: int, *, look: Look, colour: theme.Colour
) -> None:
    size, middle = look.px(16), area.centery
    theme.draw_text(panel, name, (area.left, middle), size=size, anchor="midleft", width=area.w * 44 // 100)
    bar = pygame.Rect(area.left + area.w * 46 // 100, middle - area.h // 4, area.w * 34 // 100, area.h // 2)
    pygame.draw.rect(panel, theme.RAISED, bar, border_radius=3)
    full = bar.copy()
    full.w = max(2, bar.w * share // 100)
    pygame.draw.rect(panel, colour, full, border_radius=3)
    theme.draw_text(panel, f"{share}%", (area.right, middle), size=size, colour=theme.MUTED, anchor="midright")


# In the order of the settings page; those of one place are drawn in this order too.
PIECES: list[type[HudPiece]] = [
    ScorePiece, DrawnScorePiece, LineupPiece, ClockPiece, TurnPiece, RatePiece, NetworkPiece, InsightPanel
]  # fmt: skip
