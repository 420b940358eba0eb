"""How much a weak clone gains from corrections: three rounds of two minutes of volley with an expert beside it.

The clone learns from `LEARNT` seconds of the scripted player and plays against it.  In each round the newest clone
plays `ROUND` seconds, recorded in the way of the arcade; the scripted player stands by as a person would, and takes the
seat over where the clone has not gone where it should for `PATIENCE` ticks, until the ball is on the other side.  The
clone learns from the matches of its round and from all that the expert has played so far, as
``arcade imitate --player Ann --corrections CLONE`` does.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from agents.policies.functions import FunctionController
from agents.policies.snapshot import SnapshotBatch
from agents.policies.snapshot_controller import SnapshotController
from agents.snapshots.store import BUNDLED, Snapshot, SnapshotStore
from arcade.games import find_game
from arcade.games.house import volley_scripted
from arcade.match.batch.sides import play_sides, win_rate
from arcade.match.play.match import Match
from arcade.match.recording.replay_writer import ReplayWriter
from arcade.match.stage.local import LocalStage
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetQuery
from tests.support.generators import exhaust
from trainer.imitation.cloning import make_clone
from trainer.imitation.order import ImitationSettings, Order, Selection

GAME = "house/volley"
FPS, MATCH = 60, 600  # ticks of a recorded match at most
LEARNT, ROUND, ROUNDS = 60, 120, 3
PATIENCE = 10
GAMES = 200  # with each of WEAK
WEAK = ("volley-1", "volley-2", "volley-3")  # bundled snapshots that a weak clone can win against
EXPERT = "Ann"
IGNORED = (2, 3, 8, 9, 10, 11, 12)  # own speed, all of the other player, the clock
OWN_SPEED, BALL = 2, 4  # places in an observation: of the own horizontal speed, and of the ball


class Expert(FunctionController):
    """The scripted player at a keyboard."""

    kind, person = "keyboard", EXPERT

    def __init__(self) -> None:
        super().__init__(volley_scripted.play, label=EXPERT)


def corrections() -> dict[str, Any]:
    """The mean win rate against `WEAK` after the rounds over that before them."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        store = SnapshotStore(folder / "snapshots")
        matches, query = folder / "replays", DatasetQuery(game=GAME, person=EXPERT)
        record(matches, seconds=LEARNT, seed=1)
        newest = clone(matches, Selection(query=query), store, name="clone")
        rates, shares = [rate(newest)], list[float]()
        for number in range(1, ROUNDS + 1):
            shares.append(record(matches, seconds=ROUND, seed=1000 * number, pupil=newest))
            selection = Selection(query=query, corrected=newest.card.name)
            newest = clone(matches, selection, store, name=f"corrected-{number}")
            rates.append(rate(newest))
    return {
        "corrections": round(rates[-1] - rates[0], 3),
        "corrections_win_rates": [round(one, 3) for one in rates],
        "corrections_expert_shares": [round(one, 3) for one in shares],
    }


def record(folder: Path, *, seconds: int, seed: int, pupil: Snapshot | None = None) -> float:
    """Record matches of the expert, or of the `pupil` that it corrects; the expert's share of the ticks."""
    left, corrected = seconds * FPS, 0
    while left > 0:
        ticks = min(left, MATCH)
        corrected += record_match(folder / f"match-{seed}.replay", ticks, seed, pupil)
        left, seed = left - ticks, seed + 1
    return corrected / (seconds * FPS)


def record_match(path: Path, ticks: int, seed: int, pupil: Snapshot | None) -> int:
    """Ticks in which the expert played."""
    with LocalStage(find_game(GAME)) as stage:
        agent, other = stage.agents
        rival = FunctionController(volley_scripted.play, label="scripted")
        writer = ReplayWriter(path)
        seats = {agent: SnapshotController(pupil) if pupil else Expert(), other: rival}
        match = Match(stage, seats, seed=seed, rate=float(FPS), max_ticks=ticks, recorders=[writer], clock=lambda: 0.0)
        match.start()
        now, late, has_seat, played = 0.0, 0, pupil is None, 0
        rng = np.random.default_rng(seed)
        while not match.over:
            match.advance(now)
            now += 1 / FPS
            if match.tick is None or agent not in match.tick.observations:
                continue
            seen = match.tick.observations[agent]
            played += has_seat
            if pupil is None:
                continue
            late = late + 1 if is_wrong(seen, volley_scripted.play(seen, None, rng)) else 0
            if not has_seat and late >= PATIENCE:
                match.replace(agent, Expert(), why="takeover")
                has_seat = True
            elif has_seat and seen[BALL] > 0:
                match.replace(agent, SnapshotController(pupil), why="give back")
                has_seat, late = False, 0
        writer.close()
    return played


def is_wrong(seen: Any, wanted: int) -> bool:
    """Whether the player moves another way than the expert would, while the ball is on its side."""
    way = (0, -1, 1)[wanted % 3]
    return bool(seen[BALL] < 0 and way and np.sign(np.round(seen[OWN_SPEED], 2)) != way)


def clone(folder: Path, selection: Selection, store: SnapshotStore, *, name: str) -> Snapshot:
    settings = ImitationSettings(epochs=30, ignore=IGNORED)
    order = Order(spec=find_game(GAME), selection=selection, settings=settings, layers={}, name=name)
    return make_clone(order, RecordingLibrary(folder).list()[0], store).snapshot


def rate(player: Snapshot) -> float:
    """Against each of the weak snapshots, half of the games on either side; the scripted player wins all of them."""
    spec, store = find_game(GAME), SnapshotStore(Path("none"), bundled=(BUNDLED,))
    return fmean(
        win_rate(exhaust(play_sides(spec, SnapshotBatch(player), SnapshotBatch(store.get(name)), games=GAMES, seed=7)))
        for name in WEAK
    )
