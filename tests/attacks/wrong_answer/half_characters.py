# Attack: halves of characters, which no encoding can write.
# task: greet


def solve(name):
    return "\ud83d" + name + "\udc00\x00"
