"""Language: every text that a player reads, in their language, from gettext catalogues.

Source texts are English.  Mark a text where it is used with ``_("Play")``; where it is declared, before the language is
known, with ``N_("Play")``, and translate it with ``_`` where it is shown.  Values go in by name, and plurals as two
whole sentences::

    _("{player} won").format(player=name)
    ngettext("{count} match", "{count} matches", count).format(count=count)

``make strings`` collects the texts into assets/locale (GNU gettext's .po and .mo files).
"""

from __future__ import annotations

import gettext as _gettext
import locale
import os
import re
from datetime import date
from math import floor

from arcade.assets import asset

LANGUAGES = {"system": "System", "en": "English", "de": "Deutsch", "pseudo": "Pseudo"}
"""The languages: setting → its own name."""

DEVELOPER = "ARCADE_DEVELOPER"
"""Environment variable that offers the pseudo-language too, which tests screens."""

_ACCENTS = str.maketrans("aceinosuyACEINOSUY", "áçéíñöšüýÁÇÉÍÑÖŠÜÝ")
_FIELDS = re.compile(r"(\{[^}]*\})")


class _Pseudo(_gettext.NullTranslations):
    """Longer, accented English that shows texts which are not in the catalogue, and layouts without spare room."""

    def gettext(self, message: str) -> str:
        if message.startswith("["):  # it is translated already
            return message
        accented = "".join(
            part if part.startswith("{") else part.translate(_ACCENTS) for part in _FIELDS.split(message)
        )
        return f"[{accented}{'~' * (len(message) // 3)}]" if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


_present: _gettext.NullTranslations = _gettext.NullTranslations()
_name = "en"
version = 0  # counts changes of the language


def use(language: str) -> None:
    """Set the language of all texts: a key of LANGUAGES; one without a catalogue is English."""
    global _present, _name, version
    name = _system_language() if language == "system" else language
    if name != _name:
        _name, version = name, version + 1
        _present = _Pseudo() if name == "pseudo" else _catalogue(name)


def offered(used: str = "") -> tuple[str, ...]:
    """Return the languages to choose from; the pseudo-language for developers only, or if it is `used`."""
    return tuple(name for name in LANGUAGES if name != "pseudo" or name == used or os.environ.get(DEVELOPER))


def present() -> str:
    """Return the language in use: "en", "de", "pseudo" …"""
    return _name


def _(text: str) -> str:
    """Return `text` in the language in use."""
    return _present.gettext(text) if text else ""


def ngettext(one: str, many: str, count: int) -> str:
    """Return the sentence for `count` things in the language in use."""
    return _present.ngettext(one, many, count)


def N_(text: str) -> str:
    """Mark a declared text for the catalogue; it is translated where it is shown."""
    return text


_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?")
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_MARKS = {"de": str.maketrans(",.", ".,")}
"""Decimal point and thousands separator of languages that write them otherwise than English."""


def local_number(text: str) -> str:
    """Return a formatted number as the language in use writes it, with a real minus sign.

    >>> use("de")
    >>> local_number(f"{1234.5:,.1f}"), local_number(f"{0.57:.0%}"), local_number(f"{-4}")
    ('1.234,5', '57\xa0%', '−4')
    >>> use("en")
    """
    text, marks = _MINUS.sub("\N{MINUS SIGN}", text), _MARKS.get(_name)
    if marks is None:
        return text
    return _NUMBER.sub(lambda found: found[0].translate(marks).replace("%", "\N{NO-BREAK SPACE}%"), text)


def compound(name: str) -> str:
    """Return a name as the first part of a compound word, which German joins with hyphens: "Vier-gewinnt-KI".

    >>> use("de")
    >>> compound("Vier gewinnt") + "-KI"
    'Vier-gewinnt-KI'
    >>> use("en")
    """
    return name.replace(" ", "-") if _name == "de" else name


def percent(share: float) -> str:
    """Return a share in whole percent: "57%", "57 %"."""
    return local_number(f"{share:.0%}")


def clock_text(seconds: float) -> str:
    """Return a length in minutes and seconds, with tenths that are not zero.

    >>> clock_text(13.7), clock_text(120)
    ('0:13.7', '2:00')
    """
    tenths = floor(seconds * 10 + 1e-6)
    part = f".{tenths % 10}" if tenths % 10 else ""
    return local_number(f"{tenths // 600}:{tenths // 10 % 60:02}{part}")


def duration_text(seconds: float) -> str:
    """A length of time in words: ``less than a minute``, ``5 min``, ``1 h 20 min``."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return _("less than a minute")
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("{count} min").format(count=minutes)
    return (_("{hours} h {minutes} min") if rest else _("{hours} h")).format(hours=hours, minutes=rest)


MONTHS = (
    N_("January"), N_("February"), N_("March"), N_("April"), N_("May"), N_("June"), N_("July"), N_("August"),
    N_("September"), N_("October"), N_("November"), N_("December"),
)  # fmt: skip


def day_text(day: date) -> str:
    """Return a day of this year in words: "3 March", "3. März"."""
    return _("{day} {month}").format(day=day.day, month=_(MONTHS[day.month - 1]))


def date_text(day: date) -> str:
    """Return a date in words: "3 March 2026", "3. März 2026"."""
    return _("{day} {month} {year}").format(day=day.day, month=_(MONTHS[day.month - 1]), year=day.year)


def _catalogue(name: str) -> _gettext.NullTranslations:
    return _gettext.translation("arcade", localedir=asset("locale"), languages=[name], fallback=True)


def _system_language() -> str:
    code = (locale.getlocale()[0] or "en").partition("_")[0].lower()
    return code if code in LANGUAGES else "en"
