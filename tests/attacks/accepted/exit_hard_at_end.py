# Honest: a hard exit behind the right answer.
# task: sum
import os
print(sum(map(int,input().split())),flush=True)
os._exit(0)
