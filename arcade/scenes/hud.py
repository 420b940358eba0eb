"""Hud: names, scores, clock, late answers and messages around the picture of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pygame

from agents.controller import AgentID, SeatChoice
from arcade.engine import theme
from arcade.engine.menus import Toasts
from arcade.games.spec import GameSpec
from arcade.match.match import Match
from arcade.scenes.absence import Absences
from arcade.scenes.controls import controls_words
from arcade.scenes.launch import Launched
from arcade.scenes.moves import WIDTH as MOVES_WIDTH
from arcade.scenes.seating import describe

TOP, BOTTOM = 72, 40
CONTROLS_SHOWN = 6.0
"""Seconds that the keys stay on the screen at the start."""


class Hud:
    """Draws what a match is at; `say` shows a line for a few seconds."""

    def __init__(self, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice]) -> None:
        self._spec = spec
        self._lineup = lineup
        self._launched: Launched | None = None
        self._toasts = Toasts()
        self._began_at = self._now = 0.0
        self._absences: Absences | None = None  # turn-based games wait, so nobody is late in them
        self.pause_button = pygame.Rect(0, 0, 0, 0)
        self.trainer_words = self.series_words = self.pace_words = ""

    def begin(self, launched: Launched, now: float) -> None:
        """The match has started."""
        self._launched, self._began_at = launched, now
        self._absences = None if self._spec.turn_based else Absences(launched.match)

    def say(self, words: str) -> None:
        """A line at the foot for a few seconds."""
        self._toasts.say(words)

    @property
    def said(self) -> tuple[str, ...]:
        """The lines that are shown now."""
        return self._toasts.words

    @property
    def notes(self) -> str:
        """What the bars tell of the seats beside names and scores: how far away each team is, late ticks."""
        if self._launched is None:
            return ""
        return "  ·  ".join([*map(self._seat_words, range(len(self._spec.teams))), self._late_words()])

    def update(self, now: float) -> None:
        """Notice seats that went silent or came back."""
        self._now = now
        self._toasts.update(now)
        if self._absences is None or self._match.over:
            return
        went, back = self._absences.update(now)
        for agent in went:
            self.say(f"{self._match.mapping[agent].label} does not answer; {agent} plays on without it")
        for agent in back:
            self.say(f"{self._match.mapping[agent].label} is back")

    @property
    def _match(self) -> Match:
        assert self._launched is not None
        return self._launched.match

    def picture_area(self, canvas: pygame.Surface, *, panel: bool) -> pygame.Rect:
        """Where the game's picture goes: between the bars, beside the moves where there is a `panel`."""
        width = canvas.get_width() - (MOVES_WIDTH + 2 * theme.GAP if panel else 0)
        return pygame.Rect(0, TOP, width, canvas.get_height() - TOP - BOTTOM)

    # Drawing

    def draw(self, canvas: pygame.Surface) -> None:
        """The bars above and below."""
        teams = self._spec.teams
        if len(teams) == 2:
            self._draw_duel(canvas)
        else:
            self._draw_many(canvas)
        self._draw_clock(canvas)
        self._draw_foot(canvas)

    def draw_messages(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        """Over the picture: the keys at the start, what was said."""
        if self._now - self._began_at < CONTROLS_SHOWN:
            self._draw_controls(canvas, area)
        self._toasts.draw(canvas)

    def draw_starting(self, canvas: pygame.Surface) -> None:
        """The whole screen while the game is being made: who plays, and with which keys."""
        middle = canvas.get_rect().center
        theme.draw_text(canvas, self._spec.title, (middle[0], 150), size=theme.HERO, bold=True, anchor="center")
        theme.draw_text(canvas, self._spec.summary, (middle[0], 220), colour=theme.MUTED, anchor="center", width=1100)
        for place, (agent, choice) in enumerate(list(self._lineup.items())[:8]):
            at = (middle[0], 300 + place * 34)
            colour = theme.team_colour(self._spec.team_of(agent))
            theme.draw_text(canvas, f"{agent}:  {describe(choice)}", at, colour=colour, anchor="center", width=1100)
        theme.draw_text(canvas, "Starting …", (middle[0], 640), size=theme.LARGE, colour=theme.MUTED, anchor="center")
        self._draw_controls(canvas, pygame.Rect(0, 0, canvas.get_width(), 600))

    def _draw_duel(self, canvas: pygame.Surface) -> None:
        width = canvas.get_width()
        for team, sign in ((0, 1), (1, -1)):
            edge = theme.MARGIN if sign > 0 else width - theme.MARGIN
            colour, side = theme.team_colour(team), "midleft" if sign > 0 else "midright"
            plate = pygame.Rect(0, 0, 8, TOP - 24)
            setattr(plate, side, (edge, TOP // 2))
            pygame.draw.rect(canvas, colour, plate, border_radius=4)
            theme.draw_text(
                canvas, self._names(team), (edge + 22 * sign, TOP // 2 - 11), bold=True, anchor=side, width=400
            )
            theme.draw_text(
                canvas, self._seat_words(team), (edge + 22 * sign, TOP // 2 + 14), size=theme.SMALL,
                colour=theme.MUTED, anchor=side, width=400,
            )  # fmt: skip
            theme.draw_text(
                canvas, self._score(team), (width // 2 - 130 * sign, TOP // 2), size=theme.TITLE, bold=True,
                colour=colour, anchor="center",
            )  # fmt: skip

    def _draw_many(self, canvas: pygame.Surface) -> None:
        """One team, or many: a chip a team, from the left; the clock has the right."""
        teams = list(range(len(self._spec.teams)))
        left, width = theme.MARGIN, (canvas.get_width() - 300 - theme.MARGIN) // len(teams)
        for team in teams:
            plate = pygame.Rect(left + team * width, 14, 8, TOP - 28)
            pygame.draw.rect(canvas, theme.team_colour(team), plate, border_radius=4)
            at = (plate.right + 12, TOP // 2 - 11)
            theme.draw_text(canvas, self._names(team), at, bold=True, anchor="midleft", width=width - 40)
            words = f"{self._score(team)}   {self._seat_words(team)}"
            at = (plate.right + 12, TOP // 2 + 14)
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=width - 40)

    def _draw_clock(self, canvas: pygame.Surface) -> None:
        duel = len(self._spec.teams) == 2
        x = canvas.get_width() // 2 if duel else canvas.get_width() - 150
        index = self._match.tick.index if self._match.tick else 0
        if self._spec.turn_based:
            words = f"move {index}"
        else:
            seconds = int(index / self._spec.fps)
            words = f"{seconds // 60}:{seconds % 60:02d}"
        theme.draw_text(canvas, words, (x, TOP // 2), size=theme.LARGE, anchor="center")

    def _draw_foot(self, canvas: pygame.Surface) -> None:
        y = canvas.get_height() - BOTTOM // 2
        words = theme.draw_text(
            canvas, self._spec.title, (theme.MARGIN, y), size=theme.SMALL, bold=True, anchor="midleft"
        )
        note = "  ·  ".join(part for part in self._foot_words() if part)
        theme.draw_text(
            canvas, note, (words.right + 24, y), size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=800
        )
        at = (canvas.get_width() - theme.MARGIN, y)
        hint = theme.draw_text(
            canvas, "Esc, P or Start: pause", at, size=theme.SMALL, colour=theme.FAINT, anchor="midright"
        )
        self.pause_button = hint.inflate(24, 16)

    def _foot_words(self) -> tuple[str, ...]:
        return self.series_words, self.pace_words, self._late_words(), self.trainer_words

    def _draw_controls(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        lines = [
            f"{agent}    {controls_words(choice, self._spec.names_of(agent))}"
            for agent, choice in self._lineup.items()
            if choice.is_human and not self._spec.turn_based  # there the panel of moves says it
        ][:4]
        for place, words in enumerate(reversed(lines)):
            picture = theme.text(words, bold=True)
            plate = picture.get_rect().inflate(48, 18)
            plate.midbottom = (area.centerx, area.bottom - 12 - place * (plate.h + 6))
            theme.draw_panel(canvas, plate, fill=theme.PANEL, edge=theme.EDGE)
            canvas.blit(picture, picture.get_rect(center=plate.center))

    # Words

    def _names(self, team: int) -> str:
        labels = [self._match.mapping[agent].label for agent in self._spec.teams[team]]
        counted: dict[str, int] = {}
        for label in labels:
            counted[label] = counted.get(label, 0) + 1
        return ", ".join(f"{label} × {n}" if n > 1 else label for label, n in counted.items())

    def _seat_words(self, team: int) -> str:
        """Agents of the team and how far away their minds are."""
        agents = self._spec.teams[team]
        words = ", ".join(str(agent) for agent in agents) if len(agents) <= 3 else f"{len(agents)} seats"
        times = [_round_trip(self._match.mapping[agent]) for agent in agents]
        known = [ms for ms in times if ms is not None]
        return words + (f"   {max(known):.0f} ms away" if known else "")

    def _late_words(self) -> str:
        late = {agent: count for agent, count in self._match.late.items() if count}
        if not late:
            return ""
        words = ", ".join(f"{agent} {count}" for agent, count in list(late.items())[:4])
        return f"late ticks: {words}"

    def _score(self, team: int) -> str:
        """The game's own score where it tells one for each team, else the team's mean return."""
        assert self._launched is not None
        own = self._launched.watch.shown_score
        if len(own) == len(self._spec.teams):
            return str(own[team])
        agents = self._spec.teams[team]
        mean = sum(self._match.scores[agent] for agent in agents) / len(agents)
        return f"{mean:.0f}" if abs(mean - round(mean)) < 1e-6 else f"{mean:.1f}"


def _round_trip(controller: Any) -> float | None:
    """Milliseconds of the newest answer of a remote seat; None for others and while silent."""
    ms = getattr(controller, "rtt_ms", None)
    return None if ms is None or getattr(controller, "silent", False) else float(ms)
