"""Sheets: a form's sections cut to what fits beside the list of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from arcade.session.training.form import Form
from arcade.session.training.schema import SettingField

ROWS = 10
"""Fields on a sheet."""

OWN_ROWS = 2
"""Rows of the first sheet that are the window's own: they are there without a form too."""


@dataclass(frozen=True, slots=True)
class FormPage:
    """One entry of the list, and what stands beside it."""

    title: str
    hint: str
    fields: tuple[SettingField, ...] = ()

    def is_wrong(self, form: Form | None) -> bool:
        """Whether the trainer found something wrong here."""
        return form is not None and any(field.path in form.errors for field in self.fields)


def make_sheets(form: Form | None) -> tuple[FormPage, ...]:
    """At least one: the run's own."""
    sheets: list[FormPage] = []
    for section in form.sections if form is not None else ():
        first = ROWS if sheets else ROWS - OWN_ROWS
        cuts = [0, *range(first, len(section.fields), ROWS), len(section.fields)]
        pieces = [section.fields[start:end] for start, end in pairwise(cuts)]
        for place, fields in enumerate(pieces, 1):
            title = section.title if len(pieces) == 1 else f"{section.title} {place}"
            sheets.append(FormPage(title.capitalize(), section.hint, fields))
    return tuple(sheets) or (FormPage("Run", ""),)
