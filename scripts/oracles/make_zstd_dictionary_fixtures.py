"""Writes test/fixtures/codecs/zstd-dictionary.json: frames that libzstd makes with dictionaries, trained ones and raw content.

    python3 -m venv /tmp/zstd && /tmp/zstd/bin/pip install zstandard==0.25.0
    /tmp/zstd/bin/python scripts/oracles/make_zstd_dictionary_fixtures.py
"""

import base64
import json
from pathlib import Path

import zstandard
from recipes import make

OUT = Path(__file__).parents[2] / "test/fixtures/codecs/zstd-dictionary.json"


def address(i: int) -> bytes:
    return f"s3://noaa-gfs-bdp-pds/gfs.202611{i % 28 + 1:02}/{i % 4 * 6:02}/atmos/gfs.t00z.pgrb2.0p25.f{i:05}".encode()


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


ADDRESSES = [address(i * 7919 % 100_000) for i in range(1000)]
WORDS = make("words", 60_000)
trained = zstandard.train_dictionary(2048, ADDRESSES[:100]).as_bytes()
trained_words = zstandard.train_dictionary(8192, [WORDS[i : i + 300] for i in range(0, 50_000, 100)], dict_id=7).as_bytes()
DICTIONARIES = {
    "trained": (trained, zstandard.DICT_TYPE_FULLDICT),
    "trained on words": (trained_words, zstandard.DICT_TYPE_FULLDICT),
    "raw": (b"".join(ADDRESSES[:10]), zstandard.DICT_TYPE_RAWCONTENT),
    "raw, of 5 bytes": (b"s3://", zstandard.DICT_TYPE_RAWCONTENT),
    "raw words": (WORDS[:5000], zstandard.DICT_TYPE_RAWCONTENT),
}
INPUTS = [b"", b"s", *ADDRESSES[500:503], make("words", 100), make("words", 1000), make("noise", 50), make("zeros", 300)]
LONG = WORDS[40_000:45_000]

cases = []
for name, (dictionary, kind) in DICTIONARIES.items():
    given = zstandard.ZstdCompressionDict(dictionary, dict_type=kind)
    for data in [*INPUTS, LONG] if "words" in name else INPUTS:
        settings = [{"compression_level": 3, "write_dict_id": 1}]
        if data in (ADDRESSES[500], make("words", 1000)):
            settings += [{"compression_level": level, "write_dict_id": 1} for level in (-5, 1, 9, 19, 22)]
            settings += [{"compression_level": 3, "write_checksum": 1}, {"compression_level": 3, "write_dict_id": 0}]
            settings += [{"compression_level": 3, "write_content_size": 0}]
        for parameters in settings:
            values = zstandard.ZstdCompressionParameters.from_level(
                parameters.pop("compression_level"), source_size=len(data), dict_size=len(dictionary), **parameters
            )
            frame = zstandard.ZstdCompressor(dict_data=given, compression_params=values).compress(data)
            assert zstandard.ZstdDecompressor(dict_data=given).decompress(frame, max_output_size=1 << 20) == data
            cases.append({"dictionary": name, "frame": base64_of(frame), "data": base64_of(data)})
dictionaries = {name: base64_of(dictionary) for name, (dictionary, _) in DICTIONARIES.items()}
lines = ",\n".join(json.dumps(case) for case in cases)
OUT.write_text(
    f'{{"writer": "zstandard {zstandard.__version__}", "dictionaries": {json.dumps(dictionaries)}, "cases": [\n{lines}\n]}}\n'
)
