"""The batch layer."""
