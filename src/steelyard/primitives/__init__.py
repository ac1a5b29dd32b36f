"""The primitives layer."""
