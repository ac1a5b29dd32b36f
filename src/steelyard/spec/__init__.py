"""The spec layer."""
