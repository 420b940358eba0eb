"""Chess and go engines in seats: UCI and GTP."""
