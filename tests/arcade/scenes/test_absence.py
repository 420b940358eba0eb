"""Seats that stop answering, by a clock turned by hand."""

from types import SimpleNamespace

from arcade.session.match.monitor import Absences


def test_only_an_unbroken_row_of_late_ticks_is_an_absence() -> None:
    match = SimpleNamespace(late_streak={"a": 0, "b": 0})
    absences = Absences(match)
    news = []
    for index in range(1, 200):
        match.late_streak["a"] = index - 20 if 20 < index < 120 else 0
        match.late_streak["b"] = index % 2
        for now in (index / 60, index / 60 + 0.005):  # a frame without a tick breaks no row
            went, back = absences.update(now)
            news += [("went", index, agent) for agent in went] + [("back", index, agent) for agent in back]
    assert news == [("went", 81, "a"), ("back", 120, "a")]


def test_a_row_that_broke_between_two_looks_is_a_new_row() -> None:
    match = SimpleNamespace(late_streak={"a": 0})
    absences = Absences(match)
    for now, row in ((0.0, 5), (0.9, 50), (1.0, 2)):  # it answered once between the last two
        match.late_streak["a"] = row
        assert absences.update(now) == ([], [])
    match.late_streak["a"] = 50
    assert absences.update(1.8) == ([], [])
    assert absences.update(2.1) == (["a"], [])
