# Attack: standard input is written to, and read again from its beginning.
# task: oracle_stdio
import os
os.lseek(0,0,0)
try:
    os.write(0,b'x')
except OSError: pass
print(os.pread(0,100000,0))
