# Attack: exit code 0 before anything is asked.
# task: add
# runs: always
# trusts: exit code
import sys

sys.exit(0)
