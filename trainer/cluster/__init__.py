"""Ray clusters, the executor over them, and this machine."""
