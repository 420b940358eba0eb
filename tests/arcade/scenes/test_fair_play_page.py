"""Levels, limits and rules by hand: what the pages say is what is played."""

from __future__ import annotations

import pytest

from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from agents.seats.limits import LimitedController
from arcade.games import find_game
from arcade.match.stage.rules import StageRules
from arcade.scenes import routes
from arcade.scenes.setup.fair_play import FairPlayScene
from arcade.session.fair_play import limit_of, limited
from arcade.session.seating import EASY, Seating

VOLLEY = find_game("house/volley")


def test_one_press_on_the_title_meets_a_machine_for_newcomers(sit, keyboard) -> None:
    sitting = sit()
    keyboard(sitting).press("accept")
    sitting.until(lambda: sitting.on == "MatchScene" and sitting.engine.scene.match is not None, "a match")
    scene = sitting.engine.scene
    assert scene.session.lineup["right_0"] == EASY
    machine = scene.match.mapping["right_0"]
    assert isinstance(machine, LimitedController)
    assert machine.label == "volley-4 (easy)"


def change(hand, row: str, value: str) -> None:
    """Click or press a row of the page until it shows `value`."""
    sitting = hand.sitting
    for _ in range(12):
        widget = sitting.widget(row)
        if widget.value == value:
            return
        if type(hand).__name__ == "MouseHand":
            side = widget.value_side(sitting.engine.theme)
            hand.click((side.right - 10, side.centery))
        else:
            hand.reach(widget)
            hand.press("right")
    raise AssertionError(f"expected {row} to reach {value}, got: {sitting.widget(row).value}")


def test_limits_and_rules_set_by_hand_are_played_and_told(sit, make_hand) -> None:
    sitting = sit(max_ticks=24)
    hand = make_hand(sitting)
    hand.choose("All games")
    hand.pick_row(0)
    hand.choose("Seats")
    hand.choose("Limits and rules")
    assert sitting.on == "FairPlayScene"
    change(hand, "Reaction", "400 ms")
    change(hand, "Frame skip", "every 4 ticks")
    change(hand, "Sticky actions", "25%")
    hand.choose("Done")
    assert sitting.on == "SeatsScene"
    assert "Volley AI, easy (reacts after 400 ms)" in sitting.widget("Right").value
    hand.choose("Start")
    sitting.until(lambda: sitting.on == "MatchScene" and sitting.engine.scene.match is not None, "a match")
    match_scene = sitting.engine.scene
    match = match_scene.match
    machine = match.mapping["right_0"]
    assert (machine.limits.reaction_ms, machine.limits.actions_per_second) == (400, 5)
    sitting.until(lambda: "sticky actions 0.25, frame skip 4" in match_scene.hud.foot.words, "the rules on the HUD")
    sitting.until(lambda: sitting.on == "ResultsScene", "the results")
    result = sitting.engine.scene.outcome.result
    assert result.settings["rules"] == {"sticky_actions": 0.25, "frame_skip": 4}
    assert result.seats["right_0"]["limits"]["reaction_ms"] == 400
    assert not result.rated


def page(sit, spec, **lineup: str):
    """The page on top of a sitting, and the sitting."""
    sitting = sit()
    seating = Seating(spec, devices=[SeatChoice("keyboard")], lineup={a: parse_seat(w) for a, w in lineup.items()})
    scene = FairPlayScene(sitting.services, routes.FairPlay(seating))
    sitting.engine.push(scene)
    sitting.frame()
    return sitting, scene


def test_a_game_of_turns_offers_slips_alone_and_people_are_not_limited(sit, keyboard) -> None:
    sitting, scene = page(sit, find_game("classic/tictactoe_v3"), player_1="keyboard", player_2="random")
    rows = [widget.label for widget in scene.focus.widgets]
    assert rows == ["AI player", "Slips", "Series", "Done"]
    hand = keyboard(sitting)
    change(hand, "Slips", "20%")
    assert {str(choice) for choice in scene.seating.lineup.values()} == {"keyboard", "random?noise=0.2"}


def test_each_machine_can_be_limited_alone(sit, keyboard) -> None:
    sitting, scene = page(sit, VOLLEY, left_0="random", right_0="scripted")
    hand = keyboard(sitting)
    change(hand, "AI player", "Right")
    change(hand, "Actions a second", "6")
    assert [str(choice) for choice in scene.seating.lineup.values()] == ["random", "scripted?actions_per_second=6"]
    change(hand, "AI player", "all")
    change(hand, "Slips", "10%")
    assert [str(choice) for choice in scene.seating.lineup.values()] == [
        "random?noise=0.1",
        "scripted?actions_per_second=6&noise=0.1",
    ]


@pytest.mark.parametrize("word", ["level:hard", "random", "snapshot:best?noise=0.3"])
def test_a_limit_put_back_leaves_the_seat_as_it_was(word: str) -> None:
    choice = parse_seat(word)
    before = limit_of(choice, "reaction_ms", VOLLEY)
    changed = limited(choice, "reaction_ms", 300, VOLLEY)
    assert limit_of(changed, "reaction_ms", VOLLEY) == 300
    assert limited(changed, "reaction_ms", before, VOLLEY) == choice
    assert parse_seat(str(changed)) == changed


def test_rules_chosen_for_one_game_leave_the_others_alone(sit) -> None:
    services = sit(rules=StageRules(frame_skip=2)).services
    services.setup.rules[VOLLEY.id] = StageRules(sticky_actions=0.1)
    assert services.setup.rules_of(VOLLEY) == StageRules(sticky_actions=0.1)
    assert services.setup.rules_of(find_game("atari/pong_v3")) == StageRules(frame_skip=2)
    assert not services.setup.rules_of(find_game("classic/tictactoe_v3")).any
