"""Reading files that anybody may have put there: plain files only, of a bounded size, without ever waiting for one."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from agents.platform import system

T = TypeVar("T")

MAX_BYTES = 2**20
"""Of a file of settings."""

MAX_DEPTH = 64
"""Of lists and tables in each other."""

MAX_INTEGER = 2**128
"""Seeds may be longer than SQLite's integers."""

KEPT_ASIDE = 9
"""Spoilt files of one name; the oldest goes for another."""


class FileError(ValueError):
    """A file that is too large, or that holds what no file of ours does."""


def read_file(path: Path, *, most: int = MAX_BYTES, follow: bool = True) -> bytes:
    """The content of a plain file, or without `follow` of one that is no link.

    Raises FileError for a file of more than `most` bytes, OSError for a missing one, a pipe, a device or a folder.
    """
    with open(system.open_regular(path, follow=follow), "rb") as file:
        if os.fstat(file.fileno()).st_size > most:
            raise FileError(f"a file of more than {most} bytes")
        content = file.read(most + 1)
    if len(content) > most:  # it grew
        raise FileError(f"a file of more than {most} bytes")
    return content


def read_json(path: Path, *, most: int = MAX_BYTES) -> Any:
    """What a file of JSON holds; raises OSError or FileError, as `read_file` and `parse_json` do."""
    return parse_json(read_file(path, most=most))


def read_toml(path: Path, *, most: int = MAX_BYTES) -> dict[str, Any]:
    """The same for TOML."""
    return parse_toml(read_file(path, most=most))


def parse_json(text: str | bytes) -> Any:
    """The value; raises FileError for text that is no JSON, is nested too deep, or has an integer that is too large."""
    import json

    return _parsed(json.loads, text)


def parse_toml(text: str | bytes) -> dict[str, Any]:
    """The same for TOML."""
    import tomllib  # on demand: a first start has nothing to read

    found: dict[str, Any] = _parsed(tomllib.loads, text)
    return found


def _parsed(parse: Callable[[str], Any], text: str | bytes) -> Any:
    try:
        value = parse(text.decode("utf-8") if isinstance(text, bytes) else text)
    except RecursionError as error:
        raise FileError(f"more than {MAX_DEPTH} lists in each other") from error
    except ValueError as error:  # text that is no UTF-8 too
        raise FileError(str(error)) from error
    _check(value, MAX_DEPTH)
    return value


def _check(value: Any, depth: int) -> None:
    if isinstance(value, int) and not -MAX_INTEGER < value < MAX_INTEGER:
        raise FileError("an integer of more than 128 bits")
    if isinstance(value, (dict, list)):
        if depth == 0:
            raise FileError(f"more than {MAX_DEPTH} lists in each other")
        for inner in value.values() if isinstance(value, dict) else value:
            _check(inner, depth - 1)


class FileWarning(str):
    """A warning about a file that is not valid, in English; screens make their own words from its parts."""

    def __new__(cls, words: str, path: Path, *, kept: Path | None = None, unknown: Sequence[str] = ()) -> FileWarning:
        """`kept`: where the file is now; `unknown`: keys of a valid file that are ignored."""
        warning = super().__new__(cls, words)
        warning.path, warning.kept, warning.unknown = path, kept, tuple(unknown)
        return warning

    path: Path
    kept: Path | None
    unknown: tuple[str, ...]


def set_aside(path: Path, error: Exception, *, what: str, instead: str = "the defaults are used") -> FileWarning:
    """Rename a file that cannot be used to ``NAME.bad``, or ``NAME.bad2`` …; returns a warning for people."""
    names = (path.with_name(f"{path.name}.bad{number}") for number in ("", *range(2, KEPT_ASIDE + 1)))
    bad = next((name for name in names if not os.path.lexists(name)), path.with_name(f"{path.name}.bad"))
    words = f"expected {what} in {path}, got: {str(error).splitlines()[0]}"
    try:
        os.replace(path, bad)
    except OSError:
        return FileWarning(f"{words}; it stays where it is and {instead}", path)
    return FileWarning(f"{words}; it is kept as {bad} and {instead}", path, kept=bad)


def load_toml(
    path: Path, read: Callable[[Mapping[str, Any]], T], *, default: T, known: Collection[str], what: str
) -> tuple[T, str]:
    """The settings that `read` parses from a TOML file, and a warning for people ("" for none); never fails.

    `default` is returned where there is no file, and where `read` raises ValueError: the file is then kept as
    ``NAME.bad`` beside it.  Keys that are not `known` are ignored with a warning.
    """
    if not os.path.lexists(path):
        return default, ""
    try:
        raw = read_toml(path)
        found = read(raw)
    except (OSError, ValueError, RecursionError) as error:
        return default, set_aside(path, error, what=what)
    unknown = sorted(set(raw) - set(known))
    if unknown:
        words = f"expected {what} among {', '.join(known)}, got: {', '.join(unknown)} in {path}; ignored"
        return found, FileWarning(words, path, unknown=unknown)
    return found, ""
