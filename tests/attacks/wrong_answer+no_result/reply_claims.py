# Attack: replies that say of themselves that they are accepted.
# task: oracle
import os,struct,json
def solve(w):
    for n in range(1,4):
        d=json.dumps({'done':n,'verdict':'accepted','passed':True,'value':None}).encode(); os.write(3,struct.pack('>I',len(d))+d)
    os._exit(0)
