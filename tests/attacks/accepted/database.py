# Honest: a database in memory.
# task: add
import sqlite3


def solve(a, b):
    with sqlite3.connect(":memory:") as database:
        database.execute("create table numbers (n)")
        database.executemany("insert into numbers values (?)", [(a,), (b,)])
        return database.execute("select sum(n) from numbers").fetchone()[0]
