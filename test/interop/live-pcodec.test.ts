/** pcodec from Python: random data, and arrays that zarr-python writes with it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { get, open } from "../../src/index.js";
import { decode, itemSizeOf } from "../codecs/numbers/pcodec-decode.js";
import { expectSame, fromBase64 } from "../core/codecs/harness.js";
import { readOracles } from "../setup/oracles.js";

const { python } = readOracles();
const executable = python?.pcodec ? python.executable : undefined;

const PROGRAM = `
import json, sys, warnings, zarr
import numpy as np
from numcodecs import PCodec
warnings.simplefilter("ignore")
rng = np.random.default_rng(9)
serializer = {"name": "numcodecs.pcodec", "configuration": {"level": 6}}
ways = [
    dict(zarr_format=2, compressors=PCodec(), order="F"),
    dict(zarr_format=2, compressors=None, filters=[PCodec(delta_encoding_order=2, equal_pages_up_to=50)]),
    dict(zarr_format=3, compressors=None, serializer=serializer),
    dict(zarr_format=3, serializer=serializer, compressors=[{"name": "zstd", "configuration": {"level": 1, "checksum": False}}], shards=(40, 60)),
]
for i, way in enumerate(ways):
    for dtype in ["int16", "uint64", "float32", "float64"]:
        data = np.cumsum(rng.integers(-9, 9, (70, 90)), 1).astype(dtype) * 3
        name = f"{i}-{dtype}"
        array = zarr.create_array(f"{sys.argv[1]}/{name}", shape=data.shape, chunks=(20, 30), dtype=dtype, **way)
        array[:] = data
        (lambda path: open(path, "wb").write(array[:].tobytes()))(f"{sys.argv[1]}/{name}.bin")
        print(name)
`;

describe.skipIf(executable === undefined)("Python's pcodec", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-pcodec-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...parameters: string[]): string =>
    execFileSync(executable ?? "", parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

  it("writes 220 random arrays, which are read to the bit", async () => {
    const file = join(folder, "cases.json");
    run("scripts/oracles/make_pcodec_fixtures.py", file, "220", "11");
    const { cases }: { readonly cases: readonly Record<"type" | "data" | "numbers", string>[] } = JSON.parse(
      readFileSync(file, "utf8"),
    );
    expect(cases).toHaveLength(220);
    for (const { type, data, numbers } of cases) {
      const expected = fromBase64(numbers);
      expectSame(await decode(fromBase64(data), type, expected.length / itemSizeOf(type)), expected);
    }
  });

  it("writes arrays of v2 and v3 with zarr-python, in shards too", async () => {
    const names = run("-c", PROGRAM, folder).trim().split("\n");
    expect(names).toHaveLength(16);
    for (const name of names) {
      const array = await open(new FileSystemStore(join(folder, name)), { kind: "array" });
      const { data } = await get(array);
      const bytes = array.dataType.bytesOf(data) ?? new Uint8Array();
      expectSame(bytes, new Uint8Array(readFileSync(join(folder, `${name}.bin`))));
    }
  });
});
