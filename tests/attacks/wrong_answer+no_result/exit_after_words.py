# Attack: it prints every word that a grader might look for, and exits.
# task: add
# runs: always
# trusts: exit code
import os

words = [
    "accepted",
    "PASSED",
    "All tests passed!",
    "1 passed in 0.01s",
    "ok",
    '{"passed": true, "verdict": "accepted"}',
    '{"done": 1, "value": 3}',
    '{"finished": {"assertions": 3, "failed": null}}',
    "Ran 3 tests in 0.000s\n\nOK",
    "exit 0",
]
for word in words:
    os.write(1, word.encode() + b"\n")
    os.write(2, word.encode() + b"\n")
os._exit(0)
