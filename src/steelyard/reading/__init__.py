"""Read the answer of a response: eight rules, three outcomes (found, unclear, missing).

It may import steelyard.values and core modules.
Start with rules.py; the marks are in marks.tsv.
"""

from steelyard.reading.code_blocks import CodeBlock, code_blocks, find_code
from steelyard.reading.found import Found, Step, Trace
from steelyard.reading.json_values import extract_json, find_json
from steelyard.reading.letters import find_choice
from steelyard.reading.lines import find_answer
from steelyard.reading.numbers import find_number
from steelyard.reading.patterns import find_pattern
from steelyard.registry import extractor

__all__ = [
    "CodeBlock",
    "Found",
    "Step",
    "Trace",
    "code_blocks",
    "extract_json",
    "extractor",
    "find_answer",
    "find_choice",
    "find_code",
    "find_json",
    "find_number",
    "find_pattern",
]
