# Honest: a class, against a test that asks for its instances.
# task: legacy_class
# runs: always


class Account:
    def __init__(self):
        self.balance = 0

    def put(self, amount):
        self.balance += amount
