"""People: the names of players, and whether recordings may name them."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from arcade.engine.ui import theme
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import UNPLACED, Button, Widget, column
from arcade.engine.window.scene import Host
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.people import LONGEST, Person
from arcade.session.services import Services

LIST = pygame.Rect(theme.MARGIN, 112, 720, 46 * 11)
SIDE = pygame.Rect(LIST.right + 28, LIST.top, 1240 - LIST.right - 28, 56)
NOTE = "Recordings and datasets name a person only with their consent; others are “person 1”, “person 2” …"


class PeopleScene(Screen):
    """With `choose` a press on a row leaves the page and passes on the name, "" for the default player."""

    def __init__(self, services: Services, route: routes.People) -> None:
        super().__init__(services, route)
        self.heading = route.question or "People"
        self._choose = route.choose
        change = "Press to change whether recordings may name this person"
        hint = change if route.choose is None else "Choose the player"
        self._list = ListMenu(LIST, [], pick=self._pick, moved=self._moved, hint=hint)
        self._selected = route.selected

    @property
    def chosen(self) -> Person | None:
        """The person that the buttons change; None for the default player, and without rows."""
        names = self._names
        return self.services.people.find(names[self._list.index]) if names else None

    def enter(self, engine: Host) -> None:
        self.engine = engine
        self._show(self._selected)
        super().enter(engine)
        if not self._names:
            self.focus.focus(self.focus.widgets[1])

    def widgets(self) -> list[Widget]:
        person = self.chosen
        known, named = person is not None, person is not None and person.recorded
        buttons = [
            Button(UNPLACED, "Add a person …", self._add, primary=not self._names, hint="Type a name"),
            Button(
                UNPLACED, f"Named in recordings: {'yes' if named else 'no'}", lambda: self._set_recorded(not named),
                enabled=known, hint="Only this person may agree to it",
            ),
            Button(UNPLACED, "Rename …", self._rename, enabled=known, hint="Existing recordings keep the old name"),
            Button(UNPLACED, "Remove …", self._remove, enabled=known, hint="Existing recordings and results stay"),
        ]  # fmt: skip
        return [self._list, *column(buttons, SIDE, gap=theme.GAP), self.back_button()]

    def draw_page(self, canvas: pygame.Surface) -> None:
        top = SIDE.top + 4 * (SIDE.h + theme.GAP) + theme.GAP
        note = theme.paragraph(NOTE, width=SIDE.w, size=theme.SMALL, colour=theme.MUTED)
        canvas.blit(note, (SIDE.left, top))

    # Rows

    @property
    def _names(self) -> list[str]:
        """The names of the rows; "" is the default player."""
        return [*([""] if self._choose is not None else []), *(person.name for person in self.services.people)]

    def _show(self, name: str) -> None:
        """List all people, with `name` chosen."""
        known, names = self.services.people, self._names
        player = self.engine.settings.player_name
        rows = [
            Item(person.name, detail="named in recordings" if person.recorded else "not named in recordings")
            if (person := known.find(shown)) is not None
            else Item(f"Default player ({player})")
            for shown in names
        ]
        index = names.index(name) if name in names else 0
        self._list.set_items(rows or [Item("No people yet", enabled=False)], index=index)

    def _changed(self, name: str) -> None:
        self._show(name)
        self.refresh()

    def _moved(self, index: int) -> None:
        self.engine.sound.play("move")
        self.rebuild(keep=0)

    def _pick(self, index: int) -> None:
        person = self.chosen
        if self._choose is not None:
            self.engine.pop()
            self._choose(person.name if person is not None else "")
        elif person is not None:
            self._set_recorded(not person.recorded)

    # Changes

    def _set_recorded(self, on: bool) -> None:
        person = self.chosen
        if person is not None:
            self.services.people.put(Person(person.name, on), instead_of=person.name)
            self._changed(person.name)

    def _add(self) -> None:
        self._ask("Name of the new person", "", lambda name: self._put(Person(name)))

    def _rename(self) -> None:
        old = self.chosen
        if old is not None:
            self._ask(f"New name of {old.name}", old.name, lambda name: self._put(Person(name, old.recorded), old.name))

    def _ask(self, title: str, value: str, done: Callable[[str], None]) -> None:
        hint = f"Up to {LONGEST} characters; shown in results and on the ladder of this machine"
        self.engine.push(routes.EnterText(title, value, done, LONGEST, hint))

    def _put(self, person: Person, old: str = "") -> None:
        self.services.people.put(person, instead_of=old)
        self._show(person.name)
        self.rebuild(keep=0)

    def _remove(self) -> None:
        person, people = self.chosen, self.services.people
        if person is None:
            return

        def remove() -> None:
            people.remove(person.name)
            self._changed("")

        question, detail = f"Remove {person.name}?", "Existing recordings and results do not change."
        self.engine.push(routes.Confirm(question, detail, "Remove", remove))
