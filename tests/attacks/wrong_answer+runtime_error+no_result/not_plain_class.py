# Attack: a class comes back whose attributes exit when they are looked at.
# task: add
import os


class Meta(type):
    __getattribute__ = lambda cls, name: os._exit(0)
    __repr__ = lambda cls: os._exit(0)


class Trap(metaclass=Meta):
    pass


def solve(a, b):
    return Trap
