"""Charts as inline SVG, one kind a file.

Places along an axis are percentages, so that a chart fits any width and its words stay readable. A shape says what a
colour says: a chart can be read in black and white. Each one stands beside its numbers, or has them in a table.
"""
