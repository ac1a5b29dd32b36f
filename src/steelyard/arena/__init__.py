"""A standing competition: challenges, timed matches, and ratings that can be computed again."""
