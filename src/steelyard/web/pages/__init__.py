"""The pages: what anybody may see of the arena, rendered on the server."""
