"""Scorers: a sample in, a Score out."""
from steelyard.scoring.types import ScorerInput

__all__ = ["ScorerInput"]
