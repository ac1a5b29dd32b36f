"""Asking a model: an HTTP endpoint, an embedded local model, or recorded replies."""
