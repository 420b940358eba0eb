"""The replay scene by keyboard, pad and mouse: play, seek, AI insight, secrets; and unreadable files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest
from gymnasium.spaces import Box

from agents.policies.random import RandomController
from agents.seats.controller import SeatSpec, Turn
from arcade.engine.input.default_bindings import KEYBOARD
from arcade.engine.input.events import MenuInput, PointerInput
from arcade.engine.ui.theme import Theme
from arcade.games import find_game
from arcade.match.play.result import RecordingSource
from arcade.match.playback.replay import Replay
from arcade.match.playback.timeline import Timeline
from arcade.scenes import routes
from arcade.scenes.recordings.thumbnails import save_thumbnail
from arcade.scenes.replay.scene import ReplayScene
from arcade.scenes.replay.scrub import ScrubBar
from arcade.scenes.replay.seat_rows import SeatRows
from arcade.session.match.pace import REPLAY_SPEEDS
from arcade.session.recordings.insights import LEAD
from tests.support.foreign_games import receive
from tests.support.replay_scenes import TICKS, record, record_volley, settle, show


@pytest.fixture(scope="module")
def volley(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record_volley(tmp_path_factory.mktemp("takes") / "volley.replay")


def test_a_held_direction_crosses_a_recording_of_ten_minutes_in_a_few_seconds() -> None:
    playback = SimpleNamespace(goal=0, length=36_000)
    playback.seek = lambda tick: setattr(playback, "goal", tick)
    bar = ScrubBar(playback, SimpleNamespace(marks=()), toggle=lambda: None, moment=str, stride=60)
    bar.menu(MenuInput("right", KEYBOARD["wasd"]))
    assert playback.goal == 60, "a press is one second"
    repeats = 0
    while playback.goal < playback.length:
        bar.menu(MenuInput("right", KEYBOARD["wasd"], repeated=True))
        repeats += 1
    assert repeats <= 60
    before = playback.goal
    bar.menu(MenuInput("left", KEYBOARD["wasd"]))
    assert playback.goal == before - 60, "the next press is short again"


def test_keys_and_pads_have_short_ways(sit, keyboard, pad, volley: Path) -> None:
    sitting = sit()
    scene = show(sitting, volley)
    keys, pads = keyboard(sitting), pad(sitting)
    keys.key(pygame.K_p)
    assert not scene.playback.playing
    keys.key(pygame.K_F6)
    assert scene.playback.speed == 2
    keys.key(pygame.K_F5)
    keys.key(pygame.K_F5)
    assert scene.playback.speed == REPLAY_SPEEDS[2] == 0.5
    keys.key(pygame.K_END)
    settle(sitting, scene)
    assert scene.playback.index == TICKS
    head = sitting.engine.canvas.subsurface(scene.head_line.rect)
    before = head.copy().get_buffer().raw
    for _ in range(2):
        keys.key(pygame.K_TAB)
    assert sitting.engine.toasts.messages == ("That was the last mark",)
    assert head.copy().get_buffer().raw == before, "nothing covers score and time"
    seats = sitting.engine.canvas.subsurface(scene.side.rect)
    before = seats.copy().get_buffer().raw
    sitting.engine.say("Clip of 30 s saved: /home/somebody/" + "folder/" * 12 + "clip.mp4")
    sitting.frame(2)
    assert seats.copy().get_buffer().raw == before, "nothing covers the seats"
    keys.key(pygame.K_F8)
    assert scene.playback.goal == TICKS - 1
    pads.press("l")
    assert scene.playback.goal == scene.loaded.timeline.marks[-1].tick
    pads.press("start")
    assert scene.playback.playing
    keys.key(pygame.K_HOME)
    pads.press("left")
    assert scene.playback.goal <= 10
    pads.press("select")
    assert sitting.on == "TakeOverPage"
    keys.press("back")
    assert sitting.engine.scene is scene


def test_the_mouse_drags_time_and_its_wheel_steps(sit, volley: Path) -> None:
    sitting = sit()
    scene = show(sitting, volley)
    bar = next(widget for widget in scene.focus.widgets if isinstance(widget, ScrubBar))
    scene.playback.pause()
    for kind, x in (("press", 320), ("move", 640), ("release", 640)):
        sitting.engine.feed(PointerInput(kind, (x, bar.rect.centery), button=1))
    assert abs(scene.playback.goal - TICKS / 2) <= 1
    sitting.engine.feed(PointerInput("move", (900, bar.rect.centery)))
    assert abs(scene.playback.goal - TICKS / 2) <= 1  # let go of
    assert bar.mouse == 900
    sitting.engine.feed(PointerInput("move", (640, 200)))
    assert bar.mouse is None, "the time at the mouse is shown only where it points at the bar"
    settle(sitting, scene)
    before = scene.playback.goal
    sitting.engine.feed(PointerInput("wheel", (640, bar.rect.centery), wheel=1))
    assert scene.playback.goal == before - 1


def test_what_was_trimmed_off_is_left_out_at_first(sit, volley: Path) -> None:
    sitting = sit()
    scene = show(sitting, volley, span=(30, 60), speed=4)
    sitting.until(lambda: not scene.playback.playing, "the end of what counts")
    assert scene.playback.goal == 60
    scene.playback.play()
    sitting.until(lambda: scene.playback.index > 90, "the rest")


def test_any_snapshot_thinks_about_any_moment(sit, keyboard, volley: Path) -> None:
    sitting = sit()
    scene = show(sitting, volley)
    hand = keyboard(sitting)
    sitting.until(lambda: sitting.library.snapshots.get("house/volley"), "names of snapshots")
    hand.key(pygame.K_F9)
    hand.pick_row(2)
    sitting.until(lambda: len(scene.insights.names) == 2, "insight in both seats")
    scene.playback.pause()
    insights = []
    for tick in (120, 121, 40):
        scene.playback.seek(tick)
        settle(sitting, scene)
        sitting.frame(2)
        insights.append(scene.insights.insight("right_0"))
    assert all(insight is not None and abs(sum(insight.shares) - 1) < 1e-3 for insight in insights)
    assert insights[0] != insights[2]
    hand.key(pygame.K_F9)
    hand.press("up")
    hand.press("up")
    hand.press("accept")
    assert not scene.insights.names


class Rememberer(RandomController):
    """Notes the ticks that it was shown since its memory began."""

    has_memory, label = True, "rememberer"

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        super().reset(seat, seed=seed)
        self.ticks: list[int] = []

    def observe(self, turn: Turn) -> None:
        super().observe(turn)
        self.ticks.append(turn.tick)


@pytest.mark.parametrize("shown", [None, 8], ids=["from afar", "from a tick on the way"])
def test_a_mind_with_a_memory_sees_what_came_before(sit, volley: Path, shown: int | None) -> None:
    sitting = sit()
    scene = show(sitting, volley)
    scene.playback.pause()
    scene.playback.seek(60)
    settle(sitting, scene)
    one = Rememberer()
    scene.insights.put({"left_0": one})
    sitting.frame(2)
    assert scene.insights.label("left_0") == "rememberer, no memory yet"
    playback = scene.playback
    goal = next(tick for tick in range(100, playback.length, 7) if not playback.before(tick + 1, 1))  # not played yet
    playback.seek(goal)
    if shown is not None:  # the stage was there when it was asked to go further back
        playback.tick = replace(playback.tick, index=goal - shown)
        scene.insights.look(playback.tick)
    settle(sitting, scene)
    sitting.frame(2)
    assert one.ticks[-LEAD - 1 :] == list(range(goal - LEAD, goal + 1))
    assert scene.insights.label("left_0") == "rememberer"


def test_of_many_seats_those_in_sight_are_told_of_and_others_scrolled_to() -> None:
    spec = find_game("butterfly/pistonball_v6")
    sources = [
        RecordingSource(tick=0, agent=str(agent), kind="random", label=f"{agent} plays") for agent in spec.agents
    ]
    replay = Replay(Path("a.replay"), {}, actions=[{}], rewards=[{}, {}], sources=sources)
    stage = SimpleNamespace(spaces=dict.fromkeys(spec.agents, (None, Box(-1, 1, (1,)))))
    loaded = SimpleNamespace(spec=spec, replay=replay, timeline=Timeline(replay, spec), stage=stage)
    seats = SeatRows(loaded, lambda: 1)  # type: ignore[arg-type]
    seats.arrange(Theme(), pygame.Rect(0, 0, 300, 300))
    first = [row.agent for row in seats.rows_at(1)]
    assert 1 < len(first) < len(spec.agents)
    assert first == list(spec.agents[: len(first)])
    assert seats.menu(MenuInput("down", KEYBOARD["wasd"]))
    assert [row.who for row in seats.rows_at(1)][-1] == f"{spec.agents[len(first)]} plays"


def test_secrets_stay_with_the_seat_that_looks(sit, tmp_path: Path) -> None:
    spec = find_game("classic/leduc_holdem_v4")
    players = {agent: RandomController() for agent in spec.agents}
    sitting = sit()
    scene = show(sitting, record(tmp_path / "cards.replay", spec.id, players))
    scene.playback.pause()
    scene.playback.seek(0)
    settle(sitting, scene)

    def seen() -> bytes:
        sitting.frame(2)
        return pygame.image.tobytes(sitting.engine.canvas.subsurface((0, 60, 900, 440)), "RGB")

    spectator = seen()
    scene.next_viewer()
    first = seen()
    scene.next_viewer()
    assert len({spectator, first, seen()}) == 3
    scene.next_viewer()
    assert seen() == spectator


def test_a_file_that_is_no_recording_is_explained(sit, keyboard, tmp_path: Path) -> None:
    (tmp_path / "bad.replay").write_bytes(b"nothing of ours")
    sitting = sit()
    scene = ReplayScene(sitting.services, routes.Replay(tmp_path / "bad.replay"))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.loading.trouble, "what is wrong")
    assert "bad.replay" in scene.loading.trouble
    keyboard(sitting).choose("Back")
    assert sitting.on == "TitleScene"


def test_a_recording_of_code_from_elsewhere_is_not_shown_and_says_how_it_may_be(
    sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received = receive(tmp_path, monkeypatch)
    sitting = sit()
    scene = ReplayScene(sitting.services, routes.Replay(received.recording))
    sitting.engine.push(scene)
    sitting.until(lambda: scene.loading.trouble, "why it is not shown")
    assert received.refuses(scene.loading.trouble)


def test_a_replay_of_chess_has_its_moves_in_chess_notation_and_counts_them_so(sit, tmp_path: Path) -> None:
    sitting = sit()
    players = {seat: RandomController() for seat in ("player_0", "player_1")}
    scene = show(sitting, record(tmp_path / "chess.replay", "classic/chess_v6", players, ticks=8))
    scene.playback.pause()
    scene.playback.seek(7)
    settle(sitting, scene)
    sitting.frame(2)
    seats = next(widget for widget in scene.tree.walk() if isinstance(widget, SeatRows))
    played = scene.playback.tick.views[None]["moves"]
    assert [row.does for row in seats.rows_at(7)] == [played[6], played[5]]
    assert scene.state.time() == "move 4 / 4"


def test_a_recording_shows_its_picture_while_it_is_loaded(sit, volley: Path, monkeypatch) -> None:
    sitting = sit()
    red, picture = pygame.Surface((400, 225)), volley.with_suffix(".png")
    red.fill((255, 0, 0))
    save_thumbnail(red, picture)
    scene = ReplayScene(sitting.services, routes.Replay(volley))
    monkeypatch.setattr(scene.loading, "update", lambda: None)
    sitting.engine.push(scene)

    def redness(x: int) -> int:
        canvas = sitting.engine.canvas
        shade = canvas.get_at((x, canvas.get_height() - 80))
        return shade.r - shade.b

    sitting.until(lambda: redness(4) > 25, "the picture")
    assert redness(sitting.engine.canvas.get_width() - 4) > 25
    picture.unlink()
