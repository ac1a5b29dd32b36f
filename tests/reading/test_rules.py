"""The reading rules, case by case.

A case is (scorer, response, target, expected): the extracted value of a right answer (None for
exact_match, which extracts nothing), or WRONG, UNCLEAR, MISSING, or UNSCORED for a target that
cannot be read. Each table shows one rule.
"""

from __future__ import annotations

from typing import Any

import pytest

from steelyard.errors import DataError, SpecError
from text_scorers import EXACT, FUZZY, LETTER, LINE, NUMBER, score

WRONG, UNCLEAR, MISSING, UNSCORED = "<wrong>", "<unclear>", "<missing>", "<unscored>"
Case = tuple[str, str, str, str | None]

CUT: list[Case] = [
    (LETTER, "<think>Answer: A</think>Answer: B", "B", "B"),
    (LETTER, "<think>Answer: A", "A", MISSING),
    (LETTER, "Answer: A</think>B", "B", "B"),
    (LETTER, "Answer: A<think>Answer: B</think>", "A", "A"),
    (NUMBER, "<thinking>5</thinking>", "5", MISSING),
    (LETTER, "Answer: B<|im_end|>Answer: C", "B", "B"),
    (LETTER, "<|im_end|>Answer: C", "C", "C"),
    (LETTER, "<|channel|>analysis<|message|>A<|end|><|channel|>final<|message|>B", "B", "B"),
    (LETTER, "<|channel|>analysis<|message|>Answer: A", "A", MISSING),
    (EXACT, "<think>x</think>Paris <eoa>", "Paris", None),
    (EXACT, "Paris<|im_end|>Rome", "Paris", None),
    (LETTER, "so\n#### B <|im_end|>Answer: D and more", "B", "B"),
    (LINE, "So.<think>\nRome?\n</think>Paris", "Paris", "Paris"),
    (LETTER, "Answer: B\n\nQuestion: x\nAnswer: C", "B", "B"),
    (LETTER, "Answer: B\nQuestion 2: x\nAnswer: C", "B", "B"),
    (LETTER, "Answer: B\n**User:** x\nAnswer: C", "B", "B"),
    (LETTER, "Answer: B\nUsers: many\nAnswer: C", "C", "C"),
    (LETTER, "Question: x\nAnswer: C", "C", "C"),
    (LETTER, "I choose B.\nQuestion: x\nI choose C.", "B", UNCLEAR),
    (NUMBER, "Answer: 5\nHuman: next 7\nAnswer: 7", "5", "5"),
    (NUMBER, "Answer: 3 or 4\nQuestion: x\nAnswer: 7", "7", "7"),
    (NUMBER, "Step 1 is done.\nProblem: what is 3 + 4?\nAnswer: 7", "7", "7"),
    (NUMBER, "Sure.\nQuestion: 3 + 4?\nAnswer: 7\nQuestion: 2 + 2?\nAnswer: 4", "7", "7"),
    (FUZZY, "Answer: Paris\nQ: next?\nAnswer: Rome", "Rome", WRONG),
    (LINE, "<think>" + 80 * "x" + "</think>one\ntwo", "one\ntwo", "one\ntwo"),
    (NUMBER, "so \u200b3\u200b.5", "3.5", "3\u200b.5"),
    (NUMBER, "\ufeff<eoa>5", "5", "5"),
]
MARKS: list[Case] = [
    (LETTER, '{"answer": "C"}', "C", "C"),
    (NUMBER, '{"answer": 42, "steps": 7}', "42", "42"),
    (LETTER, "<answer>C</answer>", "C", "C"),
    (LETTER, "The answer is $\\boxed{\\text{B}}$.", "B", "B"),
    (NUMBER, "7\n#### 42", "42", "42"),
    (NUMBER, "#### Step 1: add\nSo we get 42", "42", "42"),
    (NUMBER, "#### 42 apples\nin 7 bags", "7", "7"),
    (LINE, "#### Plan\nfirst this\nParis", "Paris", "Paris"),
    (LINE, "so it is\n#### Paris", "Paris", "Paris"),
    (LETTER, "【答案】D <eoa>", "D", "D"),
    (LETTER, "Réponse : B", "B", "B"),
    (LETTER, "정답: B", "B", "B"),
    (LETTER, "الإجابة: B", "B", "B"),
    (NUMBER, "答えは42です。", "42", "42"),
    (LETTER, "答えはBです。", "B", "B"),
    (LINE, "the answer (Yes or No) is No.", "No", "No"),
    (LETTER, "### Final Answer\n\nC", "C", "C"),
    (LETTER, "\ufeffAnswer: B", "B", "B"),
    (LETTER, "One wrong answer: B", "B", MISSING),
    (LETTER, "Answer: B\nAnswer: C", "C", "C"),
    (LETTER, "Answer: A … Answer: B", "B", "B"),
    (LINE, "Answer: Paris\nThe answer is London.", "London", "London"),
    (NUMBER, "Answer: 5\nAnswer: unknown", "5", MISSING),
    (NUMBER, 'Answer: 5\n{"answer": null}', "5", MISSING),
    (NUMBER, "Answer: 5\n<answer></answer>", "5", MISSING),
    (LETTER, "Answer: B\n\\boxed{x}", "B", MISSING),
    (LETTER, "The answer is clear from the above.", "A", MISSING),
    (LETTER, "The answer is B. The answer is clear.", "B", "B"),
    (NUMBER, "The answer is about 42", "42", "42"),
    (NUMBER, "The answer to question 3 is 7", "7", "7"),
    (LINE, "Final Answer: The final answer is $42$. I hope it is correct.", "42", "42"),
    (LINE, "The answer is: Paris. It is in France.", "Paris", "Paris"),
    (LETTER, "\u3000\u3000答案：B", "B", "B"),
    (NUMBER, "First 3。\u3000答案：5。共 7 个", "5", "5"),
    (NUMBER, "### Answer\r\n42\r\nBecause 43.", "42", "42"),
    (LINE, "<answer>The answer is B</answer>", "B", "B"),
    (LETTER, 'The "answer" to "life": B', "B", MISSING),
]
VALUES: list[Case] = [
    (LETTER, "Answer:\nB", "B", "B"),
    (LETTER, "Answer:\n```\nB\n```", "B", "B"),
    (NUMBER, "Answer:\n```\n42\n```", "42", "42"),
    (LINE, "Answer:\n```\nParis\n```", "Paris", "Paris"),
    (LETTER, "The correct answer is option B.", "B", "B"),
    (LETTER, "Answer: 'b'", "B", "B"),
    (LETTER, "Answer: b because", "B", MISSING),
    (LETTER, "The answer is a dog", "A", MISSING),
    (LETTER, "Answer: B (False)", "B", "B"),
    (NUMBER, "Answer: x = 5", "5", "5"),
    (NUMBER, "Answer: 20 + 22 = 42", "42", "42"),
    (NUMBER, "Answer: the total is 42 dollars", "42", "42"),
    (NUMBER, "Answer: from 3 we get 4", "4", UNCLEAR),
    (NUMBER, "Answer: forty-two", "42", "forty-two"),
    (NUMBER, "Answer: 5 million", "5000000", "5 million"),
    (NUMBER, "Answer: 5 Million", "5000000", "5 Million"),
    (NUMBER, "Answer: 5 millions", "5000000", "5 millions"),
    (NUMBER, "Answer: \\boxed{-5}", "-5", "-5"),
    (NUMBER, "The answer is - 5.", "-5", "- 5"),
    (NUMBER, "\\boxed{- 12}", "-12", "- 12"),
    (NUMBER, "Answer: $- 12$", "-12", "- 12"),
    (NUMBER, "Answer: minus 5", "-5", "minus 5"),
    (NUMBER, "Answer: －9", "-9", "－9"),
    (NUMBER, "Answer: .5", "0.5", ".5"),
    (NUMBER, "Answer: -.5", "-0.5", "-.5"),
    (NUMBER, "Answer: 3/4.", "0.75", "3/4"),
    (NUMBER, "Answer: ٤٢", "42", "٤٢"),
    (NUMBER, "Answer: ٣٫١٤", "3.14", "٣٫١٤"),
    (NUMBER, "Answer: 3\u200b.5", "3.5", "3\u200b.5"),
    (NUMBER, "Answer: 1.5e3", "1500", "1.5e3"),
    (NUMBER, "Answer: $1,234.50", "1234.5", "$1,234.50"),
    (NUMBER, "Answer: 12,\\!345", "12345", "12,\\!345"),
    (NUMBER, "Answer: 3万円", "30000", "3万"),
    (NUMBER, "Answer: 50%", "0.5", WRONG),
    (NUMBER, "Answer: 12 m**3", "12", "12"),
    (NUMBER, "Answer: 10, since 2*5=10", "10", "10"),
    (NUMBER, "no number at all", "0", MISSING),
    (LINE, '{"answer": ["Paris", "Rome"]}', "Paris", WRONG),
    (LINE, "{'answer': 'Paris, France'}", "Paris, France", "Paris, France"),
    (LINE, '{"answer": "caf\\u00e9"}', "café", "caf\\u00e9"),
]
SEVERAL: list[Case] = [
    (LETTER, "Answer: A or B", "B", UNCLEAR),
    (LETTER, "Answer: A, B", "B", UNCLEAR),
    (LETTER, "Answer: A/B", "A", UNCLEAR),
    (LETTER, "The answer is (A) and (B).", "A", UNCLEAR),
    (LETTER, "I choose A or B.", "A", UNCLEAR),
    (LETTER, "Answer: A, because B is too small", "A", "A"),
    (NUMBER, "Answer: 41 or 42", "42", UNCLEAR),
    (NUMBER, "Answer: 12 \\text{ or } 13", "12", UNCLEAR),
    (NUMBER, "Answer: 3 dollars or 4 dollars", "3", UNCLEAR),
    (NUMBER, "Answer: x = 3 or x = 4", "4", UNCLEAR),
    (NUMBER, "Answer: 10-42", "42", UNCLEAR),
    (NUMBER, "Answer: 3:30", "30", UNCLEAR),
    (NUMBER, "Answer: 5 feet 3 inches", "5", UNCLEAR),
    (NUMBER, "Answer: 5'10\"", "5", UNCLEAR),
    (NUMBER, "Answer: 5 in 3 cases", "5", "5"),
    (NUMBER, "Answer: 1, 2, 3", "3", UNCLEAR),
    (NUMBER, "Answer: (0,100)", "100", UNCLEAR),
    (NUMBER, "Answer: 1 000 000", "1000000", UNCLEAR),
    (NUMBER, "Answer: 1/2", "0.5", "1/2"),
    (NUMBER, "Answer: 12/13/2020", "12", UNCLEAR),
    (LETTER, "Answer: A-C", "A", UNCLEAR),
    (LETTER, "Answer: A to C", "A", UNCLEAR),
    (NUMBER, "Answer: 5 & 6", "5", UNCLEAR),
    (NUMBER, "Answer: one hundred twenty", "100", UNCLEAR),
    (NUMBER, "Answer: two thirds", "2", UNCLEAR),
    (NUMBER, "Answer: 5 million 200 thousand", "5000000", UNCLEAR),
    (NUMBER, "Answer: 3 or 4 (n = 7)", "7", UNCLEAR),
]
EXPRESSIONS: list[Case] = [
    (NUMBER, "Answer: 2\\pi", "2", UNCLEAR),
    (NUMBER, "Answer: \\sqrt{2}", "2", UNCLEAR),
    (NUMBER, "Answer: 3^n", "3", UNCLEAR),
    (NUMBER, "Answer: 5²", "5", UNCLEAR),
    (NUMBER, "The answer is 1 - sin(1).", "1", UNCLEAR),
    (NUMBER, "The answer is 3x.", "3", UNCLEAR),
    (NUMBER, "Answer: 3 x 4", "3", UNCLEAR),
    (NUMBER, "Answer: x != 5", "5", UNCLEAR),
    (NUMBER, "Answer: x > 5", "5", UNCLEAR),
    (NUMBER, "Answer: \\frac{3}{x}", "3", UNCLEAR),
    (NUMBER, "Answer: \\frac{1}{2", "0.5", UNCLEAR),
    (NUMBER, "Answer: 65^\\circ", "65", "65"),
    (NUMBER, "It is 20 + x", "20", UNCLEAR),
    (NUMBER, "It is 20 + 22", "22", UNCLEAR),
    (NUMBER, "It is x - 20", "20", UNCLEAR),
    (NUMBER, "so x ≠ 5", "5", UNCLEAR),
    (NUMBER, "so we get \\frac{3", "3", UNCLEAR),
    (NUMBER, "so we get 2π", "2", UNCLEAR),
    (NUMBER, "about 3 × 10^5 m", "300000", "3 × 10^5"),
    (NUMBER, "Answer: *42* apples", "42", "42"),
    (NUMBER, "The total is *5*.", "5", "5"),
    (NUMBER, "Answer: 1/-2", "1", UNCLEAR),
    (NUMBER, "Answer: 2k+1", "2", UNCLEAR),
    (NUMBER, "Answer: 5 sqrt(2)", "5", UNCLEAR),
    (NUMBER, "Answer: 2θ", "2", UNCLEAR),
    (NUMBER, "Answer: 5 < x < 10", "5", UNCLEAR),
    (NUMBER, "Answer: 101_2", "101", UNCLEAR),
    (NUMBER, "Answer: 5! = 120", "120", "120"),
    (NUMBER, "-(5)", "5", UNCLEAR),
    (NUMBER, "Answer: 2π, where r = 1", "1", UNCLEAR),
    (NUMBER, "It is 6*7", "7", UNCLEAR),
    (NUMBER, "It is *42*", "42", "42"),
]
DENIED: list[Case] = [
    (LETTER, "The answer is not B.", "B", UNCLEAR),
    (LETTER, "Answer: not B", "B", UNCLEAR),
    (LETTER, "I don't think the answer is B.", "B", UNCLEAR),
    (LETTER, "if the answer is B, then", "B", UNCLEAR),
    (LETTER, "Whether the answer is B is open", "B", UNCLEAR),
    (LETTER, "I cannot say. The answer is B.", "B", "B"),
    (LETTER, "not sure, the answer is B", "B", "B"),
    (LETTER, "Answer: B is wrong", "B", UNCLEAR),
    (LETTER, "\\boxed{B} is wrong", "B", UNCLEAR),
    (LETTER, "The answer is B?", "B", UNCLEAR),
    (LETTER, "The answer is A. I don't think the answer is B.", "A", "A"),
    (LETTER, "Answer: A\nAnswer: B?", "A", "A"),
    (LETTER, "(B): No", "B", "B"),
    (LETTER, "Answer: B) not enough data", "B", "B"),
    (NUMBER, "The answer is not 5 but 6.", "6", UNCLEAR),
    (LINE, "The answer is not Paris.", "Paris", UNCLEAR),
    (LINE, "The answer is Paris?", "Paris", UNCLEAR),
    (LINE, "I don't think the answer is Paris.", "Paris", UNCLEAR),
    (LINE, "Answer: Not enough data", "Not enough data", "Not enough data"),
    (LETTER, "?\nAnswer: A\nAnswer: B or C", "A", UNCLEAR),
]
CORRECTED: list[Case] = [
    (LETTER, "Answer: B. Wait, C.", "C", "C"),
    (LETTER, "Answer: B. I meant C.", "C", "C"),
    (LETTER, "Answer: B.\n\nWait, the answer is C.", "C", "C"),
    (LETTER, "I choose B. Wait, C.", "C", "C"),
    (LETTER, "Answer: B. Wait, let me think.", "B", UNCLEAR),
    (NUMBER, "Answer: 5. Actually, 6.", "6", "6"),
    (NUMBER, "Answer: 5\nCorrection: 6", "6", "6"),
    (NUMBER, "Answer: 5. Correction: 6. Actually, 7.", "7", "7"),
    (NUMBER, "Answer: 5. Wait, 6 or 7.", "6", UNCLEAR),
    (NUMBER, "Answer: 5. Actually, I checked it. 2 + 3 = 5", "5", UNCLEAR),
    (NUMBER, "Answer: 5. Waiting for more.", "5", "5"),
    (NUMBER, "It is 5. Wait, let me check.", "5", UNCLEAR),
    (LINE, "Answer: Paris\nWait, that was easy.", "Paris", "Paris"),
    (NUMBER, "The answer is 5 actually.", "5", "5"),
    (NUMBER, "Answer: 5. Wait, 6 is wrong.", "6", UNCLEAR),
    (NUMBER, "Answer: 5。Wait, 6.", "6", "6"),
]
NO_MARK: list[Case] = [
    (LETTER, "B. Paris\nI hope this helps!", "B", "B"),
    (LETTER, "I think hard.\nB", "B", "B"),
    (LETTER, "B\nB", "B", "B"),
    (LETTER, "(B)\n\nbecause\n**b**", "B", "B"),
    (LETTER, "The correct option is B.", "B", "B"),
    (LETTER, "I choose B.", "B", "B"),
    (LETTER, "A is correct. B is correct.", "B", UNCLEAR),
    (LETTER, "A. x\nB. y", "B", MISSING),
    (LETTER, "It is about B somewhere", "B", MISSING),
    (LETTER, "A is wrong, C is wrong, D is wrong", "B", MISSING),
    (LETTER, "| A | B |", "B", MISSING),
    (NUMBER, "values: 10,20,30", "30", "30"),
    (NUMBER, "1, 2, 3", "3", "3"),
    (NUMBER, "so (0,100)", "100", "100"),
    (NUMBER, "pages 10-42", "42", "42"),
    (NUMBER, "pages 10–42", "42", "42"),
    (NUMBER, "from 2019-2024", "2024", "2024"),
    (NUMBER, "3:30", "30", "30"),
    (NUMBER, "全部で42個", "42", "42"),
    (NUMBER, "温度は-5度", "-5", "-5"),
    (NUMBER, "so .5", "0.5", ".5"),
    (NUMBER, "It is －9", "-9", "－9"),
    (NUMBER, "so $- 12$", "-12", "- 12"),
    (NUMBER, "5 millions of them", "5000000", "5 millions"),
    (NUMBER, "so 12,\\!345", "12345", "12,\\!345"),
    (NUMBER, "so 3\u200b.5", "3.5", "3\u200b.5"),
    (NUMBER, "so x^2", "2", MISSING),
    (NUMBER, "a box of 12 m**3", "12", "12"),
    (NUMBER, "see H2 and β2", "2", MISSING),
    (NUMBER, "I have forty-two", "42", MISSING),
    (LINE, "I think\nParis", "Paris", "Paris"),
    (LETTER, "I choose b\nI hope this helps!", "B", "B"),
    (NUMBER, "<answer>42\nI hope this helps!", "42", "42"),
    (LETTER, "B is the rightmost town.", "B", MISSING),
]
WRAPPED: list[Case] = [
    (NUMBER, "\\boxed{100}", "100", "100"),
    (NUMBER, "Answer: **42**", "42", "42"),
    (NUMBER, "Answer: $42$ dollars", "42", "42"),
    (NUMBER, "It is _42_.", "42", "42"),
    (NUMBER, "Answer: $$\\boxed{\\frac{1}{2}}$$", "0.5", "\\frac{1}{2}"),
    (LINE, "Answer: $\\boxed{x^2}$", "x^{2}", "x^2"),
    (LINE, "**Answer:** `Paris`.", "Paris", "Paris"),
    (LINE, 'Answer: "Paris"', "Paris", "Paris"),
    (LINE, "Answer: (Paris).", "Paris", "Paris"),
    (LINE, "Answer: \\(\\textbf{Paris}\\)", "Paris", "Paris"),
    (LINE, "**Answer: \\text{Paris}**", "Paris", "Paris"),
    (LINE, "Answer: U.S.A.", "USA", "U.S.A."),
    (LINE, "Answer: (1, 2)", "(1,2)", "(1, 2)"),
    (LETTER, "#### B", "B", "B"),
]
TARGETS: list[Case] = [
    (LETTER, "Answer: B", "B. Paris", "B"),
    (LETTER, "B. Paris", "B. Paris", "B"),
    (LETTER, "Answer: B", "(b)", "B"),
    (LETTER, "None", "None", UNSCORED),
    (LETTER, "Answer: E", "E", UNSCORED),
    (LETTER, "Answer: B", "A or B", UNSCORED),
    (LETTER, "Answer: B", "not B", UNSCORED),
    (LETTER, "", "", UNSCORED),
    (NUMBER, "Answer: 42", "forty-two", "42"),
    (NUMBER, "Answer: 18", "18 tennis balls", "18"),
    (NUMBER, "Answer: 8", "5 + 3 = 8\n#### 8", "8"),
    (NUMBER, "none", "none", UNSCORED),
    (NUMBER, "42", "none", UNSCORED),
    (NUMBER, "2π", "2π", UNSCORED),
    (NUMBER, "2", "2π", UNSCORED),
    (NUMBER, "4", "3 or 4", UNSCORED),
    (NUMBER, "10", "5-10", UNSCORED),
    (NUMBER, "0", "1/0", UNSCORED),
    (NUMBER, "0", " ", UNSCORED),
    (LINE, "Paris", "So:\nAnswer: Paris", "Paris"),
    (LINE, "one\ntwo", "one\ntwo", "one\ntwo"),
    (LINE, "Paris", "\n", UNSCORED),
    (EXACT, "", "", UNSCORED),
    (EXACT, "\u200b", "\u200b", UNSCORED),
    (FUZZY, "\u200b ", "\u200b", UNSCORED),
]
COMPARE: list[Case] = [
    (EXACT, "the Beatles", "Beatles", None),
    (EXACT, "Vitamin A", "Vitamin", WRONG),
    (EXACT, "A, B", "B", WRONG),
    (EXACT, "A\nB", "B", WRONG),
    (EXACT, "U.S.A.", "USA", None),
    (EXACT, "U.S.A.", "US", WRONG),
    (EXACT, "−5", "5", WRONG),
    (EXACT, "1.5", "15", WRONG),
    (EXACT, "3/4", "34", WRONG),
    (EXACT, "2½", "21/2", WRONG),
    (EXACT, "5'10\"", "510", WRONG),
    (EXACT, "20 %", "20%", None),
    (EXACT, "20%", "20", WRONG),
    (EXACT, "C++", "C", WRONG),
    (EXACT, ".NET", "NET", WRONG),
    (EXACT, "10²", "102", WRONG),
    (EXACT, "$5,000", "5000", None),
    (EXACT, "don’t", "dont", None),
    (EXACT, "Pa\u200bris", "paris", None),
    (EXACT, "!!!", "!!!", None),
    (EXACT, "!!!", "...", WRONG),
    (NUMBER, "5'10\"", "510", WRONG),
    (NUMBER, "\\boxed{- 12}", "12", WRONG),
    (NUMBER, "Answer: 0.333", "1/3", WRONG),
    (LINE, "Answer: 3.0", "3", "3.0"),
    (LINE, "Answer: 1/2", "0.5", "1/2"),
    (LINE, "Answer: 3/4.", "0.75", "3/4"),
    (LINE, "Answer: −5", "-5", "−5"),
    (LINE, "Answer: 50%", "0.5", WRONG),
    (LINE, "Answer: 42 km", "42 m", WRONG),
    (LINE, "Answer: \\frac{1}{2}", "1/2", "\\frac{1}{2}"),
    (LINE, "Answer: $\\dfrac{1}{x}$", "1/x", "\\dfrac{1}{x}"),
    (LINE, "Answer: (1,2)", "(12)", WRONG),
    (LINE, "Answer: [1,2]", "(1,2)", WRONG),
    (LINE, "Answer: 2(3)+x", "23+x", WRONG),
    (LINE, "Answer: x^{2}3", "x^{23}", WRONG),
    (LINE, "Answer: 90^{\\circ}", "90^\\circ", "90^{\\circ}"),
    (EXACT, "-√2", "√2", WRONG),
]
MENTIONS: list[Case] = [
    (FUZZY, "It is Persian (or Farsi).", "Farsi", "It is Persian (or Farsi)."),
    (FUZZY, "It is not Paris.", "Paris", UNCLEAR),
    (FUZZY, "It isn't Paris.", "Paris", UNCLEAR),
    (FUZZY, "Not Rome. It is Rome.", "Rome", "Not Rome. It is Rome."),
    (FUZZY, "No, Paris.", "Paris", "No, Paris."),
    (FUZZY, "fire", "electrical fire", UNCLEAR),
    (FUZZY, "Answer: fire", "electrical fire", UNCLEAR),
    (FUZZY, "Paris, London, Rome, Berlin", "Paris", UNCLEAR),
    (FUZZY, "Paris, London, Rome", "Paris", "Paris, London, Rome"),
    (FUZZY, "- Paris\n- London\n- Rome\n- Berlin", "Paris", UNCLEAR),
    (FUZZY, "Paris, paris, the Paris, Paris", "Paris", "Paris, paris, the Paris, Paris"),
    (FUZZY, "My list: Paris, London, Rome, Oslo", "Oslo", "My list: Paris, London, Rome, Oslo"),
    (FUZZY, "", "Paris", MISSING),
    (FUZZY, "Parisian", "Paris", WRONG),
    (FUZZY, "<answer>Paris</answer>", "Paris", "<answer>Paris</answer>"),
    (FUZZY, "15000", "5000", WRONG),
    (FUZZY, "Paris is near.\nAnswer: London", "Paris", WRONG),
    (FUZZY, "答案是北京市", "北京", "答案是北京市"),
    (FUZZY, "我有3个苹果", "3个苹果", "我有3个苹果"),
    (FUZZY, "我有13个苹果", "3个苹果", WRONG),
    (FUZZY, "東京タワーです", "タワー", "東京タワーです"),
    (FUZZY, "수도는 서울입니다.", "서울", "수도는 서울입니다."),
    (FUZZY, "서울에서 살아요", "서울", "서울에서 살아요"),
    (FUZZY, "서울특별시", "서울", WRONG),
    (FUZZY, "Answer: ] )", "] )", "Answer: ] )"),
    (FUZZY, "BTS입니다", "BTS", "BTS입니다"),
    (
        FUZZY,
        "Sure!\nThe capital is Paris.\nThanks for asking.\nI hope this helps!",
        "Paris",
        "Sure!\nThe capital is Paris.\nThanks for asking.\nI hope this helps!",
    ),
]
EXACT_READING: list[Case] = [
    (LETTER, "<eoa>Answer: B<think>A?</think>", "B", "B"),
    (LINE, "so\n#### $\\frac{1}{2}$", "0.5", "\\frac{1}{2}"),
    (FUZZY, "I think it is Paris.\nAnswer:", "Paris", MISSING),
    (NUMBER, "The values are:\n- 42", "42", "42"),
    (NUMBER, "Answer: five or six", "5", UNCLEAR),
    (NUMBER, "Answer: 5 or six", "5", UNCLEAR),
    (NUMBER, "Answer: one hundred and five", "100", UNCLEAR),
    (NUMBER, "\\boxed{3} or \\boxed{4}", "4", UNCLEAR),
    (LETTER, "\\boxed{A} or \\boxed{B}", "B", UNCLEAR),
    (NUMBER, "Answer: 7 minus 5", "7", UNCLEAR),
    (NUMBER, "Answer: 3(4)", "3", UNCLEAR),
    (FUZZY, "I don't think the answer is Paris.", "Paris", UNCLEAR),
    (NUMBER, "Answer: $65^\\circ$", "65", "65"),
    (NUMBER, "Answer: $ 42 $", "42", "42"),
    (EXACT, "Paris", "Paris</s>", None),
    (LINE, "Paris", "Paris</s>", "Paris"),
    (NUMBER, "0", "1 000 000", UNSCORED),
    (NUMBER, "10", "5'10\"", UNSCORED),
    (LINE, "Answer: N/A", "n/a", "N/A"),
    (LINE, "Answer: \\frac{2}{3x}", "\\frac{2}{3}x", WRONG),
]
RULES = {
    "exact reading": EXACT_READING,
    "1 cut": CUT,
    "2 marks": MARKS,
    "3 value": VALUES,
    "4 several": SEVERAL,
    "4 expression": EXPRESSIONS,
    "5 denied": DENIED,
    "6 corrected": CORRECTED,
    "7 no mark": NO_MARK,
    "8 compare": COMPARE,
    "wrappers": WRAPPED,
    "targets": TARGETS,
    "mentions": MENTIONS,
}
CASES = [pytest.param(case, id=f"{rule}: {case[1]!r}") for rule in RULES for case in RULES[rule]]


