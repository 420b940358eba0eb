"""Fuzzes one parser by Atheris, guided by coverage, until libFuzzer ends this process; `tests.fuzz` starts it."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

from tests.fuzz.findings import Findings
from tests.fuzz.parser import find_parser, quicken

PACKAGES = ["agents", "arcade", "trainer", "tests.fuzz.parsers", "tomllib"]
"""Their lines and comparisons are seen; what is written in C is not."""


def main(name: str, folder: Path, flags: list[str]) -> None:
    """Keep new inputs and findings in `folder`; `flags` are libFuzzer's."""
    quicken()
    with atheris.instrument_imports(include=PACKAGES, enable_loader_override=False):
        parser = find_parser(name)
    findings = Findings(parser, folder / "findings")
    grown = folder / "corpus"
    grown.mkdir(parents=True, exist_ok=True)
    words = folder / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in parser.words), "ascii")
    atheris.Setup(
        [sys.argv[0], f"-dict={words}", f"-artifact_prefix={folder}/", *flags, str(grown), str(parser.corpus)],
        findings.take,
    )
    atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
