"""The score door: recorded answers in files, scored one by one, with a summary that can be trusted."""

from steelyard.batch.block import BadLine
from steelyard.batch.own import find_scorer
from steelyard.batch.plan import ScorerPlan
from steelyard.batch.run import Options, score_files
from steelyard.batch.source import Source
from steelyard.batch.summary import Summary

__all__ = ["BadLine", "Options", "ScorerPlan", "Source", "Summary", "find_scorer", "score_files"]
