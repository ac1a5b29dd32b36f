# Honest: threads that meet at a queue.
# task: add
import threading,queue
def solve(a, b):
    q=queue.Queue()
    ts=[threading.Thread(target=lambda x=x:q.put(x)) for x in (a,b)]
    [t.start() for t in ts]; [t.join() for t in ts]
    return q.get()+q.get()
