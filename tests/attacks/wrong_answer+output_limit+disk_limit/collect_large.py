# Attack: the file that shall be collected is larger than any output may be.
# task: report
with open("report.txt", "wb") as file:
    file.write(b"x" * (12 << 20))
print("done")
