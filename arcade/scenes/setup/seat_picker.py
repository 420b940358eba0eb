"""SeatPickerScene: the list of players that one seat can have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from agents.errors import UserError
from agents.seats.controller import KEYBOARD_HALVES, SeatChoice
from agents.snapshots.usual_folders import found_snapshots
from agents.trust import plain, trust
from agents.wire.addresses import parse_address, without_key
from arcade.engine.ui.lists import Item, ListView
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.games.strengths import measured
from arcade.language import N_, _, ngettext
from arcade.scenes import routes
from arcade.scenes.screen import Dialog
from arcade.session.about import shown_folder
from arcade.session.match.snapshot_texts import fault_text
from arcade.session.match.strength_texts import level_text
from arcade.session.match.trust_texts import running_words
from arcade.session.seating import SeatGroup
from arcade.session.services import Services

WAYS = ("up", "left", "down", "right")
"""Controls in the order in which players name their keys: W A S D."""

ROWS = 12
"""Rows shown at once."""
WIDE = 640
"""Units of the page from which a row has room for a mark beside the strength."""
REMOTE = N_("tcp://KEY@HOST:PORT of a policy server; your own needs no KEY@")
LONGEST_PATH = 1000
Row = tuple[Item, Callable[[], object]]


class SeatPickerScene(Dialog):
    """Devices, levels and what was trained before engines and bots; the snapshots are one row until it is pressed."""

    width = 720
    legend = (("accept", N_("Choose")), ("back", N_("Cancel")))

    def __init__(self, services: Services, route: routes.PickPlayer) -> None:
        super().__init__(services, route)
        self.seating, self._agent, self._choose = route.seating, route.agent, route.choose
        self.heading = _("Who plays {seat}?").format(seat=self.seating.spec.seat_title(self._agent))
        self._names = services.library.player_names(self.seating.spec)
        self._unfolded = self._is_present_folded()
        self._rows: list[Row] = []
        self.list = ListView([])

    def enter(self, engine: Host) -> None:
        super().enter(engine)
        self.services.servers.look(self._show_servers)

    def body(self) -> Widget:
        self._rows, present = self._make_rows()
        self.list = ListView(
            [item for item, _press in self._rows], press=self._press, index=present, rows=ROWS, width=self.width,
            hint=_("Choose it"),
        )  # fmt: skip
        return self.list

    def _make_rows(self) -> tuple[list[Row], int]:
        """Return the rows, and the place of the present player's."""
        rows: list[Row] = []
        present, now = 0, self.seating.lineup[self._agent]
        for group in self.seating.groups(self._agent):
            rows.append((Item(_(group.title), heading=True), _nothing))
            if group.is_folded and not self._unfolded:
                rows.append(self._folded(group))
                continue
            for choice in group.choices:
                if choice == now:
                    present = len(rows)
                rows.append((self._item(choice), partial(self._take, choice)))
            if group.title == "AI" and self.seating.spec.id in measured():
                strengths = routes.Strengths(self.seating.spec)
                rows.append((Item(_("How strong are they?")), partial(self.engine.push, strengths)))
            if group.title == "Others" and self.seating.takes_remote:
                rows.append((Item(_("Remote player at another address …")), self._ask_address))
                rows.append((Item(_("Add a snapshot from a folder …")), self._offer_folders))
        return rows, present

    def _item(self, choice: SeatChoice) -> Item:
        mark = _("by default") if choice == self.seating.default else ""
        mark = _("now") if choice == self.seating.lineup[self._agent] else mark
        if choice.kind == "remote":
            return Item(self._names.of_choice(choice), ", ".join(filter(None, (without_key(choice.argument), mark))))
        has_room = not mark or self.theme.page[0] >= WIDE
        strength = level_text(self.seating.spec, self._agent, choice) if has_room else ""
        return Item(self._names.of_choice(choice), ", ".join(filter(None, (self._keys(choice), strength, mark))))

    def _keys(self, choice: SeatChoice) -> str:
        """Return the keys of half a keyboard: "W A S D Space"; "" for other players."""
        if choice.kind != "keyboard" or choice.argument not in KEYBOARD_HALVES:
            return ""
        bindings = self.engine.bindings.of(str(choice))
        words = [bindings.labels(control)[0] for control in (*WAYS, "a")]
        return " ".join([_("arrow keys"), words[-1]] if choice.argument == "arrows" else words)

    def _folded(self, group: SeatGroup) -> Row:
        count = len(group.choices)
        words = ngettext(
            "Show {count} opponent from training …", "Show {count} opponents from training …", count
        ).format(count=count)
        return Item(words), self._unfold

    def _is_present_folded(self) -> bool:
        now = self.seating.lineup[self._agent]
        return any(group.is_folded and now in group.choices for group in self.seating.groups(self._agent))

    def _press(self, index: int) -> None:
        self._rows[index][1]()

    def _unfold(self) -> None:
        at, self._unfolded = self.list.index, True
        self.rebuild()
        self.list.select(at)

    def _show_servers(self) -> None:
        """Offer the servers that answer."""
        self.seating.endpoints = self.services.servers.addresses
        if self.engine.scene is self:
            at = self.list.index
            self.rebuild()
            self.list.select(at)

    def _take(self, choice: SeatChoice) -> None:
        if words := running_words(self.seating.spec, {self._agent: choice}):
            self.services.setup.chosen.update(map(plain, words))
            self.services.worker.submit(lambda: trust(words), failed=self._say, errors=UserError)
        self.engine.pop()
        self._choose(choice)

    def _say(self, error: BaseException) -> None:
        self.services.say(str(error))

    def _ask_address(self) -> None:
        known = self.services.servers.suggestion
        self.engine.push(routes.EnterText(_("Policy server"), known, self._take_address, hint=_(REMOTE), symbols=True))

    def _take_address(self, address: str) -> None:
        if "://" not in address:
            raise UserError(_("expected an address like tcp://127.0.0.1:5555, got: {text}").format(text=address))
        parse_address(address)
        self.services.servers.add(address)
        self.seating.endpoints = self.services.servers.addresses
        self._take(SeatChoice("remote", address))

    def _offer_folders(self) -> None:
        """Offer the snapshots that lie about on this computer, or ask for a folder where there are none."""
        game = self.seating.spec.id
        self.services.worker.submit(lambda: found_snapshots(game), done=self._pick_folder)

    def _pick_folder(self, found: Sequence[Path]) -> None:
        if self.engine.scene is not self:
            return
        if not found:
            self._ask_folder()
            return
        doing: list[Callable[[], None]] = [*(partial(self._add, str(folder)) for folder in found), self._ask_folder]
        self.engine.push(routes.Pick(
            _("Snapshot"), lambda: [*map(shown_folder, found), _("Another folder …")], 0, lambda index: doing[index]()
        ))  # fmt: skip

    def _ask_folder(self) -> None:
        hint = _("Its folder on this computer, with card.json and policy.onnx in it")
        self.engine.push(routes.EnterText(_("Snapshot"), "", self._add, LONGEST_PATH, hint, pastes=True, symbols=True))

    def _add(self, path: str) -> None:
        """Copy that snapshot to those of this machine, and give it the seat."""
        folder, library, game = Path(path).expanduser().absolute(), self.services.library, self.seating.spec.id

        def copy() -> str:
            store = library.store()
            return store.add(store.get(str(folder), game=game)).card.name

        def copied(name: str) -> None:
            library.refresh_snapshots(game, done=lambda: self._seat(name))

        def refused(error: BaseException) -> None:
            words = _("The snapshot {name} was not added: {reason}")
            self.services.say(words.format(name=folder.name, reason=fault_text(error)))

        self.services.worker.submit(copy, done=copied, failed=refused, errors=(UserError, OSError))

    def _seat(self, name: str) -> None:
        shown = self.services.library.snapshot_names.get(name, name)
        self.services.say(_("Added {name} to your snapshots").format(name=shown))
        self.seating.snapshots = self.services.library.names(self.seating.spec.id)
        if self.engine.scene is self:
            self._take(SeatChoice("snapshot", name))


def _nothing() -> None:
    """A heading is never pressed."""
