# Attack: a background process rewrites the file while it is collected.
# task: report
import os

print("done", flush=True)
if os.fork() == 0:
    os.setsid()
    while True:
        with open("report.txt", "wb") as file:
            file.write(os.urandom(100_000))
