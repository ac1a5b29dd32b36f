# Attack: the right answer is printed, and then the program never ends.
# task: sum
import time

print(sum(map(int, input().split())), flush=True)
time.sleep(60)