@pytest.mark.parametrize("case", CASES)
def test_rule(case: Case) -> None:
    name, response, target, expected = case
    result = score(name, response, target)
    outcome = result.detail.get("reading")
    assert "\n" not in result.reason
    if expected == UNSCORED:
        assert (result.value, outcome) == (None, None)
    elif expected in {UNCLEAR, MISSING}:
        assert (f"<{outcome}>", result.value, result.extracted) == (expected, 0.0, None)
        assert result.reason.startswith(f"{outcome}: ")
    elif expected == WRONG:
        assert (outcome, result.value) == ("found", 0.0)
    else:
        assert (outcome, result.correct) == ("found", True)
        assert expected in {None, result.extracted}
    if name in {LINE, NUMBER} and outcome == "found":
        assert response[slice(*result.span or (0, 0))] == result.extracted


@pytest.mark.parametrize("response", ["", "Answer: B", "Answer: 5", "3 or 4", "Paris"])
@pytest.mark.parametrize(
    ("name", "target", "why"),
    [
        (LETTER, "None", "the target 'None' is not one of the letters A-D"),
        (LETTER, "A or B", "the target 'A or B' is not one of the letters A-D"),
        (NUMBER, "3 or 4", "the target '3 or 4' is not a number"),
        (NUMBER, "Paris", "the target 'Paris' is not a number"),
        (LINE, " ", "the target ' ' is empty"),
        (EXACT, "", "the target '' is empty"),
        (FUZZY, "\u200b", "the target '\\u200b' is empty"),
    ],
)
def test_unreadable_target_leaves_the_row_unscored(
    name: str, target: str, why: str, response: str
) -> None:
    result = score(name, response, target)
    assert result.status == "unscored"
    assert result.reason.startswith(why)


