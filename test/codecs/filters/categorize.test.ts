import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import { dataTypeFromV2, loadExtraDataTypes } from "../../../src/data-types/registry.js";
import { UnicodeStringArray } from "../../../src/data-types/unicode-array.js";
import { setKernels } from "../../../src/extend.js";
import { create, get, open, set, slice } from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { encodeJson } from "../../../src/metadata/json-text.js";
import { runBoth } from "../../core/codecs/array-harness.js";
import { bothKernels, expectSame } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";

const both = await bothKernels();
await loadExtraDataTypes();
const LABELS = ["female", "male", "ünï⛰", "\u{1f30d}"];

function stringsOf(data: unknown): Iterable<unknown> {
  if (data instanceof UnicodeStringArray || Array.isArray(data)) return data;
  throw new Error("expected strings");
}

describe.each(["|O", ">U6"])("an array of %s", (dtype) => {
  const filter = { id: "categorize", labels: LABELS, dtype };
  const strings = ["male", "", "\u{1f30d}", "female", "ünï⛰", "male", "male"];

  it.each(["|u1", "<i2", ">u4", "<u8"])(
    "as %s, in order F, compressed, in both directions",
    async (astype) => {
      const store = new Map<string, Uint8Array>();
      const zarray = {
      zarr_format: 2, shape: [7, 1], chunks: [3, 1], dtype, order: "F", fill_value: "", dimension_separator: ".",
      filters: [{ ...filter, astype }], compressor: { id: "zlib", level: 1 },
    }; // biome-ignore format: a document
      store.set("/.zarray", encodeJson(zarray));
      const array = await open(store, { kind: "array" });
      await set<unknown, typeof store>(array, null, { data: strings, shape: [7, 1] });
      for (const kernels of ["wasm", "javascript", "auto"] as const) {
        setKernels(kernels);
        const { data } = await get(await open(store, { kind: "array" }));
        expect(Array.from(stringsOf(data))).toEqual(strings);
      }
    },
  );
});

describe("in v3, of strings of variable length", () => {
  const strings = ["male", "", "\u{1f30d}", "female", "ünï⛰", "male", "male"];
  const categorize = (astype: string) => ({
    name: "numcodecs.categorize",
    configuration: { labels: LABELS, dtype: "|O", astype },
  });

  it.each<[string, readonly string[], object]>([
    ["and nothing else", [], {}],
    ["bytes, compressed", ["bytes", "gzip"], {}],
    ["in order F", ["gzip"], { order: "F" }],
    ["in shards", ["gzip"], { shards: [6, 1] }],
    ["packed", ["packbits"], {}],
  ])("%s", async (_, codecs, layout) => {
    for (const [dtype, astype] of [
      ["string", "|u1"],
      ["large_string", ">i2"],
    ] as const) {
      const stores: Map<string, Uint8Array>[] = [];
      for (const kernels of ["wasm", "javascript", "auto"] as const) {
        setKernels(kernels);
        const store = new Map<string, Uint8Array>();
        const all = [categorize(astype), ...codecs];
        const array = await create(store, {
          shape: [7, 1],
          chunkShape: [3, 1],
          dtype,
          codecs: all,
          ...layout,
        });
        await set(array, null, { data: strings, shape: [7, 1] });
        await set(array, [1, 0], "female");
        const { data } = await get(await open(store, { kind: "array" }), [slice(null, null, -1), 0]);
        expect(data).toEqual(strings.with(1, "female").toReversed());
        stores.push(store);
      }
      expect(stores[1]).toEqual(stores[0]);
    }
  });

  it("followed by codecs of numbers", async () => {
    const store = new Map<string, Uint8Array>();
    const delta = { name: "numcodecs.delta", configuration: { dtype: "<u2" } };
    const options = { shape: [3], dtype: "string", codecs: [categorize("<u2"), delta, "bytes"] } as const;
    await set(await create(store, options), null, ["male", "", "female"]);
    expect(store.get("/c/0")).toEqual(Uint8Array.of(2, 0, 254, 255, 1, 0));
    expect((await get(await open(store, { kind: "array" }))).data).toEqual(["male", "", "female"]);
  });

  it.each(["<i2", ">i2"])("a copy from v2 and back, %s", async (astype) => {
    const [v2, v3, back] = [0, 1, 2].map(() => new Map<string, Uint8Array>());
    if (v2 === undefined || v3 === undefined || back === undefined) throw new Error("no stores");
    const filter = { id: "categorize", labels: LABELS, dtype: "|O", astype };
    const codecs = { filters: [filter], compressor: null };
    const options = { shape: [7], chunkShape: [3], dtype: "string", zarrFormat: 2, codecs } as const;
    await set(await create(v2, options), null, strings);
    await copyNode(v2, v3, { zarrFormat: 3 });
    expect(v3.get("/c/0")).toEqual(v2.get("/0"));
    expect((await get(await open(v3, { kind: "array" }))).data).toEqual(strings);
    await copyNode(v3, back, { zarrFormat: 2 });
    expect(back.get("/0")).toEqual(v2.get("/0"));
  });
});

