"""Chess and go engines, over UCI and GTP."""
