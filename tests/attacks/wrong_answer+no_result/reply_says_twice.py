# Attack: a reply that names its value twice.
# task: oracle
import os,struct
def solve(w):
    d=b'{"done": 1, "value": 1, "value": {"$": "expected", "v": 1}}'; os.write(3,struct.pack('>I',len(d))+d)
    return 'x'
