"""What the tests of the store stand on."""

from arenas import arena, clock, database, store_url
from gatherings import server

__all__ = ["arena", "clock", "database", "server", "store_url"]
