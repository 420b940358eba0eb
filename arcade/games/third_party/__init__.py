"""Games from outside the catalogue: installed packages and MODULE:FUNCTION words."""
