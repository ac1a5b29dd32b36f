# Attack: output that is no text in any encoding, with zeros and half characters.
# task: sum
import os

os.write(1, b"\xff\xfe\x00\xed\xa0\x80\xc0\xaf" * 1000)
