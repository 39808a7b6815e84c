/**
 * Arrays that zarr-python writes with codecs of imagecodecs: of v3 by imagecodecs.zarr, where images are
 * array -> bytes, and in shards; of v2 by imagecodecs.numcodecs.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { get, open } from "../../src/index.js";
import { expectSame } from "../core/codecs/harness.js";
import { readOracles } from "../setup/oracles.js";

const PROGRAM = `
import sys, warnings
import imagecodecs.numcodecs as v2, imagecodecs.zarr as v3
import numpy as np, zarr
warnings.simplefilter("ignore")
v2.register_codecs(verbose=False)
gray = (np.add.outer(np.arange(40), np.arange(60)) % 251).astype("u1")
colours = np.stack([gray, gray // 2, 255 - gray], -1)
words = gray.astype("u2") * 211
floats = np.sin(gray / 40).astype("f4")
images = [
    ("Jpeg", gray, {}), ("Jpeg", colours, {}), ("Jpeg2k", words, {}), ("Htj2k", words, {}), ("Png", colours, {}),
    ("Webp", colours, dict(lossless=True)), ("Lerc", floats, {}),
]
numbers = [("Zfp", floats), ("Pcodec", floats), ("Floatpred", floats)]
bytes_of = ["Lzw", "Packbits", "Deflate", "Zlib", "Zlibng", "Zstd", "Bz2", "Lzma", "Blosc"]

def write(name, data, **options):
    path = f"{sys.argv[1]}/{name}"
    chunks = (20, 30) + data.shape[2:]
    array = zarr.create_array(path, shape=data.shape, chunks=chunks, dtype=data.dtype, **options)
    array[...] = data
    open(path + ".bin", "wb").write(np.ascontiguousarray(array[...]).tobytes())
    print(name)

for i, (codec, data, settings) in enumerate(images):
    serializer = getattr(v3, codec)(**settings)
    write(f"{i} {codec} v3", data, serializer=serializer, compressors=None)
    write(f"{i} {codec} shards", data, serializer=serializer, compressors=None, shards=(40, 60) + data.shape[2:])
    write(f"{i} {codec} v2", data, zarr_format=2, compressors=getattr(v2, codec)(**settings))
for codec, data in numbers:
    write(f"{codec} v3", data, serializer=getattr(v3, codec)(), compressors=None)
write("Delta v3", words, filters=[v3.Delta()], compressors=None)
chunk = dict(shape=(20, 30), dtype="f4")
write("Delta v2", words, zarr_format=2, filters=[v2.Delta(**{**chunk, "dtype": "u2"})], compressors=None)
write("Floatpred v2", floats, zarr_format=2, filters=[v2.Floatpred(**chunk)], compressors=None)
for codec in ["Zfp", "Pcodec"]:
    write(f"{codec} v2", floats, zarr_format=2, compressors=getattr(v2, codec)(**chunk))
for codec in bytes_of:
    write(f"{codec} v3", words, compressors=[getattr(v3, codec)()])
    write(f"{codec} v2", words, zarr_format=2, compressors=getattr(v2, codec)())
`;

const { python } = readOracles();

it.skipIf(!python?.imagecodecs)(
  "arrays of zarr-python with codecs of imagecodecs",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-imagecodecs-"));
    try {
      const names = execFileSync(python?.executable ?? "", ["-c", PROGRAM, folder], { encoding: "utf8" })
        .trim()
        .split("\n");
      expect(names).toHaveLength(3 * 7 + 3 + 1 + 4 + 2 * 9);
      for (const name of names) {
        const array = await open(new FileSystemStore(join(folder, name)), { kind: "array" });
        const { data } = await get(array);
        const bytes = array.dataType.bytesOf(data) ?? new Uint8Array();
        expectSame(bytes, new Uint8Array(readFileSync(join(folder, `${name}.bin`))));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  60_000,
);
