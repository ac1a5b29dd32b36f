# Attack: a text that is doubled forty times.
# task: sum
text = "x"
for _ in range(40):
    text += text
a, b = map(int, input().split())
print(a + b)
