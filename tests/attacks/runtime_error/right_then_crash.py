# Attack: the right answer is printed, and then the program fails.
# task: sum
print(sum(map(int, input().split())), flush=True)
raise SystemExit(3)
