"""The Python API: what `import arcade` offers, and what the command line calls.

Seats are text as on the command line (``snapshot:latest``, ``level:hard``, ``random``), SeatChoice objects, functions
``(observation, action_mask, rng) -> action``, or Controller objects::

    >>> import arcade
    >>> series = arcade.play("house/volley", {"left_0": "scripted", "right_0": "random"}, seed=7, max_ticks=120)
    >>> series.matches[0].ticks
    120

All errors that a caller can correct are `agents.errors.UserError`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.files import folder
from arcade.arguments import ArgumentError, check_numbers, game_on, read_seats, read_text_seats, seed_or_random

if TYPE_CHECKING:  # heavy libraries are imported by the function that needs them
    from agents.ladder.ratings.standings import GameStandings
    from agents.seats.controller import AgentID
    from agents.snapshots.store import SnapshotStore
    from arcade.arguments import Seats
    from arcade.match.batch.evaluation import Evaluation
    from arcade.match.batch.in_process import SeriesResult
    from arcade.match.batch.plan import Played
    from arcade.match.play.match import Match
    from arcade.match.play.result import MatchResult
    from arcade.match.playback.verify import Verdict
    from arcade.match.stage.local import LocalStage
    from arcade.recordings.library import Recording
    from arcade.session.videos import Video
    from arcade.tournaments.tournament import MakeExecutor, MakeProgress


def make(game: object, *, render_mode: str | None = None) -> Any:
    """Make a game's PettingZoo env: a ParallelEnv or an AECEnv, not yet reset.

    `game` is an id or part of one ("house/volley", "pong"), "module:function", a GameSpec, or a function that makes
    an env.  Raises GameError for an unknown game, a near match named, or with the pip command for a missing package.

    >>> env = make("house/volley")
    >>> observations, infos = env.reset(seed=7)
    >>> observations["left_0"].shape, env.action_space("left_0")
    ((13,), Discrete(6))
    """
    from arcade.games.third_party.own_env import game_of

    return game_of(game).make(render_mode=render_mode)


def play(
    game: object = None,
    seats: Seats | None = None,
    *,
    window: bool = False,
    episodes: int = 1,
    seed: int | None = None,
    speed: float | None = None,
    max_ticks: int | None = None,
    record: bool | Path = False,
    sticky_actions: float = 0.0,
    frame_skip: int = 1,
    clock: str = "",
    openings: str | Path | None = None,
    ladder: bool = False,
    picture: Path | None = None,
    on_match: Callable[[Match], None] = lambda match: None,
) -> SeriesResult:
    """Play matches, headless or in a window, and return their results.

    game: as in `make`, or an env, which is stepped as it is and closed at the end; None: the title, in a window.
    seats: agent id → player; seats that are not named are played by the best snapshot, else at the easy level, else at
        random.  Without seats, a window lets people choose.
    window: opens the window and blocks until it is closed; seats are text then, and `episodes` is 1.
    seed: of the first match, 0 <= seed < 2**32; each later one counts up.  None: drawn at random.
    speed: times the game's own rate; None: as fast as possible, in a window 1.
    max_ticks: ticks after which a match ends; None: when the game is over.
    record: True writes recordings to ARCADE_HOME/replays, a Path to that folder.  The window's settings add to it.
    sticky_actions: probability, 0 <= p < 1, that a seat's last action is repeated.
    frame_skip: ticks, 1 to 16, for which each decision is held.
    clock: of the sides of a board game: minutes, and seconds for each move, as in "3+2"; "": none, or the last one.
    openings: headless, how matches of a board game begin; a file as in `evaluate`.
    ladder: whether headless results count on the ladder; those of a window do.
    picture: headless, the PNG to write the last tick to, as a spectator sees it.
    on_match: called with each headless match as it begins.

    The first headless match that fails ends the series, with the reason in its `error`.  Raises GameError, SeatError,
    SnapshotError, ControllerError, RulesError, ArgumentError, and NoDisplayError where no window can open.

    >>> def left(observation, action_mask, rng):
    ...     return int(rng.integers(6))
    >>> result = play("house/volley", {"left_0": left, "*": "scripted"}, seed=1, max_ticks=60).matches[0]
    >>> result.lineup
    {'left_0': 'left', 'right_0': 'scripted'}
    """
    if game is None and (seats or not window):
        raise ArgumentError("expected a game, got none; list them with: arcade games")
    check_numbers(seed, speed, max_ticks, episodes)
    if window:
        if episodes != 1 or picture or openings or record not in (True, False):
            raise ArgumentError("expected one match, with no picture, no openings and no folder, for a window")
        from arcade.window import play_in_window

        return play_in_window(
            game, seats, seed=seed, speed=speed, max_ticks=max_ticks, record=bool(record), clock=clock,
            sticky_actions=sticky_actions, frame_skip=frame_skip,
        )  # fmt: skip
    from agents.snapshots.store import open_store
    from arcade.games.third_party.own_env import game_of
    from arcade.match.batch.in_process import Series, play_series, time_control
    from arcade.match.play.opening_files import read_openings
    from arcade.match.stage.rules import StageRules
    from arcade.window import save_picture

    spec, store = game_of(game).for_matches(), open_store()
    rules = StageRules(sticky_actions=sticky_actions, frame_skip=frame_skip)
    rules.check(spec)
    lineup, controllers = read_seats(spec, seats or {})
    with _ladder_writer(ladder) as count:
        series = Series(
            episodes=episodes, seed=seed_or_random(seed), max_ticks=max_ticks, speed=speed, rules=rules,
            record=folder("replays") if record is True else record or None,
            time_control=time_control(clock, spec) if clock else None,
            openings=read_openings(Path(openings), spec) if openings else (),
        )  # fmt: skip
        result = play_series(
            spec, lineup, series, store=store, controllers=controllers, drawable=picture is not None,
            on_match=on_match, on_result=count, on_end=lambda stage: save_picture(stage, picture) if picture else None,
        )  # fmt: skip
    _write_cards(result.replays)
    return result if ladder else _unrated(result)


def evaluate(
    game: object,
    seats: Seats | None = None,
    *,
    episodes: int = 100,
    seed: int | None = None,
    max_ticks: int | None = None,
    swap: bool | None = None,
    workers: int | None = None,
    sticky_actions: float = 0.0,
    frame_skip: int = 1,
    openings: str | Path | None = None,
    ladder: bool = False,
    watch: Callable[[Iterable[Played], int], Iterable[Played]] = lambda played, total: played,
) -> dict[str, Any]:
    """Play many headless matches and return their statistics with 95% intervals, as plain data.

    seats: as in `play`, but only text for players that need no person.
    swap: play each seed once a side; None: where the players can change sides.
    workers: processes; None: as many as save time.  The figures don't depend on it.
    openings: a file of start positions or first moves of a board game: PGN, SGF, EPD, FEN, or text, an opening a line.
    ladder: whether the results count on the ladder.
    watch: wraps the iterator of the `total` results, for example in a progress bar.

    The keys are those that ``arcade evaluate --json`` prints: "seats" and "teams" have a row for each seat and team
    with its returns, outcomes and late actions, "matches" every match, "failures" failed matches and the reasons,
    "command" the command that repeats it.  Raises as `play` does, and ArgumentError for a `swap` that is impossible.

    >>> seats = {"left_0": "scripted", "right_0": "random"}
    >>> data = evaluate("house/volley", seats, episodes=4, seed=3, max_ticks=200, workers=1)
    >>> data["played"], data["swap"], [seat["return"]["count"] for seat in data["seats"]]
    (4, True, [4, 4])
    """
    from agents.snapshots.store import open_store
    from arcade.games.third_party.own_env import check_is_importable, game_of
    from arcade.match.batch.evaluation import Evaluation, pin, summarise, with_openings
    from arcade.match.batch.in_process import LocalMatches
    from arcade.match.batch.processes import play_in_order
    from arcade.match.stage.rules import StageRules

    check_numbers(seed, None, max_ticks, episodes)
    spec, store = game_of(game).for_matches(), open_store()
    check_is_importable(spec)
    lineup = read_text_seats(spec, seats or {})
    rules = StageRules(sticky_actions=sticky_actions, frame_skip=frame_skip)
    rules.check(spec)
    evaluation = Evaluation(
        spec=spec, lineup=pin(lineup, spec, store), episodes=episodes, seed=seed_or_random(seed), max_ticks=max_ticks,
        rules=rules,
    )  # fmt: skip
    evaluation = with_openings(evaluation, openings) if openings else evaluation
    with LocalMatches(evaluation.plan(store)) as matches, _ladder_writer(ladder) as count:
        stage = matches.prepare(range(spec.seats))
        why_not_swap = _why_not_swap(swap, stage, evaluation, store)
        evaluation = replace(evaluation, swap=not why_not_swap)
        began, played = time.perf_counter(), []
        for one in watch(play_in_order(matches, evaluation.fixtures(), workers=workers), episodes):
            played.append(one)
            if one.result:
                count(one.result)
    seconds = time.perf_counter() - began
    data = summarise(evaluation, played, store=store) | {"why_not_swapped": why_not_swap}
    return data | {"timing": {"seconds": seconds, "ticks_per_second": data["ticks"] / seconds}}


def tournament(
    game: str = "",
    entrants: Sequence[str] = (),
    *,
    id: str = "",
    resume: str | None = None,
    workers: int | None = None,
    executor: MakeExecutor | None = None,
    progress: MakeProgress | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Play a tournament, put every match on the ladder, and return the result as plain data.

    game: as in `make`, as text.
    entrants: seats as text, with patterns such as "snapshot:volley-*"; none: all snapshots, scripted and random.
    id: of the tournament; "": the game and the time.
    resume: the id of an interrupted tournament, or "newest"; it keeps its plan, so leave out all that describes one.
    workers: processes; None: one a core, or this process alone for a small tournament.
    executor: makes the Executor of the matches; None: processes of this machine.
    progress: makes the TournamentProgress that follows the tournament.
    settings: of the plan: format ("round-robin", "swiss", "informative"), games (seeds of each pairing), rounds,
        bound (Elo), seed, max_ticks, move_seconds, match_seconds, openings (a file, as in `evaluate`).

    The keys are those that ``arcade ladder run --json`` prints: "table" has a row for each entrant, the best first,
    "forfeits" and "failed" the matches that ended early and why.  A kill loses only the matches under way.  Raises
    TournamentError, GameError, SeatError, SnapshotError and ControllerError.

    >>> result = tournament("house/volley", ["scripted", "random"], games=1, seed=3, max_ticks=300, workers=1)
    >>> result["matches"], [row["label"] for row in result["table"]]
    (2, ['scripted', 'random'])
    """
    from arcade.tournaments.pairings import TournamentError
    from arcade.tournaments.tournament import begin
    from arcade.tournaments.tournament import resume as play_rest

    if resume is None:
        if not game:
            raise TournamentError("expected a game such as house/volley, got none; see: arcade games")
        resume = begin(game, entrants, id=id, settings=settings).id
    elif settings or game or entrants or id:
        raise TournamentError(
            "expected resume=ID with workers, executor and progress alone, got more; a tournament keeps its plan"
        )
    return play_rest(resume, executor=executor or _processes(workers), progress=progress)