it("stored numbers are as numcodecs stores them", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, {
    shape: [3],
    dtype: "string",
    chunkShape: [3],
    zarrFormat: 2,
    codecs: { filters: [{ id: "categorize", labels: LABELS, dtype: "|O", astype: ">i2" }], compressor: null },
  });
  await set<unknown, typeof store>(array, null, { data: ["male", "", "female"], shape: [3] });
  expect(store.get("/0")).toEqual(Uint8Array.of(0, 2, 0, 0, 0, 1));
});

describe("bad input", () => {
  const spec = { shape: [2], dataType: dataTypeFromV2("<U3").dataType, fillValue: "?" };
  const configuration = { labels: ["abc", "abcdef"], dtype: "<U3", astype: "|u1" };

  it("numbers without a label, strings without one", async () => {
    expect(await runBoth(both, "categorize", configuration, spec, "decode", Uint8Array.of(1, 3))).toMatch(
      /numbers from 0 to 2, got 3 at element 1/,
    );
    const text = new Uint8Array(24);
    text[0] = 0x61;
    expect(await runBoth(both, "categorize", configuration, spec, "encode", text)).toMatch(
      /one of the labels or an empty string, got "a" at element 0/,
    );
  });

  it("labels beyond the type's length are cut, the fill value is stored as 0", async () => {
    const decoded = await runBoth(both, "categorize", configuration, spec, "decode", Uint8Array.of(2, 0));
    expectSame(
      decoded,
      Uint8Array.of(
        ...[..."abc"].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]),
        ...new Array<number>(12).fill(0),
      ),
    );
    const text = new Uint8Array(24);
    text[0] = 0x3f;
    expectSame(await runBoth(both, "categorize", configuration, spec, "encode", text), Uint8Array.of(0, 0));
  });

  it.each<[JsonObject, RegExp]>([
    [{ labels: ["a"] }, /dtype of strings such as "<U6", got nothing/],
    [{ labels: ["a"], dtype: "<i4" }, /dtype of strings such as "<U6", got "<i4"/],
    [{ dtype: "<U3" }, /a list of at most 255 strings, got nothing/],
    [{ labels: ["a", 1], dtype: "<U3" }, /a list of at most 255 strings/],
    [
      { labels: new Array<string>(128).fill("x"), dtype: "<U3", astype: "|i1" },
      /a list of at most 127 strings/,
    ],
    [{ labels: ["\ud800"], dtype: "<U3" }, /well-formed Unicode/],
    [
      { labels: ["a"], dtype: "<U3", astype: "<f4" },
      /categorize of data type float32 is not supported: expected integer/,
    ],
  ])("refuses %j", async (bad, message) => {
    const entry = await loadEntry("numcodecs.categorize");
    expect(() => entry.fromConfig(bad, spec)).toThrow(message);
  });

  it("a chunk of another length", async () => {
    const store = new Map<string, Uint8Array>([["/0", new Uint8Array(2)]]);
    const zarray = {
      zarr_format: 2, shape: [3], chunks: [3], dtype: "|O", order: "C", fill_value: "",
      filters: [{ id: "categorize", labels: ["a"], dtype: "|O", astype: "|u1" }], compressor: null,
    }; // biome-ignore format: a document
    store.set("/.zarray", encodeJson(zarray));
    const error: unknown = await get(await open(store, { kind: "array" })).catch((reason: unknown) => reason);
    expect(isZarrError(error, "CodecError") && error.message).toMatch(
      /expected 3 bytes \(\[3\] x 1 bytes\), got 2/,
    );
  });
});
