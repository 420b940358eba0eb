"""All commands speak alike: --json everywhere, one name for one option, and the same verbs for the same thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from arcade.commands.cli import app

PASSED_ON = {"arcade train", "arcade imitate"}  # to the trainer, which has its own options
GROUPS = {
    "games": {"list", "show"},
    "recordings": {"list", "show", "rename", "delete", "export"},
    "snapshots": {"list", "show", "rename", "delete", "export", "import", "compare"},
    "runs": {"list", "show", "logs", "compare", "delete"},
    "ladder": {"show", "run", "export"},
}


def leaves(group: Any, name: str = "arcade") -> Iterator[tuple[str, Any]]:
    for word, command in group.commands.items():
        if not command.hidden:
            yield from (
                leaves(command, f"{name} {word}") if hasattr(command, "commands") else [(f"{name} {word}", command)]
            )


COMMANDS = dict(leaves(typer.main.get_command(app)))


def options_of(command: Any) -> dict[str, Any]:
    return {name: one for one in command.params for name in one.opts if name.startswith("--")}


def test_every_command_answers_in_json() -> None:
    assert len(COMMANDS) > 50
    assert [name for name, command in COMMANDS.items() if "--json" not in options_of(command)] == sorted(
        PASSED_ON, reverse=True
    )


def test_an_option_has_one_meaning() -> None:
    kinds: dict[str, set[str]] = {}
    for command in COMMANDS.values():
        for name, one in options_of(command).items():
            kinds.setdefault(name, set()).add("flag" if one.is_flag else "value")
    assert {name for name, found in kinds.items() if len(found) > 1} == set()


def test_what_can_be_listed_can_be_shown_and_is_deleted_by_the_same_word() -> None:
    for group, verbs in GROUPS.items():
        assert {name.split()[-1] for name in COMMANDS if name.startswith(f"arcade {group} ")} >= verbs, group
    for name, command in COMMANDS.items():
        if name.endswith(" delete"):
            assert "--yes" in options_of(command), name
        assert command.help, name
