# Attack: where a file shall be collected there is a folder.
# task: report
import os

os.mkdir("report.txt")
print("done")
