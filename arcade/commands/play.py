"""What ``arcade play`` and ``arcade replay`` do, behind their options."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import UserError
from agents.home import folder, home
from agents.seats.choice import SeatChoice, SeatError
from agents.seats.controller import AgentID
from agents.seats.words import parse_lineup

if TYPE_CHECKING:  # what these import takes longer than the title screen may
    from agents.ladder.ladder import Ladder
    from agents.snapshots.store import SnapshotStore
    from arcade.games import GameSpec
    from arcade.match.play.result import MatchResult
    from arcade.match.stage.local import LocalStage
    from arcade.match.stage.rules import StageRules


class PlayError(UserError):
    """Options that do not go together."""


@dataclass(frozen=True, kw_only=True)
class PlayRequest:
    """The options of ``arcade play``; see its help."""

    game: str | None = None  # None: the title screen
    seats: tuple[str, ...] = ()
    episodes: int = 1
    max_ticks: int | None = None
    seed: int | None = None
    speed: float | None = None
    record: bool = False
    sticky_actions: float = 0.0
    frame_skip: int = 1
    train: bool = False
    as_json: bool = False

    def __post_init__(self) -> None:
        if self.seats and self.game is None:
            raise PlayError("expected a game with --seat, got none; try: arcade play house/volley --seat …")
        if self.speed is not None and not self.speed > 0:
            raise PlayError(f"expected --speed > 0, got: {self.speed}")
        if self.seed is not None and self.seed >= 2**32:
            raise PlayError(f"expected --seed < 2**32, got: {self.seed}")

    def rules(self, spec: GameSpec | None) -> StageRules:
        """What its matches are played by; raises RulesError where they mean nothing in that game."""
        from arcade.match.stage.rules import StageRules

        rules = StageRules(sticky_actions=self.sticky_actions, frame_skip=self.frame_skip)
        if spec is not None:
            rules.check(spec)
        return rules


def has_display() -> bool:
    """True where a window can be hoped for: not Linux, a display is named, or SDL was told what to use."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in named)


def ai_lineup(spec: GameSpec, words: tuple[str, ...], store: SnapshotStore) -> dict[AgentID, SeatChoice]:
    """The seats as named, AI in all others; raises SeatError for a word that is wrong."""
    from arcade.match.play.lineup import ai_choice, choice_limits

    lineup = parse_lineup(words, spec.agents, default=SeatChoice("idle"))
    for choice in lineup.values():
        choice_limits(choice, spec)  # wrong ones are told of before anything opens
    named = {word.partition("=")[0] for word in words}
    if "*" in named:
        return lineup
    return {agent: choice if str(agent) in named else ai_choice(spec, agent, store) for agent, choice in lineup.items()}


def play_headless(request: PlayRequest, *, picture: Path | None = None) -> int:
    """Play a series without a window; prints it, books it in the ladder.  Returns the exit status."""
    from agents.ladder.ladder import Ladder
    from arcade.commands import terminal
    from arcade.games import open_game
    from arcade.match.batch.series import Series, play_series
    from arcade.match.play.lineup import open_store

    if request.game is None:
        raise PlayError("expected a game to play headless, got none; `arcade games` lists them")
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    spec, store = open_game(request.game), open_store(folder("snapshots"))
    lineup = ai_lineup(spec, request.seats, store)
    series = Series(
        episodes=request.episodes,
        seed=_seed(request),
        max_ticks=request.max_ticks,
        speed=request.speed,
        record=folder("replays") if request.record else None,
        rules=request.rules(spec),
    )
    with ExitStack() as stack:
        if request.train:
            stack.enter_context(_trainer(spec))
        ladder = stack.enter_context(Ladder(home() / "ladder.sqlite"))
        watch = stack.enter_context(terminal.SeriesProgress(series.episodes, quiet=request.as_json))
        result = play_series(
            spec,
            lineup,
            series,
            store=store,
            drawable=picture is not None,
            on_match=watch.follow,
            on_result=lambda match: _rate(ladder, match),
            on_end=lambda stage: _save_seen(stage, picture) if picture else None,
        )
    _write_cards(result.replays)
    for warning in result.warnings:
        print(f"arcade: {warning}", file=sys.stderr)
    print(json.dumps(result.as_json())) if request.as_json else terminal.print_series(result)
    return 1 if any(match.error for match in result.matches) else 0


def _rate(ladder: Ladder, match: MatchResult) -> None:
    if match.rated:
        ladder.add(match.as_json())


def _write_cards(replays: Sequence[Path]) -> None:
    """The cards of what was recorded, so that the first listing is quick; there a file that is wrong is told of."""
    from arcade.recordings.library import RecordingError, RecordingLibrary

    store = RecordingLibrary(folder("replays"))
    for path in replays:
        with suppress(RecordingError):
            store.read(path)


def play_in_window(request: PlayRequest) -> int:
    """Open the window; with no display, say so and play offscreen with AI in every seat."""
    if not has_display():
        return _play_offscreen(request)
    if request.episodes != 1 or request.as_json:
        raise PlayError("expected --headless with --episodes and --json, got a window; add it")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from arcade.engine.window.video import DisplayError

    try:
        return _open_window(request)
    except DisplayError:  # one is named, and nothing answers there
        return _play_offscreen(request)


