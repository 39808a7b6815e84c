"""Writes test/fixtures/codecs/pcodec-older.json: data of older versions of pcodec's format, and the numbers in it.

    python3.11 scripts/oracles/make_pcodec_older_fixtures.py

Makes an environment for each version. Python 3.11 is the last one that the oldest have wheels for.
"""

import subprocess
import tempfile
import venv
from pathlib import Path

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/pcodec-older.json"
# The first wheels that write versions 1, 2 and 3 of the format.
VERSIONS = ["0.0.0", "0.2.0", "0.3.1"]
PROGRAM = """
import base64, importlib.metadata, json
import numpy as np, pcodec
rng = np.random.default_rng(41)
arrays = {
    "walk": np.cumsum(rng.integers(-3, 4, 270)).astype("i4"),
    "multiples": (rng.integers(0, 1000, 270) * 60).astype("u8"),
    "tenths": rng.integers(-900, 900, 270) * 0.1,
    "noise": rng.normal(0, 1, 270).astype("f4"),
}
version = importlib.metadata.version("pcodec")
for name, values in arrays.items():
    if hasattr(pcodec, "auto_compress"):
        data = pcodec.auto_compress(values)
    else:
        from pcodec import standalone
        data = standalone.simple_compress(values, pcodec.ChunkConfig())
    text = [base64.b64encode(each).decode() for each in (data, values.tobytes())]
    print(json.dumps({"name": f"{name} of {version}", "type": values.dtype.name, "data": text[0], "numbers": text[1]}))
"""

lines = []
for version in VERSIONS:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = f"{folder}/bin/python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"pcodec=={version}", "numpy<2"], check=True)
        lines += subprocess.run([python, "-c", PROGRAM], check=True, capture_output=True, text=True).stdout.splitlines()
cases = ",\n".join(lines)
OUT.write_text(f'{{"cases": [\n{cases}\n]}}\n')
