# Honest: a file in, a file out.
# task: copy
with open("in.txt") as source, open("out.txt", "w") as target:
    target.writelines(line.upper() for line in reversed(source.readlines()))
print("done")
