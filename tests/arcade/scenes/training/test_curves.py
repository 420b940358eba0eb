"""Curves keep what can be drawn, in bounded room, also of files and trainers that are odd."""

from __future__ import annotations

import json
import math

from arcade.session.training.curves import HISTORY_LINES, MAX_POINTS, MOST_CURVES, Curves, read_history


def test_numbers_become_curves_and_the_rest_is_left_out() -> None:
    curves = Curves()
    curves.add({"step": 10, "entropy/left": 1.5, "entropy/right": 1.0, "kl": math.nan, "note": "hi", "run": True})
    curves.add({"step": "many", "kl": 1.0})
    curves.add({"kl": 1.0})
    assert curves.of("entropy") == {"left": [(10, 1.5)], "right": [(10, 1.0)]}
    assert curves.of("kl", "entropy") == curves.of("entropy")
    assert curves.of("kl") == curves.of("nothing") == {}


def test_a_long_run_keeps_its_shape_in_bounded_room() -> None:
    curves = Curves()
    for step in range(5 * MAX_POINTS):
        curves.add({"step": step, "score": step})
    points = curves.of("score")[""]
    assert len(points) <= MAX_POINTS
    assert points[0] == (0, 0)
    assert points[-1] == (5 * MAX_POINTS - 1, 5 * MAX_POINTS - 1)
    assert all(x == y for x, y in points)


def test_one_line_from_the_past_is_odd_and_two_are_a_run_taken_up_again() -> None:
    curves = Curves()
    for step in (0, 100, 200, 300):
        curves.add({"step": step, "score": 1.0})
    curves.add({"step": 0, "score": 9.0})
    curves.add({"step": 400, "score": 1.0})
    assert [x for x, _ in curves.of("score")[""]] == [0, 100, 200, 300, 400]
    for step in (140, 150):
        curves.add({"step": step, "score": 2.0})
    assert curves.of("score")[""] == [(0, 1.0), (100, 1.0), (150, 2.0)]


def test_a_flood_of_names_is_bounded() -> None:
    curves = Curves()
    curves.add({"step": 1} | {f"name-{place}": 1.0 for place in range(5000)})
    assert curves.of(f"name-{MOST_CURVES - 1}")
    assert not curves.of(f"name-{MOST_CURVES}")


def test_history_is_read_evenly_and_what_came_meanwhile_follows_it(tmp_path) -> None:
    path = tmp_path / "metrics.jsonl"
    count = HISTORY_LINES * 4
    lines = [json.dumps({"step": step, "score": step / 2}) for step in range(count)]
    path.write_text("\n".join(lines) + '\n{"step": 9999999, "sco')
    live = Curves()
    live.add({"step": count - 1, "score": 0.0})
    live.add({"step": count + 5, "score": 7.0})
    live.put_before(read_history(path))
    points = live.of("score")[""]
    assert HISTORY_LINES / 2 < len(points) <= HISTORY_LINES + 2
    assert points[-1] == (count + 5, 7.0)
    assert points[-2][0] >= count - 8
    assert all(value == step / 2 for step, value in points[:-1] if step != count - 1)


def test_a_file_that_is_missing_or_no_metrics_is_no_history(tmp_path) -> None:
    assert read_history(tmp_path / "none").last_step == -1
    (tmp_path / "odd").write_bytes(b'\xff\xfe\n[1]\n"x"\n{"step": [1]}\n' + b"[" * 100_000)
    assert read_history(tmp_path / "odd").last_step == -1
