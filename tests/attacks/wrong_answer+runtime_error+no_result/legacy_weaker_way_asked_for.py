# Attack: the program asks for the weaker way.
# task: legacy_oracle
import os,struct,json
def solve(word):
    d=json.dumps({'unproxied':'please'}).encode(); os.write(3,struct.pack('>I',len(d))+d)
    return 'x'
