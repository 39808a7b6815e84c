/** Byte order of structs, each field by its own unit, through the public API. */
import { describe, expect, it } from "vitest";
import { setKernels } from "../../../src/extend.js";
import { create, get, open, set } from "../../../src/index.js";
import type { Json } from "../../../src/metadata/json.js";
import { fromHex, toHex } from "../../data-types/support.js";
import { BIG } from "../../setup/codecs.js";

const records = [
  { a: 1, b: 0.5, c: Uint8Array.of(0x61, 0x62), d: { e: 2, f: [3, 4] } },
  { a: -2, b: Number.NaN, c: Uint8Array.of(), d: { e: 65535, f: [-1, 5] } },
  { a: 7, b: -0, c: Uint8Array.of(0xff), d: { e: 0, f: [256, 0] } },
];
const mixed: Json = [
  ["a", "<i4"],
  ["b", ">f8"],
  ["c", "|S2"],
  [
    "d",
    [
      ["e", ">u2"],
      ["f", "<i2", [2]],
    ],
  ],
];
/** The second record as v2 stores it, written out by hand. */
const STORED = "feffffff" + "7ff8000000000000" + "0000" + "ffff" + "ffff0500";

describe.each(["wasm", "javascript"] as const)("with %s kernels", (kernels) => {
  it("v2 stores every field in its own order, whichever the memory layout", async () => {
    setKernels(kernels);
    for (const order of ["C", "F"] as const) {
      const store = new Map<string, Uint8Array>();
      const array = await create(store, {
        codecs: [],
        shape: [3, 2],
        chunkShape: [2, 2],
        dtype: mixed,
        zarrFormat: 2,
        order,
      });
      await set(array, null, { data: [...records, ...records], shape: [3, 2] });
      const opened = await open(store, { kind: "array" });
      const { data } = await get(opened);
      expect([...data]).toEqual([...records, ...records]);
      expect(await get(opened, [1, 1])).toEqual(records[0]);
      const chunk = store.get("/0.0") ?? new Uint8Array(0);
      const at = order === "C" ? 1 : 2;
      expect(toHex(chunk.subarray(20 * at, 20 * at + 20))).toBe(STORED);
      const before = chunk.slice();
      await get(opened);
      expect(chunk).toEqual(before);
    }
    setKernels("auto");
  });

  it("v3 stores all of them in the order of its codec", async () => {
    setKernels(kernels);
    const dtype = {
      name: "struct",
      configuration: {
        fields: [
          { name: "a", data_type: "uint16" },
          { name: "b", data_type: "complex64" },
          { name: "c", data_type: "uint8" },
        ],
      },
    } as const;
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { codecs: [], shape: [2], dtype, endian: "big", chunkShape: [2] });
    await set(array, null, {
      data: [
        { a: 1, b: { re: 1, im: 2 }, c: 3 },
        { a: 256, b: { re: -1, im: 0 }, c: 4 },
      ],
      shape: [2],
    });
    expect(toHex(store.get("/c/0") ?? new Uint8Array(0))).toBe(
      "0001" + "3f800000" + "40000000" + "03" + "0100" + "bf800000" + "00000000" + "04",
    );
    const { data } = await get(array);
    expect(data.column("b").toArray()).toEqual([
      { re: 1, im: 2 },
      { re: -1, im: 0 },
    ]);
    expect(data.get(1).a).toBe(256);
    setKernels("auto");
  });
});

it("the fill value of v2 is in the order of the fields, and reads as missing chunks", async () => {
  const store = new Map<string, Uint8Array>();
  const dtype = [
    ["a", "<i4"],
    ["b", ">i4"],
  ] as const;
  const array = await create(store, {
    codecs: [],
    shape: [2],
    dtype,
    zarrFormat: 2,
    fillValue: { a: 1, b: 2 },
  });
  const document: { fill_value: string } = JSON.parse(new TextDecoder().decode(store.get("/.zarray")));
  expect(atob(document.fill_value)).toBe("\x01\0\0\0\0\0\0\x02");
  expect(await get(await open(store, { kind: "array" }), [1])).toEqual({ a: 1, b: 2 });
  await expect(get(array, [0])).resolves.toEqual({ a: 1, b: 2 });
});

it("legacy structured arrays of v3 without endian are little-endian, their base64 fills too", async () => {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [2],
    data_type: {
      name: "structured",
      configuration: {
        fields: [
          ["a", "uint16"],
          ["b", "uint8"],
        ],
      },
    },
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: "default" },
    fill_value: btoa("\x02\x01\x03"),
    codecs: [{ name: "bytes" }],
    attributes: {},
  };
  const encode = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));
  const store = new Map([
    ["/zarr.json", encode(metadata)],
    ["/c/0", fromHex("010007")],
  ]);
  const { data } = await get(await open(store, { kind: "array" }));
  expect([...data]).toEqual([
    { a: 1, b: 7 },
    { a: 0x0102, b: 3 },
  ]);
  const big = { ...metadata, codecs: [BIG] };
  store.set("/zarr.json", encode(big));
  const swapped = await get(await open(store, { kind: "array" }));
  expect([...swapped.data]).toEqual([
    { a: 256, b: 7 },
    { a: 0x0201, b: 3 },
  ]);
});
