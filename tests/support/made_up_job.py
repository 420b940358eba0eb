"""A job without work: a test sets how far it is, and ends it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class MadeUpJob:
    """A Job in the state that a test gives it."""

    title: str
    progress: float | None = None
    text: str = ""
    done: bool = False

    def end(self, text: str = "Done") -> None:
        """End it well."""
        self.text, self.done = text, True

    def cancel(self) -> None:
        """End it as a person does."""
        self.end("Cancelled")
