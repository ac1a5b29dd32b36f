"""The arena over HTTP: the API, and the pages."""