def _open_window(request: PlayRequest) -> int:
    from arcade.scenes.app import run_window
    from arcade.session.options import WindowOptions

    spec = _find(request.game) if request.game else None
    lineup = _window_lineup(spec, request.seats)
    with ExitStack() as stack:
        if request.train:
            stack.enter_context(_trainer(spec or _find("house/volley")))
        opening = WindowOptions(
            seed=request.seed,
            speed=request.speed or 1.0,
            max_ticks=request.max_ticks,
            record=request.record,
            rules=request.rules(spec),
        )
        return run_window(spec.id if spec else None, lineup, opening=opening)


def recording(word: str) -> Path:
    """The file of that path, else that of the take which `word` means; raises RecordingError."""
    from arcade.recordings.library import RecordingLibrary

    path = Path(word)
    return path if path.is_file() else RecordingLibrary(folder("replays")).get(word).path


def show_replay(file: Path, *, speed: float) -> int:
    """Show a recorded match in the window; with no display, verify it instead and say so."""
    from arcade.engine.window.video import DisplayError
    from arcade.match.playback.reader import read_replay
    from arcade.scenes.app import run_window
    from arcade.scenes.routes import Replay

    game = read_replay(file).spec().id  # what is wrong with it is told here, and no window opens
    try:
        if has_display():
            span = _ticks_that_count(file)
            return run_window(game, over=Replay(file, speed, span))
    except DisplayError:  # one is named, and nothing answers there
        pass
    print("arcade: no display found, so the replay is verified instead of shown", file=sys.stderr)
    return verify_replay(file, as_json=False)


def _ticks_that_count(file: Path) -> tuple[int, int | None]:
    """As its card has them; all where it has none that can be read."""
    from arcade.recordings.card import read_card

    try:
        return read_card(file.with_suffix(".json").read_bytes()).span
    except (OSError, ValueError):
        return 0, None


def verify_replay(file: Path, *, as_json: bool) -> int:
    """Re-simulate and compare; exit status 0 where every tick agrees."""
    from arcade.match.playback.reader import read_replay
    from arcade.match.playback.verify import made_otherwise, verify

    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    replay = read_replay(file)
    verdict = verify(replay)
    others = "" if verdict.differs_at is None else made_otherwise(replay)
    if as_json:
        data = {"file": str(file), "ok": verdict.ok, "ticks": verdict.ticks, "differs_at": verdict.differs_at}
        print(json.dumps({**data, "what": verdict.what, "problem": verdict.problem, "made_with": others}))
    elif verdict.ok:
        print(f"{file.name}: all {verdict.ticks} ticks came out the same")
    elif verdict.differs_at is not None:
        print(f"{file.name}: differs from tick {verdict.differs_at} on{_behind(verdict.what or verdict.problem)}")
        print(f"recorded with {others}" if others else "the game's packages are those that it was recorded with")
    else:
        print(f"{file.name}: the {verdict.ticks} ticks that can be read came out the same; then {verdict.problem}")
    return 0 if verdict.ok else 1


def _behind(problem: str) -> str:
    return f": {problem}" if problem else ""


def _seed(request: PlayRequest) -> int:
    return secrets.randbelow(2**31) if request.seed is None else request.seed


def _window_lineup(spec: GameSpec | None, words: tuple[str, ...]) -> dict[AgentID, SeatChoice] | None:
    """The lineup to start at once with, None to let people choose."""
    if spec is None or not words:
        return None
    from arcade.match.play.lineup import open_store

    return ai_lineup(spec, words, open_store(folder("snapshots")))


def _find(game: str) -> GameSpec:
    from arcade.games import open_game

    return open_game(game)


def _play_offscreen(request: PlayRequest) -> int:
    picture = home() / "screenshots" / "offscreen.png"
    print("arcade: no display found, so AI plays every seat; progress follows here", file=sys.stderr)
    people = [word for word in request.seats if word.partition("=")[2].startswith(("keyboard", "gamepad"))]
    if people:
        raise SeatError(f"expected a display for {', '.join(people)}, got none; leave them out, or use --headless")
    status = play_headless(replace(request, game=request.game or "house/volley"), picture=picture)
    left = f"the last picture is in {picture}" if picture.exists() else "this game leaves no picture"
    print(f"arcade: {left}", file=sys.stderr)
    return status


def _save_seen(stage: LocalStage, path: Path) -> None:
    """Write what anybody may see at this moment; no file is left where that is nothing."""
    from arcade.commands.terminal import save_picture
    from arcade.scenes.match.offscreen import picture_of

    path.unlink(missing_ok=True)  # that of another game
    save_picture(picture_of(stage.spec, stage.look()), path)


def _trainer(spec: GameSpec) -> ExitStack:
    from arcade.session.trainer_process import TrainerProcess

    stack = ExitStack()
    stack.enter_context(TrainerProcess(spec.id))
    return stack
