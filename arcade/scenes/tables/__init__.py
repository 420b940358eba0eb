"""Tables: boards and cards drawn from the view of one seat."""
