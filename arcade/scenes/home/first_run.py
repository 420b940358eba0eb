"""First run: name, device and language, then the tutorial in volley; any moment of it can be skipped by one press."""

from __future__ import annotations

import pygame

from arcade.engine.input.events import MOUSE, Device, InputEvent, MenuInput, TextInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button, Choice, FormRow, TextField
from arcade.engine.ui.layout import Centred, Column, Grid
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.theme import Theme
from arcade.engine.ui.widget import Widget
from arcade.engine.window.scene import Host
from arcade.language import LANGUAGES, N_, _, offered
from arcade.scenes import routes
from arcade.scenes.screen import Screen
from arcade.session.match.setup import WindowOptions
from arcade.session.match.tutorial import tutorial_lineup
from arcade.session.people import LONGEST, UNNAMED, Person, seat_choice_of
from arcade.session.services import Services


class DeviceRow(FormRow):
    """Shows the device that was pressed last, which is the one to play with."""

    focusable = False

    def __init__(self, host: Host) -> None:
        super().__init__(_("You play with"), key="device")
        self._host = host

    @property
    def value_text(self) -> str:
        return device_text(self._host.last_device)

    def draw_value(self, canvas: pygame.Surface, theme: Theme, side: pygame.Rect) -> None:
        width = side.w - theme.px(32)
        theme.draw_text(canvas, self.value_text, side.center, anchor="center", bold=True, width=width, height=side.h)


class FirstRunScene(Screen):
    """Whatever way it is left, the settings are saved, and so it never comes again."""

    has_back = False
    legend = (("accept", N_("Choose")), ("back", N_("Skip")))

    def __init__(self, services: Services, route: routes.FirstRun) -> None:
        super().__init__(services, route)
        self._frames = 0
        self._waits = False  # for the catalogue, to begin the tutorial

    def body(self) -> Widget:
        settings = self.engine.settings
        names = offered(settings.language)
        languages = [_(LANGUAGES[name]) if name == "system" else LANGUAGES[name] for name in names]
        hint = _("Shown in matches, results and on the ladder")
        start = Button(
            self._start_words, self._begin, primary=True, key="start",
            hint=_("Half a minute of volley against the easy AI, with the device that presses this"),
        )  # fmt: skip
        skip = Button(_("Skip"), self.back, hint=_("To the home screen; all of this is also under Settings"))
        form = Column([
            Label(_("Welcome"), size=themes.TITLE, bold=True),
            Paragraph(_("You play with the device that you use last."), colour="muted"),
            TextField(_("Your name"), value=self._name, press=self._ask_name, key="name", hint=hint),
            DeviceRow(self.engine),
            Choice(
                _("Language"), languages, index=names.index(settings.language), change=self._set_language,
                key="language", hint=_("Of all texts; it can be changed under Settings"),
            ),
            Grid([start, skip], cell=230, most=2),
        ], gap=14)  # fmt: skip
        return Centred(form, width=720)

    def _start_words(self) -> str:
        return _("Starting …") if self._waits else _("Learn to play")

    def start(self, event: MenuInput) -> None:
        self.back()

    def back(self) -> None:
        """Skip everything."""
        self._save()
        super().back()

    def update(self, now: float) -> None:
        super().update(now)
        self._frames += 1
        if self.engine.scene is self:  # letters go into the name, and do not move through the page
            self.engine.text_entry = self._is_at_name
        if self._frames == 2:  # the first frame is shown: now there is time to import
            self.services.warm_up()
        if self._waits and self.services.ready and self.engine.scene is self:
            self._open_tutorial()

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, TextInput) and self._is_at_name and event.text.strip():
            self._ask_name(event.text)
            return None
        return super().handle(event)

    def leave(self) -> None:
        self.engine.text_entry = False

    @property
    def _is_at_name(self) -> bool:
        focused = self.focus.focused
        return focused is not None and focused.key == "name"

    @property
    def _name(self) -> str:
        """The name in the settings; the one of a player who typed none is in the language of the screen."""
        name = self.engine.settings.player_name
        return _(UNNAMED) if name == UNNAMED else name

    def _ask_name(self, typed: str = "") -> None:
        """Open the entry of the name, which begins with what was typed."""
        hint = _("Up to {count} characters").format(count=LONGEST)
        name = typed or self._name
        self.engine.push(routes.EnterText(_("Your name"), name, self._set_name, LONGEST, hint, adds=bool(typed)))

    def _set_name(self, name: str) -> None:
        Person(name)  # raises PersonError
        self.engine.apply(self.engine.settings.changed(player_name=name), save=False)
        self.refresh()

    def _set_language(self, index: int) -> None:
        names = offered(self.engine.settings.language)
        self.engine.apply(self.engine.settings.changed(language=names[index]), save=False)

    def _begin(self) -> None:
        self._waits = True

    def _open_tutorial(self) -> None:
        self._save()
        spec = self.services.library.find(WindowOptions().featured)
        assert spec is not None
        by = seat_choice_of(self.engine.last_device.word)
        self.engine.replace(routes.Match(spec, tutorial_lineup(spec, by)))
        self.engine.push(routes.Tutorial(by))

    def _save(self) -> None:
        self.engine.apply(self.engine.settings.changed(player_name=self._name))


def device_text(device: Device) -> str:
    """Return the name of a device for the player."""
    if device.kind == "gamepad":
        return device.name or _("Gamepad {number}").format(number=int(device.slot) + 1)
    return _("Keyboard and mouse") if device == MOUSE else _("Keyboard")
