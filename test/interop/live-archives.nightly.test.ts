/**
 * Random chunks that Python's libraries write and read, in arrays of v2 and v3 and in shards: 900 GRIB
 * messages (eccodes), and 200 images of each format (imagecodecs). test/interop/live-pcodec.test.ts has
 * pcodec's.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { get, open } from "../../src/index.js";
import { bitsOf, decode } from "../codecs/grib-decode.js";
import { expectSame, fromBase64 } from "../codecs/harness.js";
import { expectImage, imageCases, storeOfShard, storeOfV2, storeOfV3 } from "../codecs/image-cases.js";
import { inShard, inV2, inV3 } from "../codecs/stored-chunks.js";
import { readOracles } from "../setup/oracles.js";

interface Messages {
  readonly cases: readonly Record<"message" | "values", string>[];
}

const { codecs } = readOracles();

describe.skipIf(codecs == null)("random chunks of Python", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-archives-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  function made<Cases>(script: string, ...parameters: string[]): Cases {
    const file = join(folder, "cases.json");
    execFileSync(codecs?.executable ?? "", [`scripts/oracles/${script}`, file, ...parameters], {
      stdio: "ignore",
    });
    return JSON.parse(readFileSync(file, "utf8"));
  }

  it("900 GRIB messages of every packing", async () => {
    const { cases } = made<Messages>("make_grib_fixtures.py", "900", "7");
    expect(cases.length).toBe(900);
    for (const [i, { message, values }] of cases.entries()) {
      const chunk = fromBase64(message);
      const expected = new Float64Array(fromBase64(values).slice().buffer);
      expectSame(bitsOf(await decode(chunk, expected.length)), bitsOf(expected));
      const stored = {
        ...{ chunk, shape: [expected.length], dataType: "float64", dtype: "<f8" },
        ...{ codecs: [{ name: "gribberish" }], v2: { filters: [{ id: "grib", var: "t" }] } },
      };
      const store = [inV2, inV3, inShard][i % 3]?.(stored) ?? new Map();
      const { data } = await get(await open(store, { kind: "array" }));
      if (!(data instanceof Float64Array)) throw new Error("expected float64");
      expectSame(bitsOf(data), bitsOf(expected));
    }
  }, 600_000);

  it.each(["lerc", "jpeg2000", "jpeg", "webp", "png"])(
    "200 images of %s",
    async (format) => {
      const cases = imageCases(made("make_image_fixtures.py", "200", "7", format));
      expect(cases.length).toBeGreaterThanOrEqual(200);
      for (const [i, each] of cases.entries()) {
        const store = [storeOfV2, storeOfV3, storeOfShard][i % 3]?.(each) ?? new Map();
        const { data } = await get(await open(store, { kind: "array" }));
        if (!ArrayBuffer.isView(data)) throw new Error("expected a typed array");
        expectImage(each, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      }
    },
    600_000,
  );
});
