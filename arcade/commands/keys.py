"""``arcade keys``: our own key, and the peers whose keys we allow."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from arcade.commands.options import Json

keys_app = typer.Typer(help="Keys of those who may reach your servers and trainers.", no_args_is_help=True)

Name = Annotated[str, typer.Option("--name", help="Who it is, as in 'Ada' or 'laptop upstairs'.")]


@keys_app.command("show")
def show(as_json: Json = False) -> None:
    """Show your own key, which others allow and write into addresses, and those that you allow."""
    from zmq.utils import z85

    from agents.wire.keys import Keys
    from arcade.commands.terminal import print_table

    keys = Keys()
    own, allowed = keys.own().public, keys.allowed()
    if as_json:
        peers = [{"name": name, "key": key.hex()} for key, name in allowed.items()]
        facts = {"key": own.hex(), "z85": z85.encode(own).decode(), "folder": str(keys.folder), "allowed": peers}
        print(json.dumps(facts))
        return
    print(f"your key: {own.hex()}")
    print_table(("allowed", ">key"), ((name, key.hex()) for key, name in allowed.items()))


@keys_app.command("allow", context_settings={"ignore_unknown_options": True})  # keys in Z85 may begin with -
def allow(
    key: Annotated[str, typer.Argument(help="What `arcade keys show` shows there, or a key in Z85.")],
    name: Name,
    as_json: Json = False,
) -> None:
    """Let a peer reach your servers and trainers: it can play, watch, and control training."""
    from agents.wire.keys import Keys, read_key

    peer = read_key(key)
    Keys().allow(peer, name=name)
    print(json.dumps({"allowed": name, "key": peer.hex()}) if as_json else f"allowed {name}")


@keys_app.command("revoke")
def revoke(name: Annotated[str, typer.Argument(help="The name it was allowed by.")], as_json: Json = False) -> None:
    """Keep a peer out, from its next connection on."""
    from agents.wire.keys import Keys

    Keys().revoke(name)
    text = f"revoked {name}; connections that are open stay until they end: restart a server to end them"
    print(json.dumps({"revoked": name}) if as_json else text)
