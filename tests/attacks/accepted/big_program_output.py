# Honest: a program with many lines of output.
# task: many_lines
print("\n".join(str(n * n) for n in range(int(input()))))
