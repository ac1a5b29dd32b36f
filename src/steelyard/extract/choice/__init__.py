"""The letter that a response chose."""
