"""A folder of runs in the browser: a list of them, and the same pages that the runs and comparisons write."""
