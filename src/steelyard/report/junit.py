"""JUnit XML, which every CI can show: one test case for each benchmark that a gate decided on."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from steelyard.report.gate_faces import every
from steelyard.runs.gate import Decided, Gated, Verdict

# XML has no way to say these, not even escaped.
_UNSAYABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELEMENTS = {Verdict.NO_GO: "failure", Verdict.INCONCLUSIVE: "error"}


def gate_junit(gated: Gated) -> bytes:
    """The document: GO passes, NO-GO is a failure, and INCONCLUSIVE an error, since nothing was shown."""
    decided = every(gated)
    counts = {
        name: sum(_ELEMENTS.get(one.verdict) == name for one in decided)
        for name in ("failure", "error")
    }
    told = {
        "tests": str(len(decided)),
        "failures": str(counts["failure"]),
        "errors": str(counts["error"]),
    }
    root = ElementTree.Element("testsuites", {"name": "steelyard gate", **told})
    suite = ElementTree.SubElement(root, "testsuite", {"name": "steelyard gate", **told})
    properties = ElementTree.SubElement(suite, "properties")
    ElementTree.SubElement(properties, "property", {"name": "verdict", "value": str(gated.verdict)})
    for one in decided:
        _case(suite, one)
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _case(suite: ElementTree.Element, one: Decided) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", {"classname": "steelyard.gate", "name": _sayable(one.name), "time": "0"}
    )
    if one.verdict in _ELEMENTS:
        kind = {"type": str(one.verdict), "message": _sayable(one.reason)}
        ElementTree.SubElement(case, _ELEMENTS[one.verdict], kind).text = _sayable(one.reason)
    numbers = (
        ("difference", one.difference),
        ("lower bound", one.lower),
        ("upper bound", one.upper),
        ("margin", one.margin),
    )
    lines = [f"{name}: {value:+.6f}" for name, value in numbers if value is not None]
    lines += [f"pairs: {one.pairs} of {one.asked}", f"confidence: {one.confidence:g}", *one.allowed]
    ElementTree.SubElement(case, "system-out").text = _sayable("\n".join(lines))


def _sayable(text: str) -> str:
    return _UNSAYABLE.sub("\ufffd", text)
