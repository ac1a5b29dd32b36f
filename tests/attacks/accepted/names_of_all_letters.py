# Honest: names in another alphabet.
# task: sum
числа=list(map(int,input().split()))
print(sum(числа))
