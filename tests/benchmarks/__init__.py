"""What the project promises about speed; each module prints one JSON object."""
