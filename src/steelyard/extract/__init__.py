"""Read the answer out of a response: what was found, where, and by which stage."""

from steelyard.extract.answer import find_answer
from steelyard.extract.choice.find import find_choice
from steelyard.extract.code import CodeBlock, code_blocks, find_code
from steelyard.extract.custom import find_pattern
from steelyard.extract.found import Found, Step, Trace
from steelyard.extract.json.value import extract_json, find_json
from steelyard.extract.number.find import find_number

__all__ = [
    "CodeBlock",
    "Found",
    "Step",
    "Trace",
    "code_blocks",
    "extract_json",
    "find_answer",
    "find_choice",
    "find_code",
    "find_json",
    "find_number",
    "find_pattern",
]
