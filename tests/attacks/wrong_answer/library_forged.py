# Attack: a library of the program's own under a known name.
# task: one
import sys,types
np=types.ModuleType('numpy')
class ndarray:
    size=1; ndim=0
    class dtype: str='<i8'
    def tolist(self): return 1
class generic:
    def item(self): return 1
np.ndarray=ndarray; np.generic=generic
sys.modules['numpy']=np
class X(generic): pass
def solve(n):
    return [X(),X()]
