# Attack: a thread changes the value after it was returned.
# task: sort
import threading
import time


def solve(numbers):
    answer = []

    def fill():
        time.sleep(0.05)
        answer.extend(sorted(numbers))

    threading.Thread(target=fill).start()
    return answer
