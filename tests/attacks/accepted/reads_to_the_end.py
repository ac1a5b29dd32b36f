# Honest: the end of the input is met.
# task: sum
a,b=map(int,input().split())
try:
    input()
except EOFError:
    print(a+b)
