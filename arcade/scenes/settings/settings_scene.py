"""The settings screen, in tabs; each change is applied and saved at once."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from arcade.engine.ui import theme as themes
from arcade.engine.ui.controls import Button
from arcade.engine.ui.texts import Label
from arcade.engine.ui.widget import Widget
from arcade.language import N_, _
from arcade.scenes import routes
from arcade.scenes.screen import TabbedScreen
from arcade.scenes.settings.pages import PAGES, WIDE, AnyPage
from arcade.session.services import Services
from arcade.session.settings import Page, Settings


class SettingsScene(TabbedScreen[AnyPage]):
    """A tab for each of PAGES."""

    heading = N_("Settings")
    pages = PAGES

    def __init__(self, services: Services, route: routes.Settings) -> None:
        super().__init__(services, route)
        self.page = next((page for page in PAGES if page.title == route.page), PAGES[0])
        self._before: dict[str, Any] = {}  # the values that the last reset on this screen changed

    def actions(self) -> list[Widget]:
        hint = _("This page or all settings to their defaults")
        reset: list[Widget] = [Button(_("Reset …"), self._pick_reset, danger=True, hint=hint)]
        if self._before:
            reset.insert(0, Button(_("Undo"), self._undo, hint=_("The settings as they were before the reset")))
        if self.theme.page[0] < WIDE:
            return reset
        return [Label(_("Changes are saved automatically"), size=themes.SMALL, colour="muted"), *reset]

    def body(self) -> Widget:
        return self.page.body(self.engine, self.refresh, lambda: self.focus.focused)

    @property
    def foot_hint(self) -> str:
        explained = self.theme.page[0] >= WIDE and self.page.title != Page.ABOUT
        return "" if explained else super().foot_hint

    def resume(self) -> None:
        """The screen above may have changed settings."""
        self.refresh()

    def _undo(self) -> None:
        """Take the reset back; settings that were changed otherwise stay."""
        before, self._before = self._before, {}
        self.engine.apply(self.engine.settings.changed(**before))
        self.refresh()

    def _pick_reset(self) -> None:
        """Ask which settings to reset, then whether to."""
        every = _("All settings")
        page = _("This page: {page}").format(page=_(self.page.title))
        choices = {every: ""} if self.page.title == Page.ABOUT else {page: self.page.title, every: ""}

        def ask(index: int) -> None:
            name = list(choices.values())[index]
            whole = _("All settings get their defaults. Names, key bindings and recordings stay.")
            detail = _("The settings on this page get their defaults.") if name else whole
            self.engine.push(routes.Confirm(_("Reset to defaults?"), detail, _("Reset"), lambda: reset(name)))

        def reset(name: str) -> None:
            before, after = self.engine.settings, self.engine.settings.reset(name)
            names = [one.name for one in fields(Settings)]
            self._before = {one: getattr(before, one) for one in names if getattr(before, one) != getattr(after, one)}
            self.engine.apply(after)
            self.refresh()
            self.engine.say(_("Reset to defaults"))

        self.engine.push(routes.Pick(_("Reset to defaults"), list(choices), 0, ask))
