"""Signatures: what each machine signs of a result, so that a row of the ladder can be shown to be that of all.

A statement is the JSON of the match, sorted by name without spaces.  It is signed with Ed25519, by a key that is made
from the machine's own CURVE key.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from agents.wire.keys import Keys
from arcade.match.play.result import MatchResult
from arcade.together.messages import Signature

FACTS = ("game", "seed", "ticks", "ended", "lineup", "placements", "returns", "actions")
"""What is signed of a result, beside the id of the match."""


def statement(result: Mapping[str, Any], match: str) -> bytes:
    """What machines sign of a result, or of a row of the ladder, with the id of its match."""
    facts = {name: result[name] for name in FACTS} | {"seed": str(result["seed"]), "match": match}
    return json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()


def sign(result: MatchResult, match: str) -> Signature:
    """This machine's signature."""
    seed = blake2b(Keys().own().secret, digest_size=32, person=b"arcade results").digest()
    key = SigningKey(seed)
    return Signature(bytes(key.verify_key), key.sign(statement(result.as_json(), match)).signature)


def is_valid(signature: Signature, result: Mapping[str, Any], match: str) -> bool:
    """Whether that key has signed this result."""
    try:
        VerifyKey(signature.key).verify(statement(result, match), signature.text)
    except (BadSignatureError, ValueError):
        return False
    return True


def signed(
    result: MatchResult, match: str, signatures: Mapping[str, Signature], names: Mapping[str, str]
) -> MatchResult:
    """The result with the valid signatures of machines by number; `names` of the machines."""
    facts = result.as_json()
    found = [
        {"machine": names.get(number, ""), "key": one.key.hex(), "signature": one.text.hex()}
        for number, one in signatures.items() if is_valid(one, facts, match)
    ]  # fmt: skip
    return replace(result, settings={**result.settings, "signatures": found})


def signers(row: Mapping[str, Any]) -> list[str]:
    """The machines whose signatures in a row of the ladder are valid."""
    return [one["machine"] for one in _of(row) if is_valid(_read(one), row, str(row["settings"]["online"]))]


def _of(row: Mapping[str, Any]) -> Iterable[Mapping[str, str]]:
    found = row["settings"].get("signatures", [])
    return found if isinstance(found, list) else []


def _read(one: Mapping[str, str]) -> Signature:
    return Signature(bytes.fromhex(one["key"]), bytes.fromhex(one["signature"]))
