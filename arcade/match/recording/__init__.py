"""Recording a match while it is played."""
