# Attack: a dict with methods whose attributes equal everything.
# task: legacy_class
class Account(dict):
    def put(self,n): pass
    def __getattr__(self,n): return A()
class A(int):
    def __eq__(s,o): return True

