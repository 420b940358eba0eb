"""Programs that play chess and go, over UCI and GTP."""
