"""What two answers are compared as: normal text, exact numbers, formulas."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from steelyard.values.formulas import same_value
from steelyard.values.normal import normal_form, same_text
from steelyard.values.quantities import exact_number, same_number


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("The **U.S.A.**", "usa"),
        ("Vitamin A", "vitamin a"),
        ("A, B", "a b"),
        ("an *apple*", "apple"),
        ("$1,234.50", "1234.50"),
        ("−5", "-5"),
        ("x-5", "x 5"),
        ("3/4", "3/4"),
        ("and/or", "and or"),
        ("20 %", "20%"),
        ("C++", "c++"),
        (".NET", ".net"),
        ("C#", "c#"),
        ("10²", "10^2"),
        ("2½", "2 1/2"),
        ("5'10\"", "5 10"),
        ("don’t", "dont"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ＡＢＣ", "abc"),
        ("e\u0301", "é"),
        ("a\u200bb", "ab"),
        ("\\text{Paris}", "paris"),
        ("(1,2)", "1 2"),
        ("!!!", ""),
        ("\ud800", ""),
        ("", ""),
    ],
)
def test_normal_form(text: str, form: str) -> None:
    assert normal_form(text) == form


@pytest.mark.parametrize(
    ("got", "want", "same"),
    [
        ("the Beatles", "Beatles!", True),
        ("U.S.A.", "US", False),
        ("−5", "5", False),
        ("1.5", "15", False),
        ("C++", "C", False),
        ("!!!", "!!!", True),
        ("!!!", "...", False),
        ("🙂", "🙃", False),
        ("", "", False),
        ("\u200b", "\u200b", False),
    ],
)
def test_same_text(got: str, want: str, same: bool) -> None:
    assert same_text(got, want) is same
    assert same_text(want, got) is same


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("42", (Decimal(42), "")),
        ("**$1,234.50**", (Decimal("1234.50"), "")),
        ("-.5", (Decimal("-0.5"), "")),
        ("1/2", (Fraction(1, 2), "")),
        ("1 1/2", (Fraction(3, 2), "")),
        ("\\frac{1}{2}", (Fraction(1, 2), "")),
        ("½", (Fraction(1, 2), "")),
        ("5 km", (Decimal(5), "km")),
        ("5 million", (Decimal(5_000_000), "")),
        ("3 × 10^5", (Decimal(300_000), "")),
        ("٣٫١٤", (Decimal("3.14"), "")),
        ("9" * 5000, (Decimal("9" * 5000), "")),
        ("1e400", (Decimal("1e400"), "")),
        ("1e99999999999999999999", None),
        ("1/0", None),
        ("(1,2)", None),
        ("2π", None),
        ("x2", None),
        ("3 or 4", None),
        ("", None),
        ("\ud800", None),
    ],
)
def test_exact_number(text: str, number: Any) -> None:
    assert exact_number(text) == number


@pytest.mark.parametrize(
    ("got", "want", "same"),
    [
        ("3.0", "3", True),
        ("1/2", "0.5", True),
        ("0.1", "1/10", True),
        ("50%", "50", True),
        ("50%", "0.5", False),
        ("1/3", "0.333", False),
        ("5 km", "5", True),
        ("5 km", "5 m", False),
        ("-5", "5", False),
        ("0.1000000000000000055511151231257827", "0.1", False),
        ("5", "five", None),
        ("Paris", "5", None),
        ("1/0", "1/0", None),
    ],
)
def test_same_number(got: str, want: str, same: bool | None) -> None:
    assert same_number(got, want) is same
    assert same_number(want, got) is same


@pytest.mark.parametrize(
    ("got", "want", "same"),
    [
        ("3.0", "3", True),
        ("\\frac{1}{2}", "1/2", True),
        ("$x^2$", "x^{2}", True),
        ("\\dfrac{1}{x}", "1/x", True),
        ("[1, 2)", "\\left[1,2\\right)", True),
        ("(1, 2)", "1,2", True),
        ("the Beatles", "Beatles", True),
        ("(1,2)", "(12)", False),
        ("[1,2]", "(1,2)", False),
        ("x^2", "x2", False),
        ("1+x", "x+1", False),
        ("−x", "x", False),
        ("5!", "120", False),
        ("Paris", "Rome", False),
        ("x", "", False),
        ("", "", False),
        ("{" * 3000, "}" * 3000, False),
        ("\\frac{" * 300, "\\frac{" * 300, True),
        ("(" * 5000 + "x" + ")" * 5000, "x", True),
        ("\ud800", "x", False),
    ],
)
def test_same_value(got: str, want: str, same: bool) -> None:
    assert same_value(got, want) is same
    assert same_value(want, got) is same
