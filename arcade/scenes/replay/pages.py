"""Dialogs of a replay: the seat to take over, and the snapshot for AI insight."""

from __future__ import annotations

from arcade.engine.ui.controls import Choice
from arcade.engine.ui.layout import Column
from arcade.engine.ui.lists import Item, ListView
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import Dialog
from arcade.session.people import seat_choice_of
from arcade.session.services import Services

MOST = 8
"""Rows shown at once."""


class InsightPage(Dialog):
    """Asks which snapshot gives insight, and from which seats."""

    heading = N_("AI insight")
    legend = (("accept", N_("Show its insight")), ("back", N_("Back")))

    def __init__(self, services: Services, route: routes.ChooseInsight) -> None:
        super().__init__(services, route)
        self._spec, self._names, self._now = route.spec, tuple(route.names), route.now
        self._choose, self._seat = route.choose, 0  # the index of the seat; 0: every seat
        self._short = services.library.snapshot_names

    def build(self) -> Widget:
        page = super().build()
        self._first = self._list
        return page

    def body(self) -> Widget:
        seats = [_("Every seat"), *map(self._spec.seat_title, self._spec.agents)]
        seat = Choice(
            _("Observes"), seats, index=self._seat, change=self._set_seat,
            hint=_("The seat whose observations it gets"), key="seat",
        )  # fmt: skip
        rows = [Item(_("None")), *(Item(self._short.get(name, name)) for name in self._names)]
        index = 1 + self._names.index(self._now) if self._now in self._names else min(1, len(self._names))
        shows = _("Its action probabilities and expected return")
        hint = shows if self._names else _("No snapshot plays this game yet")
        self._list = ListView(rows, press=self._pick, index=index, hint=hint, rows=MOST)
        return Column([seat, self._list], grow=1)

    def _set_seat(self, index: int) -> None:
        self._seat = index

    def _pick(self, row: int) -> None:
        agents = self._spec.agents
        self.engine.pop()
        self._choose(agents[self._seat - 1 : self._seat] or agents, self._names[row - 1] if row else "")


class TakeOverPage(Dialog):
    """Asks which seat to take over, and calls `take(agent, who)` with the device pressed."""

    heading = N_("Take over which seat?")
    legend = (("accept", N_("Play from here")), ("back", N_("Back")))
    updates_below = False

    def __init__(self, services: Services, route: routes.TakeOver) -> None:
        super().__init__(services, route)
        self._seats, self._take = route.seats, route.take
        self._seat_title = route.spec.seat_title

    def body(self) -> Widget:
        seats = self._seats()
        rows = [Item(self._seat_title(agent), detail=who) for agent, who in seats]
        owner = self.services.people.owner.name
        own = next((row for row, (_agent, who) in enumerate(seats) if who == owner), 0)
        hint = _("You play this seat; AI plays for other people")
        return ListView(rows, press=self._pick, index=own, hint=hint, rows=MOST)

    def _pick(self, row: int) -> None:
        self.engine.pop()
        self._take(self._seats()[row][0], seat_choice_of(self.engine.last_device.word))
