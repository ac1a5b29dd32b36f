# Attack: it prints nothing and ends with code 0.
# task: sum
# trusts: exit code
