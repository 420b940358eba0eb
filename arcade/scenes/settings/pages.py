"""PAGES: the pages of the settings, a row for each setting and HUD piece that is declared for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from arcade.engine.ui.controls import Button, Choice, Slider, TextField, Toggle
from arcade.engine.ui.layout import Column, Panel, Row
from arcade.engine.ui.texts import Paragraph
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host, Route
from arcade.language import N_, _, local_number
from arcade.scenes import routes
from arcade.scenes.hud.piece import HudPiece
from arcade.scenes.hud.pieces import PIECES
from arcade.scenes.settings import samples
from arcade.scenes.settings.about_page import AboutPage
from arcade.session.settings import Page, Setting, declared

WIDE = 900
"""Units of the page from which the focused row is explained beside the rows instead of in the foot."""
SIZES = ((960, 540), (1280, 720), (1600, 900), (1920, 1080), (2560, 1440))
"""Sizes of the window to choose from."""


class AnyPage(Protocol):
    """A page of the settings."""

    @property
    def title(self) -> str: ...
    @property
    def hint(self) -> str: ...

    def body(self, host: Host, refresh: Callable[[], None], focused: Callable[[], Widget | None]) -> Widget:
        """Make the widgets of the page.

        `refresh` is called when a row no longer shows its value, `focused` for the widget to explain.
        """
        ...


@dataclass(frozen=True, eq=False)
class SettingsPage:
    """The rows of the settings that are declared for a page, and what stands beside them."""

    title: str
    hint: str
    more: Callable[[Host], Widget] | None = None  # makes a row that is no single setting
    place: int = 1  # of that row
    sample: Callable[[Host], Widget] | None = None

    def body(self, host: Host, refresh: Callable[[], None], focused: Callable[[], Widget | None]) -> Widget:
        found = setting_rows(self.title, host, refresh)
        if self.more is not None:
            found.insert(self.place, self.more(host))
        rows, sample = Column(found, gap=8, grow=3), self.sample(host) if self.sample is not None else None
        if host.theme.page[0] < WIDE:
            return Column([rows, sample], gap=24)
        return Row([rows, Column([_explanation(focused), sample], gap=24, grow=2)], gap=32, align="start")


def _explanation(focused: Callable[[], Widget | None]) -> Widget:
    """Say what the focused row does."""

    def label() -> str:
        widget = focused()
        return widget.label if widget is not None else ""

    def hint() -> str:
        widget = focused()
        return widget.hint if widget is not None else ""

    return Panel(Column([Paragraph(label, bold=True), Paragraph(hint, colour="muted")]))


def setting_rows(page: str, host: Host, refresh: Callable[[], None]) -> list[Widget]:
    """Make the row of every setting of the page, on the page of the HUD of its pieces too.

    Each shows the present value and applies each change at once; `refresh` is called when a row no longer shows it.
    """
    found = [setting for setting in declared(type(host.settings)) if setting.page == page]
    pieces = PIECES if page == Page.HUD else ()
    return [*(_setting_row(one, host, refresh) for one in found), *(_piece_row(piece, host) for piece in pieces)]


def _setting_row(setting: Setting, host: Host, refresh: Callable[[], None]) -> Widget:
    value = getattr(host.settings, setting.name)

    def change(new: Any) -> None:
        host.apply(host.settings.changed(**{setting.name: new}))

    if setting.choices:
        labels = setting.options(value)
        options = list(labels)
        return Choice(
            _(setting.label), [_(label) for label in labels.values()], index=options.index(value),
            change=lambda chosen: change(options[chosen]), hint=setting.hint,
        )  # fmt: skip
    if setting.kind is bool:
        if setting.name == "narrator":
            return _narrator_row(setting, host, change, refresh)
        return Toggle(_(setting.label), on=value, change=change, hint=setting.hint)
    if setting.kind is str:
        return _text_row(setting, host, change, refresh)
    low, high, step = setting.span
    return Slider(
        _(setting.label), value=min(high, max(low, value)), low=low, high=high, step=step,
        show=lambda value: local_number(_(setting.shown).format(value)),
        change=partial(_slide, setting, host, change), hint=setting.hint,
    )  # fmt: skip


def _narrator_row(setting: Setting, host: Host, change: Callable[[Any], None], refresh: Callable[[], None]) -> Widget:
    """The narrator's switch, which says why nothing is read."""
    narrator = host.narrator

    def switch(on: bool) -> None:
        change(on)
        refresh()

    hint = narrator.failure if narrator.is_on and narrator.failure else setting.hint
    return Toggle(_(setting.label), on=host.settings.narrator, change=switch, hint=hint)


def _slide(setting: Setting, host: Host, change: Callable[[Any], None], value: float) -> None:
    change(setting.kind(value))
    if setting.page == Page.SOUND:
        host.sound.play("hit")


def _text_row(setting: Setting, host: Host, change: Callable[[Any], None], refresh: Callable[[], None]) -> Widget:
    """An empty text changes nothing where the setting allows none."""
    value = getattr(host.settings, setting.name)

    def accept(typed: str) -> None:
        if typed or not setting.low:
            change(typed)
            refresh()

    route = routes.EnterText(setting.label, value, accept, int(setting.high), setting.hint, symbols=not setting.low)
    return TextField(_(setting.label), value=value, press=partial(host.push, route), hint=setting.hint)


def _piece_row(piece: type[HudPiece], host: Host) -> Widget:
    return Toggle(
        _(piece.label), on=piece.is_on(host.settings), hint=_(piece.help),
        change=lambda on: host.apply(piece.turned(host.settings, on)),
    )  # fmt: skip


def _window_size(host: Host) -> Widget:
    """The size of the window: SIZES and the present one."""
    present = host.settings.window_width, host.settings.window_height
    sizes = sorted({*SIZES, present})

    def change(chosen: int) -> None:
        width, height = sizes[chosen]
        host.apply(host.settings.changed(window_width=width, window_height=height))

    names = [f"{width} x {height}" for width, height in sizes]
    hint = _("When it does not fill the screen.")
    return Choice(_("Window"), names, index=sizes.index(present), change=change, hint=hint)


def _opens(route: Route, label: str, hint: str) -> Callable[[Host], Widget]:
    """A button to another screen."""
    return lambda host: Button(_(label), lambda: host.push(route), hint=_(hint))


_BINDINGS = _opens(
    routes.KeyBindings(),
    N_("Keys and buttons"),
    N_("Change keys and buttons for each device, game and seat, and in menus."),
)
_PEOPLE = _opens(routes.People(), N_("Other people"), N_("Their names, and whether recordings may name them."))

PAGES: tuple[AnyPage, ...] = (
    SettingsPage(Page.GENERAL, N_("Who plays, the language, and when matches start and pause."), _PEOPLE),
    SettingsPage(
        Page.DISPLAY,
        N_("The window, and how games are drawn in it. Text size is under Accessibility."),
        _window_size,
        sample=samples.game_pictures,
    ),
    SettingsPage(Page.ACCESSIBILITY, N_("Text, colours, motion and the narrator."), sample=samples.colours),
    SettingsPage(Page.HUD, N_("What is shown around the picture of a match.")),
    SettingsPage(Page.INPUT, N_("Keyboards, gamepads and sticks."), _BINDINGS, 0),
    SettingsPage(Page.SOUND, N_("Volume of games and menus."), sample=samples.sounds),
    SettingsPage(Page.RECORDING, N_("Which matches are recorded, and how."), sample=samples.recordings),
    AboutPage(),
)
