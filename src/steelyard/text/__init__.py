"""The text layer."""
