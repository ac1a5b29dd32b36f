"""The metrics layer."""
