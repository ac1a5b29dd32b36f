# Attack: where a file shall be collected there is a pipe, at which a reader would wait for ever.
# task: report
# runs: always
import os

os.mkfifo("report.txt")
print("done")
