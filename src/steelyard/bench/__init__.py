"""Benchmarks: published tasks, and how recorded answers to them become numbers."""
