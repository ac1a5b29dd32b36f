import random


def generate(seed):
    dice = random.Random(seed)
    numbers = [dice.randrange(1000) for _ in range(20)]
    text = "\n".join(map(str, numbers))
    return {
        "files": {"numbers.txt": text},
        "truth": {"total": sum(numbers), "largest": max(numbers)},
    }
