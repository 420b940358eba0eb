"""A result in words: what people felt, what machines were allowed, what was unusual."""

from arcade.match.play.result import MatchResult, SeatChange
from arcade.session.result_texts import notes, seat_text, verdict


def result(**fields) -> MatchResult:
    plain = {
        "game": "house/volley", "seed": 1, "ticks": 600, "seconds": 10.0, "ended": "finished",
        "lineup": {"left_0": "Ann", "right_0": "volley-7 (hard)"}, "returns": {"left_0": 1.0, "right_0": -1.0},
        "teams": [["left_0"], ["right_0"]], "placements": {"left_0": 1, "right_0": 2}, "late": {},
    }  # fmt: skip
    return MatchResult(**{**plain, **fields})


def test_a_seat_tells_of_hands_limits_distance_and_lateness() -> None:
    limits = {"reaction_ms": 150.0, "actions_per_second": 8.0, "noise": 0.0}
    told = result(
        seats={
            "left_0": {"device": "gamepad:0", "input_ms": {"p50": 8.6, "p99": 20.9, "presses": 40}},
            "right_0": {"snapshot": "volley-7", "level": "hard", "limits": limits, "rtt_ms_p50": 3.2},
        },
        late={"right_0": 12},
    )
    assert seat_text(told, "left_0") == "presses played after 9 ms, 99% within 21"
    assert (
        seat_text(told, "right_0")
        == "hard: reacts after 150 ms, 8 actions a second  ·  3 ms away  ·  late at 12 of 600 ticks"
    )
    assert seat_text(result(), "left_0") == ""


def test_takeovers_are_told_and_new_policies_are_not() -> None:
    changes = [
        SeatChange(tick=90, agent="right_0", label="volley-8"),
        SeatChange(tick=120, agent="right_0", label="Ann", why="takeover"),
        SeatChange(tick=300, agent="right_0", label="volley-8", why="give back"),
    ]
    words = seat_text(result(changes=changes), "right_0")
    assert words == "Ann took over at tick 120  ·  given back to volley-8 at tick 300"


def test_changes_that_there_is_no_room_for_are_counted() -> None:
    changes = [SeatChange(tick=tick, agent="left_0", label="Ann", why="takeover") for tick in range(5)]
    told = result(changes=changes)
    words = "Ann took over at tick 0  ·  Ann took over at tick 1  ·  Ann took over at tick 2  ·  and 2 more"
    assert seat_text(told, "left_0") == words
    assert seat_text(told, "left_0", fits=lambda words: len(words) < 40) == "Ann took over at tick 0  ·  and 4 more"
    assert seat_text(told, "left_0", fits=lambda words: len(words) < 30) == "changed hands 5 times"


def test_what_keeps_a_match_off_the_ladder_is_said() -> None:
    assert notes(result()) == ""
    turned = result(rated=False, rewinds=[(300, 240)], settings={"speed": 1.0, "speeds": [[10, 0.5]]})
    assert notes(turned) == "Played at another speed, taken back once, not rated"
    assert notes(result(rated=False, settings={"hints": [4, 8]})) == "With 2 hints, not rated"
    assert notes(result(rated=False, settings={"parent": "volley-1"})) == "Continued from a recording, not rated"
    assert (
        notes(result(settings={"rules": {"sticky_actions": 0.25, "frame_skip": 4}}))
        == "Sticky actions 0.25, frame skip 4"
    )


def test_in_a_duel_each_side_has_won_lost_or_drawn() -> None:
    assert [verdict(result(), agent) for agent in ("left_0", "right_0")] == ["Win", "Loss"]
    assert verdict(result(placements={"left_0": 1, "right_0": 1}), "right_0") == "Draw"
