"""The JSON value that is the answer."""
