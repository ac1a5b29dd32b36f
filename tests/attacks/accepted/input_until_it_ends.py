# Honest: input is asked for until there is none.
# task: sum
total = []
while True:
    try:
        total += input().split()
    except EOFError:
        break
print(sum(map(int, total)), flush=True)
raise SystemExit
