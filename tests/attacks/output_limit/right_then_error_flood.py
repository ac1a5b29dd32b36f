# Attack: the right answer, and then a flood of errors.
# task: sum
import sys
a,b=map(int,input().split())
print(a+b)
for i in range(10**6): sys.stderr.write('x'*100)
