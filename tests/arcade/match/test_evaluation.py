"""Players over many matches: who sat where, what is said of them, and that it does not matter who played them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.seats.controller import SeatChoice, SeatError
from agents.seats.kinds import parse_lineup, parse_seat
from agents.seats.limits import RULES
from agents.snapshots.store import SnapshotStore, open_store
from arcade.games import find_game
from arcade.games.spec import GameSpec
from arcade.match.batch import processes as processes_module
from arcade.match.batch.evaluation import Evaluation, pin, summarise
from arcade.match.batch.in_process import LocalMatches
from arcade.match.batch.plan import MatchPlan, Played
from arcade.match.play.lineup import make_mapping, why_not_swap
from arcade.match.stage.local import LocalStage
from tests.support.counting_games import LENGTH, counting_spec
from tests.support.small_snapshots import save_volley_snapshot

PLAYERS = "python:tests.support.small_players"


@pytest.fixture
def store(tmp_path: Path) -> SnapshotStore:
    return SnapshotStore(tmp_path / "snapshots")


def evaluation_of(*words: str, spec: GameSpec | None = None, episodes: int = 6, swap: bool = True) -> Evaluation:
    spec = spec or counting_spec()
    lineup = parse_lineup(words, spec.agents, default=SeatChoice("random"))
    return Evaluation(spec=spec, lineup=lineup, episodes=episodes, seed=5, swap=swap)


def play(evaluation: Evaluation, store: SnapshotStore, *, workers: int | None = 1) -> list[Played]:
    with LocalMatches(evaluation.plan(store)) as matches:
        return list(processes_module.play_in_order(matches, evaluation.fixtures(), workers=workers))


def summary(evaluation: Evaluation, store: SnapshotStore, *, workers: int | None = 1) -> dict[str, Any]:
    return summarise(evaluation, play(evaluation, store, workers=workers), store=store)


def test_each_seed_is_played_once_a_side_and_figures_follow_the_player(store: SnapshotStore) -> None:
    data = summary(evaluation_of(f"ann={PLAYERS}:one", f"bob={PLAYERS}:three"), store)
    where = [(match["seed"], match["swapped"], match["returns"]) for match in data["matches"]]
    as_given, changed = {"ann": 1.0 * LENGTH, "bob": 3.0 * LENGTH}, {"ann": 3.0 * LENGTH, "bob": 1.0 * LENGTH}
    assert where == [(seed, swapped, changed if swapped else as_given) for seed in (5, 6, 7) for swapped in (0, 1)]
    ann, bob = data["seats"]
    assert (ann["return"]["mean"], bob["return"]["mean"]) == (LENGTH, 3 * LENGTH)
    assert [side["seats"] for side in bob["sides"]] == [["bob"], ["ann"]]
    assert [side["return"]["mean"] for side in bob["sides"]] == [3 * LENGTH] * 2
    assert {name: rate["count"] for name, rate in bob["outcomes"].items()} == {"win": 6, "draw": 0, "loss": 0}
    assert {name: rate["count"] for name, rate in ann["outcomes"].items()} == {"win": 0, "draw": 0, "loss": 6}
    assert bob["outcomes"]["win"]["low"] == pytest.approx(0.6097, abs=1e-4)
    assert (data["length"]["mean"], data["ticks"], data["ended"]) == (LENGTH, 6 * LENGTH, {"finished": 6})


def test_without_a_swap_everybody_keeps_the_seat_and_each_match_has_its_seed(store: SnapshotStore) -> None:
    data = summary(evaluation_of(f"*={PLAYERS}:one", episodes=3, swap=False), store)
    assert [(match["seed"], match["swapped"]) for match in data["matches"]] == [(5, False), (6, False), (7, False)]
    assert data["seats"][0]["outcomes"]["draw"]["count"] == 3
    assert [side["seats"] for side in data["seats"][0]["sides"]] == [["ann"]]


@pytest.mark.parametrize("workers", [2, None])
def test_the_number_of_processes_changes_nothing(store: SnapshotStore, workers: int | None) -> None:
    save_volley_snapshot(store, "even")
    volley = replace(find_game("house/volley"), kwargs={"max_ticks": 600})
    evaluation = evaluation_of("left_0=snapshot:even", spec=volley, episodes=7)
    alone = summary(evaluation, store)
    assert len({str(match["returns"]) for match in alone["matches"]}) > 1
    assert summary(evaluation, store, workers=workers) == alone


def test_much_that_is_left_is_handed_to_other_processes(store: SnapshotStore, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = evaluation_of(f"ann={PLAYERS}:three", episodes=5)
    alone = summary(evaluation, store)
    started: list[MatchPlan] = []
    child = processes_module.Child
    monkeypatch.setattr(processes_module, "Child", lambda plan: (started.append(plan), child(plan))[1])
    monkeypatch.setattr(processes_module, "cores", lambda: 2)
    assert summary(evaluation, store, workers=None) == alone
    assert started == []  # over in a moment: not worth their start
    monkeypatch.setattr(processes_module, "TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(processes_module, "WORTH_SECONDS", 0.0)
    assert summary(evaluation, store, workers=None) == alone
    assert len(started) == 2


def test_a_player_that_fails_loses_only_that_match(store: SnapshotStore) -> None:
    evaluation = evaluation_of(f"ann={PLAYERS}:stumbles", episodes=12)
    data = summary(evaluation, store)
    failed = [failure["episode"] for failure in data["failures"]]
    assert 0 < len(failed) < 12
    assert all("RuntimeError: stumbled" in failure["error"] for failure in data["failures"])
    kept = [match["episode"] for match in data["matches"]]
    assert sorted(failed + kept) == list(range(12))
    mine = data["seats"][0]["return"]
    assert (mine["count"], mine["mean"], mine["min"], mine["max"]) == (len(kept), 80, 80, 80)
    assert summary(evaluation, store, workers=2) == data


def test_a_process_that_dies_loses_only_its_match(store: SnapshotStore) -> None:
    stumbled = play(evaluation_of(f"ann={PLAYERS}:stumbles", episodes=12), store)
    died = play(evaluation_of(f"ann={PLAYERS}:kills", episodes=12), store, workers=2)
    assert [one.result is None for one in died] == [one.result is None for one in stumbled]
    assert all("SIGKILL" in one.error for one in died if one.result is None)
    assert [one.result and one.result.returns for one in died] == [
        one.result and one.result.returns for one in stumbled
    ]


@pytest.mark.parametrize(
    ("game", "words", "reason"),
    [
        ("house/volley", ("left_0=random", "right_0=scripted"), ""),
        ("house/volley_2v2", ("left_0=random", "*=scripted"), ""),
        ("house/volley", ("*=random",), "same players"),
        ("house/volley", ("left_0=snapshot:lefty", "right_0=random"), "cannot play right_0"),
        ("house/volley", ("left_0=replay:file", "right_0=random"), "its own seat"),
        ("mpe/simple_tag_v3", ("agent_0=random", "*=idle"), "3 against 1"),
        ("mpe/simple_push_v3", ("agent_0=random", "*=idle"), "different things"),
        ("mpe/simple_spread_v3", ("agent_0=random", "*=idle"), "no two teams"),
    ],
)
def test_who_can_change_sides(store: SnapshotStore, game: str, words: tuple[str, ...], reason: str) -> None:
    save_volley_snapshot(store, "lefty", agents=("left_0",))
    spec = find_game(game)
    with LocalStage(spec) as stage:
        found = why_not_swap(stage, parse_lineup(words, spec.agents, default=SeatChoice("random")), store=store)
    assert reason in found
    assert bool(found) == bool(reason)


def test_the_newest_snapshot_is_named_once_for_all_matches(store: SnapshotStore) -> None:
    save_volley_snapshot(store, "older")
    save_volley_snapshot(store, "newer")
    spec = find_game("house/volley")
    lineup = pin({"left_0": SeatChoice("snapshot", "latest"), "right_0": SeatChoice("random")}, spec, store)
    assert lineup == {"left_0": SeatChoice("snapshot", "newer"), "right_0": SeatChoice("random")}
    levels = pin({"left_0": parse_seat("level:hard"), "right_0": parse_seat("snapshot:best?noise=0.2")}, spec, store)
    words = {agent: str(choice) for agent, choice in levels.items()}
    hard = RULES["hard"].real_time
    assert parse_seat(words["left_0"]) == SeatChoice("snapshot", "newer", hard.as_options())
    assert words["right_0"] == "snapshot:newer?noise=0.2"
    with LocalStage(spec) as stage:
        seated = make_mapping(stage, levels, store=store)
        assert [seated[agent].label for agent in levels] == ["newer (hard)", "newer (noise 0.2)"]
    with pytest.raises(SeatError, match=r"expected AI players.*right_0=gamepad:1"):
        pin({"left_0": SeatChoice("random"), "right_0": SeatChoice("gamepad", "1")}, spec, store)


def test_it_is_told_which_graphs_played_and_which_a_pool_could_draw(store: SnapshotStore) -> None:
    save_volley_snapshot(store, "older")
    save_volley_snapshot(store, "newer")
    volley = replace(find_game("house/volley"), kwargs={"max_ticks": 60})
    named = summary(evaluation_of("left_0=snapshot:older", spec=volley, episodes=2), store)
    assert named["snapshots"] == {"older": store.get("older").card.sha256}
    drawn = summary(evaluation_of("left_0=pool", spec=volley, episodes=6, swap=False), open_store(store.root))
    assert {"older", "newer", "volley-7"} <= drawn["snapshots"].keys()
    assert set(drawn["seats"][0]["labels"]) <= drawn["snapshots"].keys()
    assert len(drawn["seats"][0]["labels"]) > 1


def test_a_game_that_nobody_can_win_has_no_outcomes(store: SnapshotStore) -> None:
    spread = replace(find_game("mpe/simple_spread_v3"), kwargs={"max_cycles": 5})
    data = summary(evaluation_of(spec=spread, episodes=3, swap=False), store)
    [team] = data["teams"]
    assert team["outcomes"] is None
    means = [seat["return"]["mean"] for seat in data["seats"]]
    assert team["return"]["mean"] == pytest.approx(sum(means) / 3)
    assert team["return"]["low"] < team["return"]["mean"] < team["return"]["high"]