@pytest.mark.parametrize(
    ("name", "response", "target", "pattern", "extracted"),
    [
        (LETTER, "答え j", "J", r"(?i)([a-j])\b", "J"),
        (LETTER, "Answer: B", "C", r"=([A-D])", None),
        (LETTER, "Z", "Z", r"=([A-D])", "Z"),
        (LINE, "x 5, x 6, y", "6", r"x (\d)", "6"),
        (LINE, "x 5, x 6, y", "x 6", r"x (\d)", "6"),
        (LINE, "x=1; y=\ud8002", "2", r"(\d)$", "2"),
        (LINE, "<think>x 7</think>x 6<eoa>x 8", "6", r"x (\d)", "6"),
        (LINE, "abc", "x", r"z*", None),
        (LINE, "abc", "x", r"(z*)b", None),
        (LINE, "", "x", r"", None),
    ],
)
def test_pattern_replaces_the_reading(
    name: str, response: str, target: str, pattern: str, extracted: str | None
) -> None:
    result = score(name, response, target, pattern=pattern)
    assert result.extracted == extracted
    assert result.correct is (extracted is not None)
    assert result.detail["reading"] == ("missing" if extracted is None else "found")


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        (LINE, {"pattern": r"(?=x)"}, "look-around and back-references are not available"),
        (LINE, {"pattern": r"(x"}, "is not a regular expression"),
        (LETTER, {"pattern": r"(\C)"}, r"has \\C, which is a byte"),
        (LINE, {"pattern": 5}, "must be a string"),
        (LETTER, {"letters": "Z-A"}, "is not a range"),
        (LETTER, {"letters": ""}, "is not a range"),
        (LETTER, {"letters": "??"}, "is not a range"),
        (LETTER, {"letters": "A-"}, "is not a range"),
        (LETTER, {"letters": None}, "is not a range"),
        (NUMBER, {"mode": "first"}, "mode is 'marked' or 'last'"),
    ],
)
def test_bad_option_is_a_spec_error(name: str, options: dict[str, Any], why: str) -> None:
    with pytest.raises(SpecError, match=why) as failed:
        score(name, "x 5", "B" if name == LETTER else "5", **options)
    assert failed.value.path == next(iter(options))


