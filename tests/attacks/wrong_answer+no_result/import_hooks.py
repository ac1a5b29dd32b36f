# Attack: whatever the worker still has to import, it gets from the program.
# task: oracle
import importlib.machinery
import sys


class Any:
    def __getattr__(self, name):
        return Any()

    def __call__(self, *args, **kwargs):
        return True

    def __eq__(self, other):
        return True

    __hash__ = None


class Finder:
    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self)

    def create_module(self, spec):
        return Any()

    def exec_module(self, module):
        return None


sys.meta_path[:] = [Finder()]
sys.path_hooks.clear()
sys.path_importer_cache.clear()
for name in [name for name in sys.modules if name not in ("sys", "builtins")]:
    sys.modules[name] = Any()


def solve(word):
    return "ORACLE"
