# Attack: the process ends with code 0 and leaves no time to clean up.
# task: add
# runs: always
# trusts: exit code
import os

os._exit(0)
