"""Results: places, rating changes, the recording, and the next match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pygame

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.input.press_gate import PressGate
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.engine.window.scene import Host
from arcade.games.seat_colours import seat_colour
from arcade.match.play.lineup import swapped_lineup
from arcade.scenes import routes
from arcade.scenes.pictograms.devices import icon
from arcade.scenes.recordings.editor import STRIP, RecordingStrip
from arcade.scenes.screen import Screen
from arcade.session.match.outcome import Series
from arcade.session.plurals import counted
from arcade.session.result_texts import final_label, notes, ordinal, seat_text, summary
from arcade.session.score_texts import headline, return_text, seat_score
from arcade.session.services import Services

TABLE = pygame.Rect(theme.MARGIN, 190, 1200, 46)
SHOWN = 7
FEW = 4
"""Seats up to which each has a second line about its actions."""

COLUMNS = (("", 24), ("Player", 110), ("Seat", 560), ("Score", 760), ("Rating", 900))
"""Headings, and their distances from the left edge of the table."""

DETAIL = 1060
"""Width of the second line of a seat."""


class ResultsScene(Screen):
    """Owns the stage, which a rematch continues to use."""

    read_first = True
    strip: RecordingStrip
    gate: PressGate

    def __init__(self, services: Services, route: routes.Results) -> None:
        super().__init__(services, route)
        self.outcome, self._stage = route.outcome, route.stage
        self._picture, self._viewer = route.picture, route.viewer
        if self._picture is not None:
            self._picture.frames.whole = False
        series = self.outcome.series
        decided = "" if series.winner is None or series.best_of == 1 else f", and the best of {series.best_of}"
        self._shown = services.library.player_names(self.outcome.spec).of_result(self.outcome.result)
        self.heading = headline(self.outcome.spec, self._shown, self.outcome.lineup) + decided

    @property
    def listens(self) -> bool:
        return self.gate.is_open

    def update(self, now: float) -> None:
        self.gate.update()

    def enter(self, engine: Host) -> None:
        self.gate = PressGate(engine.devices, engine.clock)
        self.strip = RecordingStrip(engine, self.services, self.outcome)
        self.outcome.changed = self.refresh
        super().enter(engine)
        result = self.outcome.result
        people = [str(agent) for agent, choice in self.outcome.lineup.items() if choice.is_human]
        won = any(result.placements[agent] == 1 for agent in people)
        engine.sound.play("win" if won or not people else "lose")

    def leave(self) -> None:
        if self._stage is not None:
            self.services.stages.free(self._stage)
            self._stage = None

    def widgets(self) -> list[Widget]:
        spec, engine, next_series = self.outcome.spec, self.engine, self.outcome.series.next
        other = swapped_lineup(spec, self.outcome.lineup)
        entries = (
            (self._next_words, lambda: self._play(self.outcome.lineup, next_series()), "The same seats once more"),
            ("Swap sides", lambda: self._play(other, next_series().swapped()), "Once more, in the next team's seats"),
            ("Seats", self._seats, "Choose the players"),
            ("Games", self._games, "Choose another game"),
            ("Ladder", lambda: engine.push(routes.Ladder(spec.id)), "Ratings of players at this game"),
            ("Title", lambda: engine.reset_to(routes.Title()), "To the title"),
        )
        first = pygame.Rect(theme.MARGIN, 600, 190, 60)
        buttons = [
            Button(first.move(place * 202, 0), words, press, primary=not place, hint=hint)
            for place, (words, press, hint) in enumerate(entries)
        ]
        buttons[1].enabled = other is not None
        return [*buttons, *(self.strip.widgets() if self.outcome.is_recorded else ())]

    @property
    def _next_words(self) -> str:
        return "Next match" if self.outcome.series.best_of > 1 and self.outcome.series.winner is None else "Rematch"

    def draw_page(self, canvas: pygame.Surface) -> None:
        outcome, spec = self.outcome, self.outcome.spec
        words = "  ·  ".join(filter(None, (summary(spec, outcome.result), outcome.series.text)))
        theme.draw_text(canvas, words, (theme.MARGIN, 88), colour=theme.MUTED, width=1200)
        warning = outcome.ratings.warning if outcome.ratings is not None else ""
        look: dict[str, Any] = {"size": theme.SMALL, "colour": theme.WARNING if warning else theme.FAINT}
        theme.draw_text(canvas, warning or notes(outcome.result), (theme.MARGIN, 116), width=1200, **look)
        area = pygame.Rect(TABLE.left, TABLE.top - 44, TABLE.w, 56 + self._pitch * min(SHOWN, spec.seats))
        theme.draw_panel(canvas, area)
        for words, left in COLUMNS:
            at = (TABLE.left + left, TABLE.top - 22)
            words = "Ladder" if words == "Rating" and len(spec.teams) == 1 else words
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.FAINT, anchor="midleft")
        ranked = sorted(spec.agents, key=lambda agent: outcome.result.placements[str(agent)])
        for place, agent in enumerate(ranked[:SHOWN]):
            self._draw_row(canvas, TABLE.move(0, place * self._pitch), agent)
        room = pygame.Rect(TABLE.left, area.bottom + 16, TABLE.w, STRIP.top - 12 - area.bottom - 16)
        if room.h > 100 and self._picture is not None:
            self._picture.draw(canvas, theme.page_theme(), room, viewer=self._viewer)
        if spec.seats > SHOWN:
            words, at = (
                counted(spec.seats - SHOWN, "and 1 more seat", "and {count} more seats"),
                (TABLE.right - 24, TABLE.top - 22),
            )
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.FAINT, anchor="midright")
        if outcome.is_recorded:
            self.strip.draw(canvas)

    @property
    def _pitch(self) -> int:
        """Pixels from one row's top to the next."""
        return TABLE.h + (24 if self.outcome.spec.seats <= FEW else 0)

    def _draw_row(self, canvas: pygame.Surface, row: pygame.Rect, agent: AgentID) -> None:
        name, result, ratings = str(agent), self._shown, self.outcome.ratings
        colour = seat_colour(self.outcome.spec, agent, theme.TEAMS)
        pygame.draw.rect(canvas, colour, (row.left, row.top + 8, 7, self._pitch - 16))
        place = result.placements[name]
        cells = (
            ordinal(place) if len(self.outcome.spec.teams) > 1 else "",
            final_label(result, name),
            self.outcome.spec.seat_title(agent),
            seat_score(self.outcome.spec, result, agent),
            "…" if ratings is None else ratings.texts.get(name) or "not rated",
        )
        edges = [left for _, left in COLUMNS] + [TABLE.w]
        for words, left, right in zip(cells, edges, edges[1:], strict=False):
            at = (row.left + left, row.centery)
            theme.draw_text(canvas, words, at, bold=place == 1, anchor="midleft", width=right - left - 16)
        if agent in self.outcome.lineup:
            device = icon(theme.page_theme(), self.outcome.lineup[agent], size=28, colour=theme.MUTED)
            canvas.blit(device, device.get_rect(midright=(row.left + COLUMNS[2][1] - 16, row.centery)))
        if self.outcome.spec.seats <= FEW:
            at = (row.left + COLUMNS[1][1], row.bottom + 6)
            own = return_text(result, name) + "  ·  "
            room = DETAIL - theme.text(own, size=theme.SMALL).get_width()
            told = seat_text(result, name, fits=lambda s: theme.text(s, size=theme.SMALL).get_width() <= room)
            words = (own + told).removesuffix("  ·  ")
            theme.draw_text(canvas, words, at, size=theme.SMALL, colour=theme.MUTED, anchor="midleft", width=DETAIL)

    def _play(self, lineup: Mapping[AgentID, SeatChoice] | None, series: Series) -> None:
        stage, self._stage = self._stage, None
        self.engine.replace(routes.Match(self.outcome.spec, lineup or {}, stage, series))

    def _seats(self) -> None:
        self.engine.pop()
        self.engine.return_to(routes.Seats(self.outcome.spec))

    def _games(self) -> None:
        self.engine.reset_to(routes.Title())
        self.engine.push(routes.Games())
