# Attack: the right answer after the time is over.
# task: sum
import time
a,b=map(int,input().split())
time.sleep(2.3)
print(a+b)
