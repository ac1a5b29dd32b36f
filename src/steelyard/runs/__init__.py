"""One model over many samples: plan, ask, keep, score, judge, tell."""
