"""``arcade doctor``: what of this machine the arcade can use, and what to do about the rest; ``arcade paths``."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Literal

import typer

from arcade.commands.options import Json, tracked

State = Literal["ok", "missing", "problem"]
"""missing: something that not everybody needs; problem: something that the arcade needs."""

PROBE_SECONDS = 30
LEAST_FREE_BYTES = 500 * 2**20

PACKAGE = "pettingzoo-arcade"
EXTRAS = ("train", "data", "libraries", "games")
"""Those of people who train or build; the others are for work on the arcade itself."""

FILES = (
    "settings.toml", "controls.toml", "people.toml", "ladder.sqlite", "replays", "snapshots", "runs", "tournaments",
    "videos", "screenshots", "keys",
)  # fmt: skip
"""What is below ``ARCADE_HOME``."""

PROGRAMS = {"stockfish": "chess against Stockfish", "gnugo": "go against GNU Go"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    state: State
    text: str
    hint: str = ""


def doctor(as_json: Json = False) -> None:
    """Check display, sound, gamepads, games, extras, disk, ports and keys; status 1 where something is wrong."""
    findings = [finding for check in tracked(CHECKS, len(CHECKS), "checks", quiet=as_json) for finding in check()]
    if as_json:
        print(json.dumps({"findings": [asdict(finding) for finding in findings]}))
    else:
        _print(findings)
    raise typer.Exit(int(any(finding.state == "problem" for finding in findings)))


def paths(as_json: Json = False) -> None:
    """Show the folders that the arcade uses."""
    found = _paths()
    if as_json:
        print(json.dumps(found))
        return
    for name, path in found.items():
        print(f"{name}: {path}")


def _paths() -> dict[str, str]:
    from agents.files.folders import cache, home
    from agents.snapshots.store import BUNDLED
    from arcade.assets import asset

    root = home()
    below = {name: str(root / name) for name in FILES}
    return {
        "home": str(root), **below, "cache": str(cache(".").resolve()), "assets": str(asset()),
        "bundled snapshots": str(BUNDLED),
    }  # fmt: skip


def _python() -> Iterator[Finding]:
    from arcade import __version__

    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    yield Finding("version", "ok", f"{__version__} on Python {platform.python_version()}, {system}")


def _devices() -> Iterator[Finding]:
    """Display, sound and pads, asked in a process of their own."""
    command = [sys.executable, "-m", "arcade.engine.probe"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)
        found = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        yield Finding("display", "problem", f"SDL did not answer: {error}", "update the graphics and sound drivers")
        return
    if found["display"]:
        yield Finding("display", "ok", f"{found['display']}, {found['size'][0]} x {found['size'][1]}")
    else:
        hint = "start it on a desktop, or play without a window: arcade play GAME --headless"
        yield Finding("display", "problem", found["display_error"], hint)
    if found["sound"]:
        yield Finding("sound", "ok", found["sound"])
    else:
        yield Finding("sound", "missing", found["sound_error"], "the arcade plays without sound")
    names = ", ".join(found["pads"])
    yield Finding("gamepads", "ok", names) if names else Finding("gamepads", "missing", "none is connected")


def _graphics_cards() -> Iterator[Finding]:
    program = shutil.which("nvidia-smi")
    if program is None:
        yield Finding("graphics card", "missing", "no NVIDIA driver", "training uses the processor")
        return
    try:
        done = subprocess.run([program, "-L"], capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        yield Finding("graphics card", "missing", "nvidia-smi does not answer", "update the driver")
        return
    cards = [line.partition(" (UUID")[0] for line in done.stdout.splitlines() if line.strip()]
    yield Finding("graphics card", "ok" if cards else "missing", "; ".join(cards) or done.stderr.strip() or "none")


def _games() -> Iterator[Finding]:
    from arcade.games import game_row, games

    rows = [game_row(spec) for spec in games()]
    lacking = [row for row in rows if not row["available"]]
    text = f"{len(rows) - len(lacking)} of {len(rows)} can be played"
    hint = "; ".join(dict.fromkeys(row["reason"] for row in lacking))
    yield Finding("games", "missing" if lacking else "ok", text, hint)
    yield from _roms()


def _roms() -> Iterator[Finding]:
    """PettingZoo's Atari games need ROMs, which ale-py brings."""
    try:
        from ale_py import roms
    except ImportError:
        return
    names = roms.get_all_rom_ids()
    yield Finding("Atari ROMs", "ok" if names else "missing", str(len(names)), "" if names else "pip install ale-py")


def _extras() -> Iterator[Finding]:
    if not _is_installed(PACKAGE):
        yield Finding("extras", "missing", "unknown: the source runs without being installed", "pip install -e .")
        return
    for extra in EXTRAS:
        absent = [name for name in _packages_of(extra) if not _is_installed(name)]
        hint = f"pip install '{PACKAGE}[{extra}]'" if absent else ""
        text = f"without {', '.join(absent)}" if absent else "installed"
        yield Finding(f"extra {extra}", "missing" if absent else "ok", text, hint)


def _packages_of(extra: str) -> list[str]:
    from packaging.requirements import Requirement

    found = map(Requirement, metadata.requires(PACKAGE) or ())
    return [one.name for one in found if one.marker is not None and one.marker.evaluate({"extra": extra})]


def _is_installed(package: str) -> bool:
    try:
        return bool(metadata.version(package))
    except metadata.PackageNotFoundError:
        return False


def _programs() -> Iterator[Finding]:
    from agents.engines.engine import find_program

    for name, purpose in PROGRAMS.items():
        path = find_program(name)
        yield Finding(
            name, "ok" if path else "missing", path or "not found", "" if path else f"install it for {purpose}"
        )


def _disk() -> Iterator[Finding]:
    from agents.files.folders import home

    root = home()
    free = shutil.disk_usage(root).free
    if not os.access(root, os.W_OK):
        yield Finding("disk", "problem", f"{root} cannot be written", "set ARCADE_HOME to a folder of yours")
    else:
        hint = "" if free >= LEAST_FREE_BYTES else "recordings and training pause on a full disk: make room"
        yield Finding("disk", "problem" if hint else "ok", f"{free / 2**30:.1f} GiB free in {root}", hint)


def _ports() -> Iterator[Finding]:
    with socket.socket() as server:
        try:
            server.bind(("127.0.0.1", 0))
            server.listen()
        except OSError as error:
            yield Finding(
                "ports", "problem", f"no program can listen on 127.0.0.1: {error.strerror}", "see the firewall"
            )
            return
    yield Finding("ports", "ok", "programs can listen on 127.0.0.1")


def _keys() -> Iterator[Finding]:
    from agents.wire.keys import Keys

    keys = Keys()
    allowed = len(keys.allowed())
    yield Finding("keys", "ok", f"{keys.own().public.hex()[:16]}… in {keys.folder}; {allowed} peers allowed")


CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    _python, _devices, _graphics_cards, _games, _extras, _programs, _disk, _ports, _keys,
)  # fmt: skip

MARKS: dict[State, str] = {"ok": "[green]ok[/green]", "missing": "[yellow]--[/yellow]", "problem": "[red]no[/red]"}


def _print(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    for finding in findings:
        hint = f"\n[dim]{escape(finding.hint)}[/dim]" if finding.hint else ""
        table.add_row(MARKS[finding.state], finding.name, f"{escape(finding.text)}{hint}")
    Console().print(table)


def version(asked: bool) -> None:
    """For ``--version``."""
    if asked:
        from arcade import __version__

        print(f"pettingzoo-arcade {__version__}")
        raise typer.Exit
