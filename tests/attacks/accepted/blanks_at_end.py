# Honest: blanks and empty lines behind the answer.
# task: sum
print(sum(map(int,input().split())),'  ')
print()
print()
