# Honest: a text through many forms and back.
# task: greet
import base64
import csv
import hashlib
import io
import json
import struct
import zipfile
import zlib


def solve(name):
    text = f"Grüße, {name} ☕"
    pack = io.BytesIO()
    with zipfile.ZipFile(pack, "w") as archive:
        archive.writestr("x", zlib.compress(base64.b64encode(text.encode())))
    with zipfile.ZipFile(pack) as archive:
        back = base64.b64decode(zlib.decompress(archive.read("x"))).decode()
    rows = io.StringIO()
    csv.writer(rows).writerow([back])
    assert struct.unpack(">I", struct.pack(">I", 7)) == (7,) and len(hashlib.sha256(back.encode()).digest()) == 32
    return json.loads(json.dumps(next(csv.reader(io.StringIO(rows.getvalue())))[0]))
