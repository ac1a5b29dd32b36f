"""Numbers about many scores: pass@k, intervals, breakdowns by category, kinds of failure."""

from steelyard.metrics.aggregation import CategoryStats, category_breakdown
from steelyard.metrics.failures import FAILURE_CATEGORIES, ArtifactCollector, classify_failure
from steelyard.metrics.intervals import NO_BOUND, Interval, bootstrap_ci, mean_interval, wilson_interval
from steelyard.metrics.passk import pass_at_k

__all__ = [
    "FAILURE_CATEGORIES",
    "NO_BOUND",
    "ArtifactCollector",
    "CategoryStats",
    "Interval",
    "bootstrap_ci",
    "category_breakdown",
    "classify_failure",
    "mean_interval",
    "pass_at_k",
    "wilson_interval",
]
