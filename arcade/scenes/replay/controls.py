"""ReplayControls: the scrub bar and the buttons of a replay, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from agents.errors import UserError
from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.ui import theme
from arcade.engine.ui.widgets import Button, Widget
from arcade.match.playback.branch import Branch
from arcade.match.playback.playback import Playback
from arcade.scenes import routes
from arcade.scenes.replay.scrub import ScrubBar
from arcade.scenes.replay.seat_rows import SeatRows
from arcade.scenes.replay.view import ReplayLayout, ReplayView
from arcade.scenes.screen import Screen
from arcade.session.match.pace import REPLAY_SPEEDS, speed_text
from arcade.session.recordings.insights import Insights
from arcade.session.recordings.replay_loading import LoadedReplay
from arcade.session.recordings.takeover import lineup_at, seats_at, substitution
from arcade.session.services import Services

BEHIND = 1.0
"""Seconds behind a mark within which the mark before it counts as the previous one."""


class ReplayControls(Screen):
    """Base of the replay scene; `loaded`, `playback`, `insights` and `view` are set once the recording is loaded."""

    loaded: LoadedReplay
    playback: Playback
    insights: Insights
    view: ReplayView

    def __init__(self, services: Services, route: routes.Replay) -> None:
        super().__init__(services, route)
        self.path, self.span = route.path, route.span
        self.speeds = sorted({*REPLAY_SPEEDS, route.speed})
        self.speed = self.speeds.index(route.speed)  # the index of the present one
        self._device = SeatChoice("keyboard")  # pressed last

    # Widgets

    def controls(self, layout: ReplayLayout) -> list[Widget]:
        """Make the widgets in reading order; down from the scrub bar leads to play."""
        first, last = layout.rows[0], layout.rows[-1]
        signs, tools, back = self._signs(first), self._tools(), _button(60, "Back", self.back, "Leave this recording")
        words = f"Speed {speed_text(self.speeds[self.speed])}"
        speed = _button(96, words, self.next_speed, "Playback speed: press for the next, or F5 and F6")
        views = [self._viewer_button()] if self.loaded.spec.secret else []
        left, right = signs[0].rect.left - theme.GAP, signs[-1].rect.right + theme.GAP
        if first is last:
            _spread(first, first.left, left, tools)
            _spread(first, right, first.right, [speed, *views, back])
        else:
            _spread(first, first.left, left, views)
            _spread(first, right, first.right, [speed])
            _spread(last, last.left, last.right, [*tools, back])
        seats = SeatRows(layout.seats, self.loaded)
        return [self._scrub_bar(layout.scrub), seats, *signs, speed, *views, *tools, back]

    def _scrub_bar(self, rect: pygame.Rect) -> ScrubBar:
        spec, playback = self.loaded.spec, self.playback
        scrub = ScrubBar(rect, seek=playback.seek, step=playback.step, toggle=self.toggle, moment=self.view.moment)
        scrub.length, scrub.at, scrub.marks = playback.length, playback.goal, self.loaded.timeline.marks
        scrub.stride = 1 if spec.turn_based else max(1, round(spec.fps))
        start, end = self.span
        if (start, end) != (0, None):
            scrub.span = start, playback.length if end is None else end
        return scrub

    def _signs(self, row: pygame.Rect) -> list[SignButton]:
        step = self.playback.step
        entries = (
            ("previous", "Mark before", lambda: self.jump(-1), "To the mark before: Page up, or a pad's L"),
            ("back", "Tick back", lambda: step(-1), "A tick back: F8, or the wheel over the bar"),
            ("play", "Play", self.toggle, "Play or stop: P, or a pad's Start"),
            ("on", "Tick on", lambda: step(1), "A tick on: F7, or the wheel over the bar"),
            ("next", "Next mark", lambda: self.jump(1), "To the next point or take-over: Tab, or a pad's R"),
        )
        width = max(60, row.h)
        first = pygame.Rect(row.centerx - (5 * width + 4 * theme.GAP) // 2, row.top, width, row.h)
        return [
            SignButton(first.move(place * (width + theme.GAP), 0), sign, words, press, hint)
            for place, (sign, words, press, hint) in enumerate(entries)
        ]

    def _viewer_button(self) -> Button:
        viewer = self.view.viewer
        words = "Spectator" if viewer is None else f"Sees {viewer}"
        hint = "The seat whose cards are shown; a spectator sees public ones alone. Press for the next"
        return _button(132, words, self.next_viewer, hint)

    def _tools(self) -> list[Button]:
        return [
            _button(84, "Insight", self.choose_insight, "Action probabilities and value of a snapshot: F9"),
            _button(126, "Take over", lambda: self.take_over(self._device), "Play from here: F2, or a pad's Select"),
            _button(84, "Video", self.make_video, "Save a video, from here on or of the whole match"),
        ]

    # Actions

    def toggle(self) -> None:
        """Play or stop; at the end, play again from the start."""
        if self.playback.playing:
            self.playback.pause()
        else:
            if self.playback.at_end:
                self.playback.seek(self.span[0])
            self.playback.play()

    def jump(self, by: int) -> None:
        """Seek the next or the previous mark, or say that there is none."""
        spec, playback, timeline = self.loaded.spec, self.playback, self.loaded.timeline
        behind = round(BEHIND * spec.fps) if playback.playing and not spec.turn_based else 0
        mark = timeline.next(playback.goal) if by > 0 else timeline.previous(playback.goal - behind)
        if mark is None:
            self.engine.say("That was the last mark" if by > 0 else "That was the first mark")
        else:
            playback.seek(mark.tick)

    def set_speed(self, index: int) -> None:
        """Play at one of `speeds`."""
        self.speed = index
        self.playback.speed = self.speeds[index]
        self.refresh()

    def next_speed(self) -> None:
        """Play at the next speed; the slowest follows the fastest."""
        self.set_speed((self.speed + 1) % len(self.speeds))

    def next_viewer(self) -> None:
        """Show the next seat's view; a spectator's follows the last seat's."""
        viewers = [None, *self.loaded.spec.agents]
        self.view.viewer = viewers[(viewers.index(self.view.viewer) + 1) % len(viewers)]
        self.refresh()

    def choose_insight(self) -> None:
        """Ask for the snapshot that gives insight."""
        spec = self.loaded.spec
        names, now = self.services.library.names(spec.id), next(iter(self.insights.names.values()), "")
        self.engine.push(routes.ChooseInsight(spec.agents, names, now, self.show_insight))

    def show_insight(self, agents: Sequence[AgentID], name: str) -> None:
        """Show the insight of a snapshot for these seats, "" for none; it is loaded in the worker."""
        if not name:
            self.insights.clear(agents)
            return
        services, insights = self.services, self.insights
        services.worker.submit(
            lambda: insights.load(services.library.store(), name, agents), done=insights.put, failed=self._refuse
        )

    def _refuse(self, error: BaseException) -> None:
        if not isinstance(error, UserError):
            raise error
        self.engine.say(str(error))

    def take_over(self, choice: SeatChoice) -> None:
        """Play from here as `choice`, in the only seat or one that the player chooses."""
        playback = self.playback
        playback.pause()
        seats = seats_at(self.loaded.replay, playback.goal)
        if playback.problem or not seats or playback.goal >= playback.length:
            self.engine.say("The match is over here: go back a little, then take over")
        elif len(seats) == 1:
            self.play_branch(seats[0][0], choice)
        else:
            self.engine.push(routes.TakeOver(seats, choice, self.play_branch))

    def play_branch(self, agent: AgentID, choice: SeatChoice) -> None:
        """Play a match that repeats the recorded one up to here, then continues with `choice` in that seat."""
        loaded, tick = self.loaded, self.playback.goal
        snapshots = self.services.library.names(loaded.spec.id)
        lineup = lineup_at(loaded.replay, loaded.spec, tick, snapshots, agent, choice)
        if replaced := substitution(loaded.replay, loaded.spec, tick, snapshots, agent):
            self.engine.say(replaced)
        branch = Branch(replay=loaded.replay, tick=tick, recording=self.path.stem)
        self.engine.push(routes.Match(loaded.spec, lineup, branch=branch))

    def make_video(self) -> None:
        """Ask for the part and the format of a video."""
        self.playback.pause()
        fps, end = self.loaded.spec.fps, self.span[1]
        seconds, start = self.playback.length / fps, self.playback.goal / fps
        self.engine.push(routes.Video(self.path, seconds, start, None if end is None else end / fps, self.view.viewer))


