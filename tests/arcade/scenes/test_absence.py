"""Seats that stop answering, by a clock turned by hand."""

from types import SimpleNamespace

from arcade.scenes.absence import Absences


def test_only_an_unbroken_row_of_late_ticks_is_an_absence() -> None:
    match = SimpleNamespace(late={"a": 0, "b": 0}, tick=SimpleNamespace(index=0))
    absences = Absences(match)
    news = []
    for index in range(1, 200):
        match.tick.index = index
        match.late["a"] += index > 20 and index < 120
        match.late["b"] += index % 2
        for now in (index / 60, index / 60 + 0.005):  # a frame without a tick breaks no row
            went, back = absences.update(now)
            news += [("went", index, agent) for agent in went] + [("back", index, agent) for agent in back]
    assert news == [("went", 81, "a"), ("back", 120, "a")]
