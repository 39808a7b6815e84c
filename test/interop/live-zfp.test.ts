/** zfpy from Python: random data, and arrays that zarr-python writes with it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { get, open } from "../../src/index.js";
import type { JsonObject } from "../../src/metadata/json.js";
import { decode } from "../codecs/numbers/zfp-decode.js";
import { expectSame, fromBase64 } from "../core/codecs/harness.js";
import { readOracles } from "../setup/oracles.js";

const { python } = readOracles();
const executable = python?.zfpy ? python.executable : undefined;

interface Case {
  readonly type: string;
  readonly shape: readonly number[];
  readonly configuration: JsonObject;
  readonly data: string;
  readonly numbers: string;
}

const PROGRAM = `
import sys, warnings, zarr
import numpy as np
from numcodecs.zfpy import ZFPY
warnings.simplefilter("ignore")
rng = np.random.default_rng(9)
configuration = {"mode": 2, "rate": 14.5}
serializer = {"name": "numcodecs.zfpy", "configuration": configuration}
ways = [
    dict(zarr_format=2, compressors=ZFPY(mode=4, tolerance=0.01)),
    dict(zarr_format=2, compressors=None, filters=[ZFPY(mode=3, precision=20)]),
    dict(zarr_format=3, compressors=None, serializer=serializer),
    dict(zarr_format=3, serializer=serializer, compressors=[{"name": "zstd", "configuration": {"level": 1, "checksum": False}}], shards=(40, 60)),
]
for i, way in enumerate(ways):
    for dtype in ["int32", "int64", "float32", "float64"]:
        data = np.cumsum(rng.normal(0, 9, (70, 90)), 1).astype(dtype) * 3
        name = f"{i}-{dtype}"
        array = zarr.create_array(f"{sys.argv[1]}/{name}", shape=data.shape, chunks=(20, 30), dtype=dtype, **way)
        array[:] = data
        (lambda path: open(path, "wb").write(array[:].tobytes()))(f"{sys.argv[1]}/{name}.bin")
        print(name)
`;

describe.skipIf(executable === undefined)("zfpy", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-zfp-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...parameters: string[]): string =>
    execFileSync(executable ?? "", parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

  it("writes 240 random arrays, which are read as it reads them, to the bit", async () => {
    const file = join(folder, "cases.json");
    run("scripts/oracles/make_zfp_fixtures.py", file, "240", "11");
    const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync(file, "utf8"));
    expect(cases).toHaveLength(240);
    let alone = 0;
    for (const { type, shape, configuration, data, numbers } of cases) {
      const bytes = fromBase64(data);
      const expected = fromBase64(numbers);
      expectSame(await decode("zfpy", {}, bytes, type, shape), expected);
      // A header of other modes than the expert one ends with a whole byte, and the blocks can stand alone.
      if ((bytes[11] ?? 0) === 0xff && (bytes[10] ?? 0) >= 0xf0) continue;
      expectSame(await decode("zfp", configuration, bytes.slice(12), type, shape), expected);
      alone++;
    }
    expect(alone).toBeGreaterThan(100);
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
