"""People: the names of players, and whether recordings may name them."""

from __future__ import annotations

from collections.abc import Callable

from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.lists import Item, ListView
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.people import LONGEST, Person
from arcade.session.services import Services

NOTE = N_("Recordings and datasets name a person only with their consent; others are “person 1”, “person 2” …")


class PeopleScene(Screen):
    """With `choose` a press on a row, or a new person, leaves the page and passes on the name, "" for the owner.

    The owner, called the default player, is a person of the settings: of name and consent, and there to stay.
    """

    heading = N_("People")

    def __init__(self, services: Services, route: routes.People) -> None:
        super().__init__(services, route)
        self.heading = route.question or self.heading
        self._choose = route.choose
        self._selected = route.selected  # name in the selected row
        self._list = ListView([])
        self._changing: list[Button] = []  # those that need a person
        self._removed: Person | None = None  # who was removed last, on this page

    @property
    def chosen(self) -> Person | None:
        """The person that the buttons change; None without rows."""
        if self._selected not in self._names:
            return None
        return self.services.people.find(self._selected) if self._selected else self.services.people.owner

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        if not self._names:
            self.focus.focus(self._add_button, silently=True)

    def body(self) -> Widget:
        names = self._names
        if self._selected not in names:
            self._selected = names[0] if names else ""
        change = _("Press to change whether recordings may name this person")
        self._list = ListView(
            [self._row(name) for name in names], press=self._pick, moved=self._moved, width=720, rows=11,
            index=names.index(self._selected) if names else 0, empty=_("No people yet: add the first one"),
            hint=change if self._choose is None else _("Choose the player"), grow=2, key="people",
        )  # fmt: skip
        note = Paragraph(_(NOTE), size=themes.SMALL, colour="muted")
        stays = Paragraph(self._why_stays, size=themes.SMALL, colour="muted")
        side = Panel(Column([*self._buttons(), note, stays]), padding=0, fill="", least=300, grow=1)
        return Row([self._list, side], gap=28, align="stretch", grow=1)

    def _buttons(self) -> list[Widget]:
        self._add_button = Button(_("Add a person …"), self._add, primary=not self._names, hint=_("Type a name"))
        agree_hint, rename_hint = _("Only this person may agree to it"), _("Existing recordings keep the old name")
        self._changing = [
            Button(self._agreement, self._agree, hint=agree_hint, key="recorded"),
            Button(_("Rename …"), self._rename, hint=rename_hint),
            Button(_("Remove …"), self._remove, danger=True, hint=_("Existing recordings and results stay")),
        ]
        self._enable()
        undo: list[Widget] = []
        if (person := self._removed) is not None:
            undo.append(Button(_("Undo"), self._undo, hint=_("Add {player} again").format(player=person.name)))
        return [self._add_button, *self._changing, *undo]

    def _enable(self) -> None:
        for button in self._changing:
            button.enabled = self.chosen is not None
        self._changing[-1].enabled = self.chosen is not None and not self._is_owner

    @property
    def _is_owner(self) -> bool:
        """Whether the default player is selected."""
        return self._choose is not None and not self._selected

    def _why_stays(self) -> str:
        return _("The default player plays wherever no other name is chosen, and cannot be removed.") * self._is_owner

    def _agreement(self) -> str:
        named = self.chosen is not None and self.chosen.recorded
        return _("Named in recordings: yes") if named else _("Named in recordings: no")

    # Rows

    @property
    def _names(self) -> list[str]:
        """The names of the rows; "" is the default player."""
        return [*([""] if self._choose is not None else []), *(person.name for person in self.services.people)]

    def _row(self, name: str) -> Item:
        people = self.services.people
        person = people.find(name) if name else people.owner
        assert person is not None
        words = name or _("Default player ({player})").format(player=person.name)
        return Item(words, detail=_("named in recordings") if person.recorded else _("not named in recordings"))

    def _show(self, name: str) -> None:
        """Select the row of `name`."""
        self._selected = name
        self.refresh()

    def _moved(self, index: int) -> None:
        self.engine.sound.play("move")
        self._selected = self._names[index]
        self._enable()

    def _pick(self, index: int) -> None:
        if self._choose is not None:
            self.engine.pop()
            self._choose(self._selected)
        else:
            self._agree()

    # Changes

    def _agree(self) -> None:
        """Let recordings name the person, or no longer."""
        person = self.chosen
        if person is not None:
            self._change(person, Person(person.name, not person.recorded))

    def _change(self, old: Person, new: Person) -> None:
        """Replace a person, the default player in the settings."""
        if self._is_owner:
            self.engine.apply(self.engine.settings.changed(player_name=new.name, name_recordings=new.recorded))
            self._show("")
        else:
            self.services.people.put(new, instead_of=old.name)
            self._show(new.name)

    def _add(self) -> None:
        self._ask(_("Name of the new person"), "", lambda name: self._put(Person(name)))

    def _rename(self) -> None:
        old = self.chosen
        if old is not None:
            title = _("New name of {player}").format(player=old.name)
            self._ask(title, old.name, lambda name: self._change(old, Person(name, old.recorded)))

    def _ask(self, title: str, value: str, done: Callable[[str], None]) -> None:
        hint = _("Up to {count} characters; shown in results and on the ladder of this machine").format(count=LONGEST)
        self.engine.push(routes.EnterText(title, value, done, LONGEST, hint))

    def _put(self, person: Person) -> None:
        self.services.people.put(person)
        if self._choose is not None:  # who was added for a seat takes it
            self.engine.pop()
            self._choose(person.name)
            return
        self._show(person.name)
        self.focus.focus(self._list, silently=True)

    def _undo(self) -> None:
        """Add the person again who was removed last, unless the name was given again meanwhile."""
        person, self._removed = self._removed, None
        if person is not None and self.services.people.find(person.name) is None:
            self.services.people.put(person)
            self._show(person.name)
        else:
            self.refresh()

    def _remove(self) -> None:
        person, people = self.chosen, self.services.people
        if person is None:
            return

        def remove() -> None:
            people.remove(person.name)
            self._removed = person
            self._show("")

        question = _("Remove {player}?").format(player=person.name)
        detail = _("Existing recordings and results do not change.")
        self.engine.push(routes.Confirm(question, detail, _("Remove"), remove))
