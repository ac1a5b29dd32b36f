# Attack: where a file shall be collected there is a socket.
# task: report
import socket

socket.socket(socket.AF_UNIX).bind("report.txt")
print("done")
