"""Numbers as people and models write them, read to their exact value."""