def _spread(row: pygame.Rect, left: int, right: int, widgets: Sequence[Widget]) -> None:
    """Spread widgets between two edges, in proportion to their initial widths."""
    room = right - left - (len(widgets) - 1) * theme.GAP
    wanted = sum(widget.rect.w for widget in widgets)
    for widget in widgets:
        widget.rect = pygame.Rect(left, row.top, widget.rect.w * room // wanted, row.h)
        left = widget.rect.right + theme.GAP


def _button(width: int, words: str, press: Callable[[], None], hint: str) -> Button:
    return Button((0, 0, width, 0), words, press, hint=hint, size=min(theme.scaled(theme.BODY), 40))


class SignButton(Button):
    """A button with a sign instead of text: play, pause, back, on, previous, next."""

    def __init__(self, rect: pygame.Rect, sign: str, words: str, press: Callable[[], None], hint: str) -> None:
        super().__init__(rect, words, press, primary=sign == "play", hint=hint)
        self.sign = sign

    def draw(self, canvas: pygame.Surface, *, focused: bool = False) -> None:
        label, self.label = self.label, ""
        super().draw(canvas, focused=focused)
        self.label = label
        ink = theme.GROUND if self.primary else theme.INK
        draw_sign(canvas, self.sign, self.rect.center, min(self.rect.size) * 26 // 100, ink)


def draw_sign(canvas: pygame.Surface, sign: str, at: tuple[int, int], size: int, ink: theme.Colour) -> None:
    """Draw a sign; `size` is half its height."""
    x, y = at
    if sign == "pause":
        for side in (-1, 1):
            _draw_bar(canvas, ink, (x + side * size * 6 // 10, y), size, width=max(4, size * 6 // 10))
        return
    way = -1 if sign in ("back", "previous") else 1
    pygame.draw.polygon(canvas, ink, [(x - way * size * 7 // 10, y - size), (x - way * size * 7 // 10, y + size),
                                      (x + way * size, y)])  # fmt: skip
    if sign in ("back", "on"):  # one tick: a bar at the blunt end
        _draw_bar(canvas, ink, (x - way * (size + 3), y), size)
    elif sign in ("previous", "next"):  # up to a mark: a bar at the tip
        _draw_bar(canvas, ink, (x + way * (size + 3), y), size)


def _draw_bar(canvas: pygame.Surface, ink: theme.Colour, at: tuple[int, int], size: int, *, width: int = 4) -> None:
    bar = pygame.Rect(0, 0, width, 2 * size)
    bar.center = at
    pygame.draw.rect(canvas, ink, bar)
