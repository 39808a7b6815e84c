/** Any byte but 0 is true: read as 1 whatever the store has, and never written as anything else. */
import { afterAll, describe, expect, it } from "vitest";
import { setKernels } from "../../src/extend.js";
import { BoolArray, create, get, set, slice } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";

const plain = { name: "bytes" };
const sharded = {
  name: "sharding_indexed",
  configuration: { chunk_shape: [1, 1500], codecs: [plain], index_codecs: [LITTLE, { name: "crc32c" }] },
};
const SHAPE = [4, 3000];
const untidy = Uint8Array.from({ length: 12000 }, (_, i) => [0, 1, 2, 255, 0, 128][i % 6] ?? 0);
const tidy = untidy.map((byte) => (byte === 0 ? 0 : 1));

afterAll(() => setKernels("auto"));

describe.each(["wasm", "javascript"] as const)("with %s kernels", (kernels) => {
  it.each([
    ["rows that are moved as they are", [1, 3000], { codecs: [plain] }],
    ["chunks side by side", [2, 700], { codecs: [plain] }],
    ["shards", [2, 1500], { codecs: [sharded] }],
    ["v2 in order F", [2, 700], { zarrFormat: 2, order: "F" }],
  ] as const)("%s", async (_, chunkShape, options) => {
    setKernels(kernels);
    const bytesStore = new Map<string, Uint8Array>();
    const boolStore = new Map<string, Uint8Array>();
    const common = { shape: SHAPE, chunkShape: [...chunkShape], ...options };
    const bytes = await create(bytesStore, { ...common, dtype: "uint8" });
    const bool = await create(boolStore, { ...common, dtype: "bool" });

    const given = untidy.slice();
    await set(bool, null, { data: new BoolArray(given), shape: SHAPE });
    await set(bytes, null, { data: tidy, shape: SHAPE });
    expect(given).toEqual(untidy);
    const chunks = (store: Map<string, Uint8Array>) => [...store].filter(([key]) => !/zarr|zattr/.test(key));
    expect(chunks(boolStore)).toEqual(chunks(bytesStore));

    await set(bytes, null, { data: untidy, shape: SHAPE });
    for (const [key, value] of chunks(bytesStore)) boolStore.set(key, value);
    const before = chunks(boolStore).map(([, value]) => value.slice());
    const { data } = await get(bool);
    expect(bool.dataType.bytesOf(data)).toEqual(tidy);
    const out = new BoolArray(12000);
    await get(bool, null, { out });
    expect(new Uint8Array(out.buffer, out.byteOffset, out.byteLength)).toEqual(tidy);
    const part = await get(bool, [slice(null, null, -1), slice(1, 3000, 3)]);
    expect(part.data.toArray().slice(0, 2)).toEqual([true, false]);
    expect(await get(bool, [0, 2])).toBe(true);
    expect(chunks(boolStore).map(([, value]) => value)).toEqual(before);
  });
});
