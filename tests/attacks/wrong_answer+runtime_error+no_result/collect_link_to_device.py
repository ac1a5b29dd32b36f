# Attack: where a file shall be collected there is a link to a device without end.
# task: report
import os

os.symlink("/dev/zero", "report.txt")
print("done")
