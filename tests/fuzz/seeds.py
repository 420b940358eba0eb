"""Writes the seeds of every parser into tests/corpus: ``python -m tests.fuzz.seeds``."""

from __future__ import annotations

from tests.fuzz.parser import NAMES, find_parser


def main() -> None:
    for name in NAMES:
        parser = find_parser(name)
        parser.corpus.mkdir(parents=True, exist_ok=True)
        for seed, data in parser.make_seeds().items():
            (parser.corpus / seed).write_bytes(data)
            print(f"{parser.corpus / seed}: {len(data)} bytes")


if __name__ == "__main__":
    main()
