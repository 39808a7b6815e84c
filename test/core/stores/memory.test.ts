import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { exists, listPrefix, readRange } from "../../../src/core/stores/capabilities.js";
import { MemoryStore } from "../../../src/core/stores/memory.js";
import type { Readable } from "../../../src/core/stores/store.js";
import { askParts } from "../../../src/core/stores/values.js";
import { type Conformance, describeStore, pattern } from "../../stores/conformance.js";

const everything: Conformance = {
  canWrite: true,
  canDelete: true,
  canList: true,
  isExact: true,
  tells: ["length", "version"],
};

describeStore("Map", (values) => new Map(values), everything);
describeStore("MemoryStore", (values) => new MemoryStore(new Map(values)), everything);

it("keeps names that are no keys out of listings", async () => {
  const values = new Map([
    ["/a", pattern(1)],
    ["b", pattern(2)],
  ]);
  expect(await listPrefix(values, "/")).toEqual(["/a"]);
  expect(new MemoryStore(values).list()).toEqual(["/a"]);
});

it("refuses prefixes that do not end in a slash", async () => {
  await expect(listPrefix(new Map([["/a", pattern(1)]]), "/a")).rejects.toMatchObject({ tag: "StoreError" });
});

it("refuses ranges that are not whole numbers", () => {
  const store = new MemoryStore(new Map([["/a", pattern(9)]]));
  for (const range of [{ offset: -1, length: 2 }, { offset: 0, length: 1.5 }, { suffixLength: Number.NaN }]) {
    expect(() => store.getRange("/a", range)).toThrow(
      expect.objectContaining({ tag: "InvalidArgumentError" }),
    );
  }
});

it("gives ranges to stores that can only get, at once or by and by", async () => {
  const atOnce: Readable = { get: () => pattern(10) };
  expect(readRange(atOnce, "/v", { offset: 2, length: 3 })).toEqual(pattern(10).subarray(2, 5));
  const later: Readable = { get: async () => pattern(10) };
  expect(await readRange(later, "/v", { suffixLength: 3 })).toEqual(pattern(10).subarray(7));
  expect((await askParts(later, "/v", [{ suffixLength: 3 }]))?.parts).toEqual([pattern(10).subarray(7)]);
});

it("takes bytes of another context for bytes, and null for nothing", async () => {
  const value: Uint8Array = runInNewContext("Uint8Array.of(1, 2, 3)");
  expect(value).not.toBeInstanceOf(Uint8Array);
  expect(readRange({ get: () => value }, "/v", { offset: 1, length: 9 })).toEqual(value.subarray(1));
  const nothing: Readable = { get: () => JSON.parse("null"), getRange: async () => JSON.parse("null") };
  expect(await exists(nothing, "/v")).toBe(false);
  expect(await exists({ get: nothing.get }, "/v")).toBe(false);
  expect(await askParts(nothing, "/v", [{ suffixLength: 3 }])).toBeUndefined();
});

it("takes a value that vanishes between two ranges for missing", async () => {
  let count = 0;
  const store: Readable = { get: () => undefined, getRange: () => (count++ === 0 ? pattern(3) : undefined) };
  expect(await askParts(store, "/v", [{ suffixLength: 3 }, { suffixLength: 2 }])).toBeUndefined();
});
