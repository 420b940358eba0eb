"""The seats page finds an opponent of about a person's strength, names it and says why, and it plays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.files import home
from agents.ladder.ladder import Ladder
from agents.ladder.ratings.standings import standings
from agents.seats.controller import SeatChoice, SeatError
from agents.seats.kinds import parse_seat
from agents.seats.limits import snapshot_of
from agents.snapshots.store import open_store
from arcade.games import find_game
from arcade.match.batch.evaluation import pin
from arcade.match.play.lineup import choice_limits, make_controller
from arcade.match.stage.local import LocalStage
from arcade.scenes import routes
from arcade.scenes.setup.seats import SeatsScene
from arcade.session.people import Person
from arcade.session.seating import EVENLY, Seating

VOLLEY = find_game("house/volley")
ONE, OTHER = VOLLEY.teams


def book(winner: str, loser: str, times: int) -> None:
    with Ladder(home() / "ladder.sqlite") as ladder:
        for _ in range(times):
            ladder.add(
                {
                    "game": VOLLEY.id, "teams": [list(team) for team in VOLLEY.teams],
                    "lineup": dict.fromkeys(ONE, winner) | dict.fromkeys(OTHER, loser),
                    "placements": dict.fromkeys(ONE, 1) | dict.fromkeys(OTHER, 2),
                }
            )  # fmt: skip


def level_label(sitting, level: str) -> str:
    return f"{snapshot_of(level, VOLLEY.id, OTHER[0], sitting.library.store()).card.name} ({level})"


def open_seats(sitting, spec=VOLLEY) -> SeatsScene:
    lineup = dict.fromkeys(VOLLEY.agents, EVENLY) | {ONE[0]: SeatChoice("keyboard")}
    sitting.services.setup.lineups[VOLLEY.id] = lineup
    sitting.engine.push(seats := SeatsScene(sitting.services, routes.Seats(spec)))
    sitting.until(lambda: seats._even.of(OTHER[0]), "somebody to be found")
    return seats


def test_a_newcomer_meets_the_easy_level_and_later_whom_the_ladder_says(sit, mouse) -> None:
    sitting = sit()
    easy, hard = level_label(sitting, "easy"), level_label(sitting, "hard")
    name = sitting.services.people.owner.name
    seats = open_seats(sitting)
    row = sitting.widget("Right")
    assert row.value == "About your strength: Volley AI, easy"
    assert f"No rated match of {name} yet" in row.hint
    for _ in range(8):
        book(name, hard, 1)
        book(hard, name, 1)
        book(name, easy, 1)
    sitting.engine.pop()
    seats = open_seats(sitting)
    row = sitting.widget("Right")
    assert row.value == "About your strength: Volley AI, hard"
    assert f"{name} should win" in row.hint
    mouse(sitting).choose("Start")
    sitting.until(lambda: sitting.on == "MatchScene" and sitting.engine.scene.match, "a match")
    labels = {agent: controller.label for agent, controller in sitting.engine.scene.match.mapping.items()}
    assert labels[ONE[0]] == name
    assert labels[OTHER[0]] == hard
    assert seats.seating.lineup[OTHER[0]] == EVENLY, "asked for anew in the next match"


def test_a_persons_match_counts_under_the_persons_name(sit, mouse) -> None:
    sitting = sit()
    sitting.services.people.put(Person("Ada"))
    sitting.services.people.give(SeatChoice("keyboard"), "Ada")
    easy = level_label(sitting, "easy")
    open_seats(sitting, replace(VOLLEY, people_kwargs={**VOLLEY.people_kwargs, "max_ticks": 20}))
    mouse(sitting).choose("Start")
    sitting.until(lambda: sitting.on == "ResultsScene", "the match to be over")
    sitting.services.worker.settle()
    with Ladder(home() / "ladder.sqlite") as ladder:
        (row,) = ladder.results(VOLLEY.id)
        found = standings(ladder, VOLLEY.id, facts=VOLLEY.facts())
    assert row["lineup"] == dict.fromkeys(ONE, "Ada") | dict.fromkeys(OTHER, easy)
    assert row["settings"]["seats"][OTHER[0]]["limits"]["reaction_ms"] == 300
    assert {one.label: one.kind for one in found.table} == {"Ada": "person", easy: "snapshot"}
    while sitting.on != "TitleScene":
        sitting.engine.pop()
    open_seats(sitting)
    assert "No rated match" not in sitting.widget("Right").hint


def test_it_is_offered_where_people_have_opponents_or_partners_and_somebody_can_be_found() -> None:
    assert EVENLY in Seating(VOLLEY, devices=[], snapshots=["net"]).options(ONE[0])
    assert EVENLY not in Seating(VOLLEY, devices=[]).options(ONE[0])
    pistons, alone = find_game("butterfly/pistonball_v6"), find_game("mpe/simple_v3")
    assert EVENLY in Seating(pistons, devices=[]).options(pistons.agents[0])
    assert EVENLY not in Seating(alone, devices=[], snapshots=["net"]).options(alone.agents[0])


def test_a_partner_is_found_by_the_scores_together(sit, mouse) -> None:
    sitting, spec = sit(), find_game("classic/hanabi_v5")
    name = sitting.services.people.owner.name

    def found() -> str:
        lineup = dict(zip(spec.agents, (SeatChoice("keyboard"), EVENLY), strict=True))
        sitting.services.setup.lineups[spec.id] = lineup
        sitting.engine.push(seats := SeatsScene(sitting.services, routes.Seats(spec)))
        sitting.until(lambda: seats._even.of(spec.agents[1]), "somebody to be found")
        row = sitting.widget("Player 2")
        sitting.engine.pop()
        return f"{row.value}. {row.hint}"

    assert found().startswith("About your strength: Hanabi AI, easy. ")
    with Ladder(home() / "ladder.sqlite") as ladder:
        lineup = dict(zip(spec.agents, (name, "AI, easy"), strict=True))
        for points in (14, 16, 18):
            returns, places = dict.fromkeys(spec.agents, points), dict.fromkeys(spec.agents, 1)
            ladder.add(
                {
                    "game": spec.id, "teams": [list(spec.agents)], "lineup": lineup, "ended": "finished",
                    "placements": places, "returns": returns,
                }
            )  # fmt: skip
    assert found().startswith("About your strength: Hanabi AI, hard. ")
    assert f"{name} scored 16 in the newest matches" in found()


def test_without_people_the_word_says_what_it_needs() -> None:
    choice = parse_seat("level:even")
    assert not choice_limits(choice, VOLLEY).any
    stage = LocalStage(VOLLEY)
    with pytest.raises(SeatError, match="expected people in a window"):
        make_controller(choice, stage.seat(ONE[0]), spec=VOLLEY, store=open_store())
    stage.close()
    with pytest.raises(SeatError, match="expected AI players"):
        pin({ONE[0]: choice}, VOLLEY, open_store())
