"""Pages of the documentation that are written from the code: commands, settings, the Python API, and all games."""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer


def write_reference(folder: Path) -> None:
    """Write all pages into `folder`."""
    folder.mkdir(exist_ok=True)
    pages = {"commands": commands(), "settings": settings(), "api": api(), "games": games(folder)}
    for name, lines in pages.items():
        text = "\n".join(lines) + "\n"
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text("utf-8") != text:  # an unchanged page is not built again
            path.write_text(text, "utf-8")


def commands() -> Iterator[str]:
    """Every command with its arguments and options."""
    from arcade.commands.cli import app

    yield "# Commands\n\nAs `arcade COMMAND --help` shows them.\n"
    yield from _group(typer.main.get_command(app), "arcade")


def _group(group: Any, name: str) -> Iterator[str]:
    for word, command in group.commands.items():
        if command.hidden:
            continue
        yield f"## {name} {word}\n\n{_plain(command.help)}\n"
        if hasattr(command, "commands"):
            yield from _group(command, f"{name} {word}")
            continue
        rows = [(_names(one), _plain(getattr(one, "help", "") or "")) for one in command.params if not _is_help(one)]
        if rows:
            yield from _table(("option", "what it does"), rows)


def _is_help(parameter: Any) -> bool:
    return "--help" in parameter.opts or getattr(parameter, "hidden", False)


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.name.upper()}`"
    return ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))


def settings() -> Iterator[str]:
    """All settings of a run, those of each algorithm in a section of its own."""
    from trainer.config.algorithms import ALGORITHMS
    from trainer.config.explaining import make_schema

    yield "# Settings of a run\n\nIn a file (`--config`), or on the command line as `--set SECTION.KEY=VALUE`.\n"
    usual = make_schema("PPO")
    plain = {name: field for name, field in usual["properties"].items() if "$ref" not in field and name != "training"}
    yield "## The run\n"
    yield from _fields(plain, usual)
    for name, field in usual["properties"].items():
        if "$ref" in field and name != "training":
            section = _resolved(field, usual)
            yield f"## {name}\n\n{_plain(section.get('description', ''))}\n"
            yield from _fields(section["properties"], usual)
    for algorithm in ALGORITHMS:
        schema = make_schema(algorithm)
        yield f"## training, with {algorithm}\n"
        yield from _fields(_resolved(schema["properties"]["training"], schema)["properties"], schema)


def _resolved(field: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = field.get("$ref") or next((one["$ref"] for one in field.get("allOf", ()) if "$ref" in one), "")
    return schema["$defs"][reference.rpartition("/")[2]] if reference else field


def _fields(fields: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    rows = [
        (f"`{name}`", f"`{field['default']!r}`" if "default" in field else "", _plain(field.get("description", "")))
        for name, field in fields.items()
    ]
    yield from _table(("setting", "default", "what it is"), rows)


def api() -> Iterator[str]:
    """The public names of the three packages."""
    import agents
    import arcade
    import trainer

    yield "# The Python API in full\n\n[The Python API](../build/python.md) is the introduction.\n"
    for package in (arcade, agents, trainer):
        yield f"## {package.__name__}\n"
        for name in package.__all__:
            value = getattr(package, name)
            if inspect.ismodule(value):
                continue
            yield f"### {package.__name__}.{name}\n"
            yield from _signature(name, value)
            yield from _docstring(value)
            for method, function in vars(value).items() if inspect.isclass(value) else ():
                if not method.startswith("_") and inspect.isfunction(function) and function.__doc__:
                    yield f"**{method}**\n"
                    yield from _signature(method, function)
                    yield from _docstring(function)


def _signature(name: str, value: Any) -> Iterator[str]:
    try:
        text = str(inspect.signature(value))
    except (TypeError, ValueError):
        return
    yield f"```text\n{name}{text}\n```\n"


def _docstring(value: Any) -> Iterator[str]:
    """As Markdown: examples and indented lines as code, lines such as ``seed: of the match`` as a list."""
    for block in (inspect.getdoc(value) or "").split("\n\n"):
        if block.startswith((">>>", "    ", "@")):
            yield f"```python\n{inspect.cleandoc(block)}\n```\n"
        elif re.match(r"\w+: ", block):
            yield re.sub(r"^(\w+): ", r"- `\1`: ", _escaped(block), flags=re.MULTILINE) + "\n"
        else:
            yield f"{_escaped(block)}\n"


def _escaped(text: str) -> str:
    """Text outside code without what Markdown takes for marks."""
    parts = re.split(r"(`+[^`]*`+)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*<|])", r"\\\1", part) for part in parts)


def games(folder: Path) -> Iterator[str]:
    """A gallery: picture, what one does, seats, controls, levels and their measured strength of each game."""
    from arcade.assets import asset
    from arcade.games.catalogue import built_in_games
    from arcade.games.third_party.listed import listed_games

    pictures = folder / "pictures"
    shutil.copytree(asset("games"), pictures, dirs_exist_ok=True)
    yield "# All games\n"
    yield (
        "The strength of a level is that of `arcade strengths`: the win rate against random moves and against the "
        "level below, or the return gained where a win says little, with 95% intervals.\n"
    )
    for family in dict.fromkeys(spec.family for spec in built_in_games()):
        yield f"## {family}\n"
        for spec in built_in_games():
            if spec.family == family:
                yield from _game(spec, pictures)
    yield "## Games of other packages\n\nThey are in the catalogue once their package is installed.\n"
    rows = [(f"`{spec.id}`", spec.summary, str(spec.seats), f"`pip install {spec.pip}`") for spec in listed_games()]
    yield from _table(("game", "what you do", "seats", "install"), rows)


def _game(spec: Any, pictures: Path) -> Iterator[str]:
    from agents.snapshots.store import BUNDLED, SnapshotStore

    yield f"### {spec.title}\n"
    picture = pictures / f"{spec.id.replace('/', '-')}.png"
    if picture.exists():
        yield f"```{{image}} pictures/{picture.name}\n:alt: {spec.title}\n:width: 320px\n```\n"
    yield f"{spec.summary}\n"
    first = spec.controls_of(spec.agents[0])
    moves = "; ".join(f"{row.words}: {', '.join(row.controls)}" for row in first.rows[:12])
    pace = "turn-based" if spec.turn_based else f"{spec.fps:g} ticks a second"
    has_levels = spec.has_levels or SnapshotStore(BUNDLED).list(spec.id)
    rows = [
        ("id", f"`{spec.id}`"), ("seats", f"{spec.seats} in {len(spec.teams)} teams, {pace}"), ("controls", moves),
        ("AI levels", "easy, normal, hard, expert" if has_levels else ""),
    ]  # fmt: skip
    yield from _table(("", ""), [row for row in rows if row[1]])
    yield from _strength(spec.id)


def _strength(game: str) -> Iterator[str]:
    """The levels of a game as measured; nothing where they were not."""
    from arcade.games.strengths import measured

    if game not in measured():
        return
    found = measured()[game]
    rows = [(one.title, _figure(one.versus_random), _figure(one.versus_below)) for one in found.levels]
    yield from _table((f"level ({found.measure})", "against random", "against the level below"), rows)


def _figure(figure: Any) -> str:
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def _plain(text: str | None) -> str:
    return " ".join((text or "").split()).replace("<", "&lt;")
