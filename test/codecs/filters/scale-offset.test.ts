import { describe, expect, it } from "vitest";
import { loadExtraDataTypes, parseDataType } from "../../../src/data-types/registry.js";
import { create, get, open, set } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { runBoth, vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";
import { LITTLE } from "../../setup/codecs.js";

const both = await bothKernels();
await loadExtraDataTypes();
type Scalar = number | bigint;

async function run(
  direction: "encode" | "decode",
  dataType: string,
  configuration: JsonObject,
  values: readonly Scalar[],
): Promise<unknown[] | string> {
  const type = parseDataType(dataType);
  const bytes = new Uint8Array(values.length * type.itemSize);
  const at = (i: number) => [i * type.itemSize, (i + 1) * type.itemSize] as const;
  values.forEach((value, i) => {
    type.writeScalar(type.cast(value), bytes.subarray(...at(i)));
  });
  // Zero is not in range of every scaling; what is being scaled is.
  const spec = vectorSpec(
    dataType,
    values.length,
    direction === "encode" ? values[0] : fillFor(configuration, dataType),
  );
  const outcome = await runBoth(both, "scale_offset", configuration, spec, direction, bytes);
  return typeof outcome === "string"
    ? outcome
    : values.map((_, i) => type.readScalar(outcome.subarray(...at(i))));
}
function fillFor({ offset = 0 }: JsonObject, dataType: string): Scalar {
  return dataType.endsWith("64") && dataType.includes("int") ? BigInt(Number(offset)) : Number(offset);
}

const COMING_BACK: readonly (readonly [string, JsonObject, readonly Scalar[], readonly Scalar[]])[] = [
  ["uint16", { offset: 1000 }, [1000, 1255], [0, 255]],
  ["int8", { offset: -28, scale: 1 }, [-128, 99], [-100, 127]],
  ["int32", { offset: 500, scale: 2 }, [500, 2 ** 30], [0, 2 ** 31 - 1000]],
  ["uint32", { offset: 1, scale: 65536 }, [1, 65536], [0, 65535 * 65536]],
  ["int4", { scale: -2 }, [-3, 3], [6, -6]],
  ["uint2", { offset: 1 }, [1, 3], [0, 2]],
  ["int64", { offset: -3, scale: -7 }, [-3n, 2n ** 60n], [0n, -7n * (2n ** 60n + 3n)]],
  ["uint64", { offset: 5, scale: 3 }, [5n, 6148914691236517210n], [0n, 18446744073709551615n]],
  ["float32", { offset: 5, scale: 0.5 }, [5, -1, 2 ** 20], [0, -3, 2 ** 19 - 2.5]],
  ["float64", {}, [1.5, -0, Number.NaN], [1.5, -0, Number.NaN]],
  ["bfloat16", { offset: 1, scale: 2 }, [3, 5], [4, 8]],
  ["float6_e2m3fn", { scale: 0.5 }, [4, 1], [2, 0.5]],
]; // biome-ignore format: a table

describe("scale_offset", () => {
  it.each(COMING_BACK)("%s %j", async (dataType, configuration, values, scaled) => {
    expect(await run("encode", dataType, configuration, values)).toEqual(scaled);
    expect(await run("decode", dataType, configuration, scaled)).toEqual(
      // -0 / 1 + 0 is 0.
      values.map((value) => (Object.is(value, -0) ? 0 : value)),
    );
  });

  it("rounds after every step, in the precision of the type", async () => {
    const scale = Math.fround(0.1);
    const expected = [7, 12345.678, -3].map((x) => Math.fround(Math.fround(Math.fround(x) - 5) * scale));
    expect(await run("encode", "float32", { offset: 5, scale: 0.1 }, [7, 12345.678, -3])).toEqual(expected);
    expect(await run("encode", "float16", { scale: 3 }, [1, 60000])).toEqual([3, Number.POSITIVE_INFINITY]);
  });

  const refused: readonly (readonly ["encode" | "decode", string, JsonObject, readonly Scalar[], RegExp])[] =
    [
      ["encode", "uint8", { offset: 5 }, [5, 4], /stay within uint8, got -1 at element 1/],
      ["encode", "int8", { scale: 2 }, [1, 64], /stay within int8, got 128 at element 1/],
      // The product is in range, the difference is not.
      ["encode", "int8", { offset: -28, scale: -1 }, [0, 100], /stay within int8, got 128 at element 1/],
      ["encode", "uint32", { scale: 4294967295 }, [1, 4294967295], /stay within uint32/],
      [
        "encode",
        "uint64",
        { scale: 2 },
        [1n, 2n ** 63n],
        /stay within uint64, got 18446744073709551616 at element 1/,
      ],
      ["encode", "float6_e2m3fn", { scale: 2 }, [1, 7], /stay within float6_e2m3fn, got 14/],
      [
        "decode",
        "int32",
        { scale: 3 },
        [3, 4],
        /multiple of the scale 3, since int32 has no fractions, got 4 at element 1/,
      ],
      ["decode", "int64", { scale: 3 }, [3n, 4n], /multiple of the scale 3, .* got 4 at element 1/],
      ["decode", "int8", { offset: 100, scale: -1 }, [0, -100], /stay within int8, got 200 at element 1/],
      ["decode", "int8", { scale: -1, offset: -5 }, [0, -128], /stay within int8, got 128 at element 1/],
    ];
  it.each(refused)("%s %s %j is refused", async (direction, dataType, configuration, values, message) => {
    expect(await run(direction, dataType, configuration, values)).toMatch(message);
  });

  it("takes the fill value along, or refuses to write", async () => {
    const entry = await loadEntry("scale_offset");
    const codec = entry.fromConfig({ offset: 5, scale: 2 }, vectorSpec("int16", 1, 8));
    expect(codec.kind === "array_to_array" && codec.encoded.fillValue).toBe(6);
    const unfit = vectorSpec("uint8", 1, 0);
    expect(() => entry.checkWriting?.({ offset: 5 }, "scale_offset", unfit)).toThrow(
      /a fill value that can be scaled: .* got -5/,
    );
    expect(await runBoth(both, "scale_offset", { offset: 5 }, unfit, "decode", Uint8Array.of(7))).toEqual(
      Uint8Array.of(12),
    );
    const nan = entry.fromConfig({ offset: 5 }, vectorSpec("float32", 1, Number.NaN));
    expect(nan.kind === "array_to_array" && nan.encoded.fillValue).toBeNaN();
  });
});

it("an array is read if only its fill value does not fit; a missing inner chunk of a shard is refused", async () => {
  const store = new Map<string, Uint8Array>();
  const options = { shape: [4], chunkShape: [4], dtype: "uint8", fillValue: 5 } as const;
  const inner = {
    chunk_shape: [2],
    codecs: ["bytes"],
    index_codecs: [LITTLE],
  };
  const scaled = { name: "scale_offset", configuration: { offset: 5 } };
  const sharding = { name: "sharding_indexed", configuration: inner };
  const array = await create(store, { ...options, codecs: [scaled, sharding] });
  await set(array, null, { data: Uint8Array.of(7, 8, 9, 10), shape: [4] });
  const document = new TextDecoder().decode(store.get("/zarr.json"));
  const put = () =>
    store.set("/zarr.json", new TextEncoder().encode(document.replace('"fill_value": 5', '"fill_value": 0')));
  put();
  const other = await open(store, { kind: "array" });
  expect((await get(other)).data).toEqual(Uint8Array.of(7, 8, 9, 10));
  await expect(set(other, null, 9)).rejects.toMatchObject({ tag: "InvalidMetadataError" });
  // The index ends the shard: 16 bytes for each inner chunk, all 255 for one that is missing.
  const shard = store.get("/c/0") ?? new Uint8Array(0);
  store.set("/c/0", shard.slice().fill(255, shard.length - 16));
  await expect(get(await open(store, { kind: "array" }))).rejects.toThrow("a fill value that can be scaled");
});
