"""The normal forms and the number reader that everything else shares."""

from steelyard.text.normal import normalise
from steelyard.text.number.read import Number, read_number
from steelyard.text.number.value import same_value
from steelyard.text.visible import visible

__all__ = ["Number", "normalise", "read_number", "same_value", "visible"]
