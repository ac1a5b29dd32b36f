# Attack: half a gigabyte in one piece, every page of it touched.
# task: add
# runs: always


def solve(a, b):
    block = bytearray(512 << 20)
    for place in range(0, len(block), 4096):
        block[place] = 1
    return a + b