@pytest.mark.parametrize(
    ("response", "target", "options", "choices", "extracted"),
    [
        ("Answer: J", "J", {"letters": "A-J"}, None, "J"),
        ("Answer: J", "J", {"letters": "fgj"}, None, "J"),
        ("The answer is I think unknown", "I", {"letters": "A-J"}, None, None),
        ("The answer is (I).", "I", {"letters": "A-J"}, None, "I"),
        ("Answer: E", "E", {}, list("vwxyz"), "E"),
        ("Answer: E", "D", {}, list("wxyz"), None),
        ("Answer: E", "E", {"letters": "A-C"}, list("vwxyz"), "E"),
    ],
)
def test_letters_and_choices_give_the_range(
    response: str, target: str, options: dict[str, Any], choices: Any, extracted: str | None
) -> None:
    result = score(LETTER, response, target, {"choices": choices}, **options)
    assert (result.correct, result.extracted) == (extracted is not None, extracted)


def test_target_outside_of_the_choices_is_unscored() -> None:
    assert score(LETTER, "Answer: D", "D", {"choices": ["x", "y", "z"]}).status == "unscored"


@pytest.mark.parametrize(
    ("response", "answers", "correct"),
    [
        ("It is Rome.", "Rome", True),
        ("It is Roma.", ["Rome", "Roma"], True),
        ("It is Paris.", ["Rome"], False),
        ("It is Paris.", [], True),
        ("There are 5.", [4, 5], True),
        ("not Rome, but Roma", ["Rome", "Roma"], True),
    ],
)
def test_correct_answers_replace_the_target(response: str, answers: Any, correct: bool) -> None:
    assert score(FUZZY, response, "Paris", {"correct_answers": answers}).correct is correct


@pytest.mark.parametrize(
    "answers",
    [
        {"a": "Rome"},
        [["Rome"]],
        [None],
    ],
)
def test_correct_answers_of_another_type_are_a_data_error(answers: Any) -> None:
    with pytest.raises(DataError, match="correct_answers"):
        score(FUZZY, "It is Rome.", "Paris", {"correct_answers": answers})


@pytest.mark.parametrize(
    ("response", "target", "correct"),
    [
        ("Answer: 5, then 6", "6", True),
        ("Answer: 5 + x", "5", True),
        ("The answer is not 5", "5", True),
        ("<think>7</think>5", "5", True),
        ("<think>7</think>x", "7", False),
        ("no number", "5", False),
    ],
)
def test_last_mode_takes_the_last_number(response: str, target: str, correct: bool) -> None:
    assert score(NUMBER, response, target, mode="last").correct is correct
