"""How machines reach each other: codes, sockets, the local network, relays."""
