"""Check stored results: recompute a run from its own files.

May import everything below the arena; nothing but the faces imports it.
Start at ``verify.py``.
"""