def replay(recording: str | Path | Recording, *, speed: float = 1.0) -> None:
    """Open the window on a recording and block until it is closed.

    recording: a Recording, the path of its file, its name, its id or a part of it, or "latest".
    speed: times the game's own rate.

    Raises RecordingError for an unknown one, ReplayError for a file that can't be read, and NoDisplayError.
    """
    from arcade.window import show_recording

    show_recording(recording_file(recording), speed=speed)


def verify(recording: str | Path | Recording, *, watch: Callable[..., Any] = lambda ticks, total: ticks) -> Verdict:
    """Simulate a recording again, headless, and compare every tick with what was recorded.

    recording: as in `replay`.  watch: wraps the iterator of the `total` ticks.  The verdict is `ok`, or has the first
    tick that differs in `differs_at` and what differs in `what`.  Raises RecordingError and ReplayError.

    >>> from pathlib import Path
    >>> [path] = play("house/volley", seed=5, max_ticks=60, record=Path("recordings")).replays
    >>> verify(path).ok
    True
    """
    from arcade.match.playback.reader import read_replay
    from arcade.match.playback.verify import verify as verified

    return verified(read_replay(recording_file(recording)), watch=watch)


def video(
    recording: str | Path | Recording,
    out: str | Path,
    *,
    start: float = 0.0,
    end: float | None = None,
    speed: float = 1.0,
    size: tuple[int, int] | None = None,
    hud: bool = False,
    viewer: AgentID | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Video:
    """Make a video of a recording, in a process of its own, and block until it is written.

    recording: as in `replay`.
    out: the file, ``*.mp4`` or ``*.gif``; complete or not there at all.
    start, end: seconds at the game's own rate; None: the recording's end.
    speed: times the game's own rate.
    size: width and height in pixels, both even; None: 1280 x 720, of a GIF 640 x 360.
    hud: show names, scores and the time above the picture.
    viewer: the agent whose cards are shown, in a game of hidden information; None: what a spectator may see.
    progress: called with the written share of the video, 0 to 1.

    Where the game doesn't play again exactly, the video ends early, at the tick `differs_at`.  Raises RecordingError,
    and VideoError for settings that contradict each other or a file that can't be written.

    >>> from pathlib import Path
    >>> [path] = play("house/volley", seed=5, max_ticks=60, record=Path("recordings")).replays
    >>> video(path, "volley.gif", end=0.5, size=(160, 90)).pictures
    30
    """
    from arcade.session.videos import VideoJob, VideoSettings
    from arcade.video_formats import VideoError

    settings = VideoSettings(start=start, end=end, speed=speed, size=size, hud=hud, viewer=viewer)
    job = VideoJob(recording_file(recording), Path(out), settings)
    try:
        while not job.wait(0.1):
            progress(job.progress)
    except BaseException:
        job.cancel()
        raise
    if job.video is None:
        raise VideoError(job.reason)
    return job.video


def ladder(game: str) -> GameStandings:
    """Return a game's standings, from all results on the ladder: ratings, win matrix, history.

    game: as in `make`, or the id of a game with results that isn't installed here.  Raises GameError.

    >>> standings = ladder("house/volley")
    >>> [(standing.name, standing.rating.elo) for standing in standings.table]
    []
    """
    from agents.ladder.ladder import open_ladder
    from agents.ladder.ratings.standings import standings
    from arcade.games import facts_of

    with open_ladder(reading=True) as opened:
        name = game_on(opened, game)
        return standings(opened, name, facts=facts_of(name))


def recording_file(recording: str | Path | Recording) -> Path:
    """Return the file of a recording, named as in `replay`.  Raises RecordingError."""
    from arcade.recordings.library import Recording, RecordingLibrary

    if isinstance(recording, Recording):
        return recording.path
    path = Path(recording)
    return path if path.is_file() else RecordingLibrary(folder("replays")).get(str(recording)).path


def _processes(workers: int | None) -> MakeExecutor:
    from arcade.match.batch.plan import is_small
    from arcade.match.batch.processes import Processes, cores

    return lambda plan, first: Processes(plan, workers or (1 if is_small(plan, first) else cores()))


@contextmanager
def _ladder_writer(counts: bool) -> Iterator[Callable[[MatchResult], Any]]:
    """A function that adds each result that counts to the ladder, or where nothing `counts` does nothing."""
    from agents.ladder.ladder import open_ladder

    with open_ladder() if counts else nullcontext() as opened:
        yield lambda result: opened.add(result.as_json()) if opened and result.kept else None


def _unrated(result: SeriesResult) -> SeriesResult:
    """The same matches, which say that they are not on the ladder."""
    from arcade.match.play.result import NOT_ASKED

    return replace(result, matches=[match.judged(match.unrated or NOT_ASKED) for match in result.matches])


def _write_cards(replays: Iterable[Path]) -> None:
    """Write the cards of new recordings, so that the first listing is quick; it also reports unreadable files."""
    from arcade.recordings.library import RecordingError, RecordingLibrary

    for path in replays:
        with suppress(RecordingError):
            RecordingLibrary(path.parent).read(path)


def _why_not_swap(swap: bool | None, stage: LocalStage, evaluation: Evaluation, store: SnapshotStore) -> str:
    """Why the players keep their sides, "" where they change them; raises ArgumentError where `swap` is impossible."""
    from arcade.match.play.lineup import why_not_swap

    if swap is False:
        return "--no-swap was given"
    several = evaluation.episodes > 1
    reason = why_not_swap(stage, evaluation.lineup, store=store) if several else "one match has one side"
    if reason and swap:
        raise ArgumentError(f"expected players that can change sides with --swap, got: {reason}; leave it out")
    return reason
