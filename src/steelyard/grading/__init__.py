"""Programs graded by what they give back: tasks, verdicts, comparisons, and the record that is kept."""
