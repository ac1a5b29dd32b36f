"""The HTTP API, one file a subject: a handler parses, calls, answers."""
