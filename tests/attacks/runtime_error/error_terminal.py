# Attack: an error whose name and text steer the terminal.
# task: add


def solve(a, b):
    name = "\x1b[2J\x1b]0;accepted\x07"
    raise type(name, (Exception,), {})("\x1b[32maccepted\x1b[0m\n\r\x9b31m\u202e\u2028accepted")
