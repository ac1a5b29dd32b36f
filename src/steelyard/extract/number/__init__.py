"""The number that a response gives as its answer."""
