"""Messages between processes over ZeroMQ: encoding, policy client and server, events, remote control."""
