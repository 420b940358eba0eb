"""How much faster a tournament plays than a plain loop: the matches of a round robin of twelve volley snapshots."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.snapshots.runtime import onnxruntime
from agents.snapshots.store import BUNDLED, Snapshot, open_store
from arcade.games import find_game
from arcade.games.house.volley import parallel_env

ENTRANTS, GAMES, PAIRS, PLAIN_MATCHES = 12, 4, 3, 6


class PlainLoop:
    """One match after another by PettingZoo's own loop, with a session of the same kind for each snapshot."""

    def __init__(self, snapshots: Sequence[Snapshot]) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._sessions = [
            onnxruntime.InferenceSession(one.onnx, sess_options=options, providers=["CPUExecutionProvider"])
            for one in snapshots
        ]
        self._env = parallel_env()

    def play(self, entrants: Sequence[int], seed: int) -> int:
        """One match; returns its ticks."""
        env, dice, ticks = self._env, np.random.default_rng(seed), 0
        observations, _ = env.reset(seed=seed)
        sessions = dict(zip(env.possible_agents, (self._sessions[number] for number in entrants), strict=True))
        while env.agents:
            actions = {}
            for agent in env.agents:
                shares = sessions[agent].run(["action_probabilities"], {"observation": observations[agent][None]})[0][0]
                actions[agent] = int(np.searchsorted(np.cumsum(shares), dice.random() * shares.sum(), side="right"))
            observations, *_ = env.step(actions)
            ticks += 1
        return ticks


def speedup() -> dict[str, Any]:
    """Matches a second of the whole round robin on two cores, over those of the plain loop on one.

    The plain loop plays a few of the same matches, spread over all pairings, before and after each tournament; its
    rate is by ticks, so that a short match among the few does not count as a fast one.
    """
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCADE_HOME"] = home
        return _compare(Path(home))


def _compare(home: Path) -> dict[str, Any]:
    from agents.ladder.ladder import Ladder
    from arcade.match.batch.processes import Processes
    from arcade.tournaments.entrants import find_entrants
    from arcade.tournaments.plan import TournamentPlan
    from arcade.tournaments.tournament import Tournament, TournamentProgress, match_plan

    spec, store = find_game("house/volley"), open_store(home / "snapshots")
    _copy_snapshots(store)
    entrants = find_entrants(["snapshot:volley-*"], spec, store)
    assert len(entrants) == ENTRANTS
    plans = [
        TournamentPlan(id=f"pair-{pair}", game=spec.id, entrants=entrants, games=GAMES if pair else 1, seed=pair)
        for pair in range(PAIRS + 1)  # the first one starts the processes and does not count
    ]
    matches = match_plan(plans[0], spec, store)
    plain = PlainLoop([matches.sent[player.argument] for player in matches.players])
    ratios, rates = [], []
    with Processes(matches, 2) as processes:
        for plan in plans:
            with Ladder(home / f"ladder-{plan.id}.sqlite") as ladder:
                tournament = Tournament(plan, spec, ladder)
                (home / "tournaments" / plan.id).mkdir(parents=True)
                before = _plain_rate(plain, tournament, 0)
                began = time.perf_counter()
                tournament.play(processes, TournamentProgress())
                seconds = time.perf_counter() - began
                after = _plain_rate(plain, tournament, 1)
                ticks = sum(row["ticks"] for row in tournament.rows.values())
            count = len(tournament.rows)
            plain_seconds = ticks * (1 / before + 1 / after) / 2
            print(f"{count} matches, {ticks} ticks: {seconds:.1f} s; plain {plain_seconds:.1f} s", file=sys.stderr)
            if plan is not plans[0]:
                ratios.append(plain_seconds / seconds)
                rates.append(count / seconds)
    speedup = statistics.median(ratios)
    rate = statistics.median(rates)
    return {"speedup": round(speedup, 1), "matches_per_s": round(rate, 1), "plain_per_s": round(rate / speedup, 2)}


def _copy_snapshots(store: Any) -> None:
    """Twelve in all: the bundled ones, and the best of them under other names."""
    bundled = sorted(path.name for path in BUNDLED.iterdir() if path.name.startswith("volley-"))
    for number in range(ENTRANTS - len(bundled)):
        one = store.get(bundled[-1 - number % len(bundled)])
        store.save(one.card.model_copy(update={"name": f"volley-copy-{number}"}), one.onnx)


def _plain_rate(plain: PlainLoop, tournament: Any, part: int) -> float:
    """Ticks a second."""
    fixtures = tournament.first_round()
    few = fixtures[part :: len(fixtures) // PLAIN_MATCHES][:PLAIN_MATCHES]
    began = time.perf_counter()
    ticks = sum(plain.play(fixture.players, fixture.seed) for fixture in few)
    return ticks / (time.perf_counter() - began)
