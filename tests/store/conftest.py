"""What the tests of the store stand on."""

from arenas import arena, clock, database, store_url

__all__ = ["arena", "clock", "database", "store_url"]
