"""Numbers about many scores: pass@k, intervals, breakdowns by category, kinds of failure."""

from steelyard.metrics.aggregation import CategoryStats, category_breakdown
from steelyard.metrics.clusters import Clusters, default_interval
from steelyard.metrics.failures import FAILURE_CATEGORIES, ArtifactCollector, classify_failure
from steelyard.metrics.intervals import (
    NO_BOUND,
    Interval,
    bootstrap_ci,
    mean_interval,
    wilson_interval,
)
from steelyard.metrics.passk import pass_at_k, pass_hat_k
from steelyard.metrics.repeats import (
    CurvePoint,
    best_of_k,
    learning_curve,
    majority_at_k,
    over_problems,
)

__all__ = [
    "FAILURE_CATEGORIES",
    "NO_BOUND",
    "ArtifactCollector",
    "CategoryStats",
    "Clusters",
    "CurvePoint",
    "Interval",
    "best_of_k",
    "bootstrap_ci",
    "category_breakdown",
    "classify_failure",
    "default_interval",
    "learning_curve",
    "majority_at_k",
    "mean_interval",
    "over_problems",
    "pass_at_k",
    "pass_hat_k",
    "wilson_interval",
]
