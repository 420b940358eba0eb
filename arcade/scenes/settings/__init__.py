"""Settings, key bindings and people."""
