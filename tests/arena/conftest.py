"""What the tests of the arena stand on."""

from arenas import arena, clock, database, store_url

__all__ = ["arena", "clock", "database", "store_url"]
