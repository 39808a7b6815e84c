/**
 * Workers have the package's own codecs and data types: arrays of those that the application put in their
 * place stay in the calling thread.
 */
import { afterAll, expect, test } from "vitest";
import type { Codec, CodecOption } from "../../src/main/codecs.js";
import type { DataTypeFamily } from "../../src/main/data-types.js";
import { GZIP, LITTLE } from "../setup/codecs.js";
import { loadApi, loadWorkers } from "./dist.js";

const api = await loadApi();
const { WorkerPool } = await loadWorkers();
const pool = new WorkerPool({ size: 1 });
afterAll(() => pool.close());

const SHAPE = [128, 128];
const data = Int16Array.from({ length: 128 * 128 }, (_, i) => i);
const signal = new AbortController().signal;
const create = (codecs: readonly CodecOption[]) =>
  api.create(new Map<string, Uint8Array>(), { shape: SHAPE, dtype: "int16", codecs });

const invert: Codec = {
  kind: "bytes_to_bytes",
  encode: (bytes) => bytes.map((byte) => ~byte),
  decode: (bytes) => bytes.map((byte) => ~byte),
};
const innerGzip = {
  name: "sharding_indexed",
  configuration: {
    chunk_shape: SHAPE,
    codecs: [LITTLE, GZIP],
    index_codecs: [LITTLE],
  },
};

test.each([
  ["gzip", ["gzip"]],
  ["gzip", [innerGzip]],
  // Not among those that are there from the start.
  ["zlib", [{ name: "numcodecs.zlib", configuration: { level: 1 } }]],
] as const)("a codec in the place of %s", async (name, codecs) => {
  const before = api.registry.get(name);
  expect(await pool.reader(await (await create(codecs)).prepare(), signal)).toBeDefined();
  api.registry.set(name, () => ({ codecKind: "bytes_to_bytes", fromConfig: () => invert }));
  try {
    const array = await create(codecs);
    expect(await pool.reader(await array.prepare(), signal)).toBeUndefined();
    await api.set(array, null, data, { workers: pool });
    expect((await api.get(array)).data).toEqual(data);
    expect((await api.get(array, null, { workers: pool })).data).toEqual(data);
  } finally {
    if (before === undefined) api.registry.delete(name);
    else api.registry.set(name, before);
  }
});

test("a data type in the place of int16", async () => {
  const codecs = ["gzip"];
  expect(await pool.reader(await (await create(codecs)).prepare(), signal)).toBeDefined();
  const dataType = api.parseDataType("int16");
  const family: DataTypeFamily = {
    name: "int16",
    fromV3: (json) => (json === "int16" ? dataType : undefined),
    fromV2: () => undefined,
  };
  api.registerDataType(family);
  expect(await pool.reader(await (await create(codecs)).prepare(), signal)).toBeUndefined();
  const others = await api.create(new Map(), { shape: SHAPE, dtype: "float32", codecs });
  expect(await pool.reader(await others.prepare(), signal)).toBeDefined();
});
