/** `reshape` before codecs of elements of variable length, alone and beside transposes. */
import { describe, expect, it } from "vitest";
import { create, get, type JsonObject, open, set, slice } from "../../../src/index.js";
import type { CodecOption } from "../../../src/main/codecs.js";

const codec = (name: string, configuration: JsonObject = {}) => ({ name, configuration });
const vlen = codec("zarrs.vlen", {
  index_codecs: [codec("bytes", { endian: "little" })],
  data_codecs: [codec("bytes")],
  index_data_type: "uint32",
  index_location: "end",
});

const SHAPE = [5, 7];
const CHUNK = [4, 6];
const texts = Array.from({ length: 35 }, (_, i) => "x".repeat(i % 5) + i);

/** The texts of the first chunk in the order in which they are stored. */
function stored(chunk: Uint8Array | undefined): number[] {
  const bytes = chunk ?? new Uint8Array();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: number[] = [];
  for (let at = 4; at < bytes.length; ) {
    const length = view.getUint32(at, true);
    found.push(Number(new TextDecoder().decode(bytes.subarray(at + 4, at + 4 + length)).replace(/^x+/, "")));
    at += 4 + length;
  }
  return found;
}

const reshape = (...shape: readonly (number | readonly number[])[]) =>
  codec("reshape", { shape: shape.map((entry) => entry) });
const transpose = (...order: readonly number[]) => codec("transpose", { order: [...order] });

/** The chunk's elements, moved as codecs move them: `at` says where element (i, j) of the chunk goes. */
const cases: readonly (readonly [string, readonly CodecOption[], (i: number, j: number) => number])[] = [
  ["flat", [reshape(-1)], (i, j) => 6 * i + j],
  ["by dimensions", [reshape([0], 2, -1)], (i, j) => 6 * i + j],
  ["transposed before", [transpose(1, 0), reshape(3, 8)], (i, j) => 4 * j + i],
  [
    "transposed behind",
    [reshape(3, 8), transpose(1, 0)],
    (i, j) => 3 * ((6 * i + j) % 8) + Math.floor((6 * i + j) / 8),
  ],
  [
    "twice, transposed between",
    [reshape(3, 8), transpose(1, 0), reshape(6, 4)],
    (i, j) => 3 * ((6 * i + j) % 8) + Math.floor((6 * i + j) / 8),
  ],
  [
    "twice, transposed between and behind",
    [reshape(3, 8), transpose(1, 0), reshape(6, 4), transpose(1, 0)],
    (i, j) => {
      const at = 3 * ((6 * i + j) % 8) + Math.floor((6 * i + j) / 8);
      return 6 * (at % 4) + Math.floor(at / 4);
    },
  ],
];

describe.each(cases)("%s", (_, codecs, at) => {
  it.each([
    ["vlen-utf8", codec("vlen-utf8")],
    ["zarrs.vlen", vlen],
  ])("%s: every element is where the codecs put it, read in part and changed", async (name, serializer) => {
    const store = new Map<string, Uint8Array>();
    const options = {
      shape: SHAPE,
      chunkShape: CHUNK,
      dtype: "string",
      codecs: [...codecs, serializer],
    } as const;
    const created = await create(store, options);
    await set(created, null, texts);
    const array = await open(store, { kind: "array" });
    expect((await get(array)).data).toEqual(texts);
    expect((await get(array, null, { as: "column" })).data.toArray()).toEqual(texts);
    expect((await get(array, [2, slice(1, 5, 2)])).data).toEqual([texts[15], texts[17]]);
    expect(await get(array, [3, 5])).toBe(texts[26]);
    if (name === "vlen-utf8") {
      const expected: number[] = [];
      for (let i = 0; i < 4; i++) for (let j = 0; j < 6; j++) expected[at(i, j)] = 7 * i + j;
      expect(stored(store.get("/c/0/0"))).toEqual(expected);
    }
    await set(created, [3, 5], "other");
    expect((await get(array)).data).toEqual(texts.with(26, "other"));
  });
});

it("other filters are refused as before", async () => {
  const options = { shape: [4], chunkShape: [4], dtype: "string" } as const;
  for (const filter of [codec("numcodecs.delta", { dtype: "<i4" }), codec("bitround", { keepbits: 2 })]) {
    await expect(
      create(new Map(), { ...options, codecs: [filter, codec("vlen-utf8")] }),
    ).rejects.toMatchObject({
      tag: expect.stringMatching(/Error$/),
    });
  }
});
