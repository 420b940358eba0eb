"""Theme, text, widgets, tables and charts."""
