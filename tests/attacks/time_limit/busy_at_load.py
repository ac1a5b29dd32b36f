# Attack: it never finishes loading.
# task: add
while True:
    pass
