/** checkStore finds what is wrong with a store. That good ones pass is a test of each (conformance.ts). */
import { describe, expect, it } from "vitest";
import type { AbsolutePath, StoreOptions } from "../../src/core/stores/store.js";
import { MemoryStore } from "../../src/index.js";
import { checkStore } from "../../src/stores/check.js";

describe("checkStore", () => {
  it("finds nothing wrong with a Map, and with a store that only reads", async () => {
    expect(await checkStore((values) => new Map(values))).toEqual([]);
    expect(await checkStore((values) => ({ get: async (key) => values.get(key) }))).toEqual([]);
  });

  it.each([
    ["get gives undefined", { get: () => new Uint8Array(0) }],
    [
      "getRange gives",
      { getRange: (_: AbsolutePath, { offset = 0 }: { offset?: number }) => new Uint8Array(offset) },
    ],
    ["list and listPrefix", { listPrefix: () => ["/a/zarr.json"] }],
    ["listDir gives", { listDir: () => ({ keys: ["zarr.json"], prefixes: [] }) }],
    ["set stores", { set: () => {} }],
    ["delete removes", { delete: () => {} }],
    ["set no longer uses", { copiesValues: true }],
    ["set stores nothing", { conditionalWrites: true }],
  ])("%s ...", async (name, wrong) => {
    const findings = await checkStore((values) => Object.assign(new MemoryStore(new Map(values)), wrong));
    expect(findings.some((finding) => finding.startsWith(name))).toBe(true);
  });

  it("closes what it made", async () => {
    const open = new Set<object>();
    const made = (values: ReadonlyMap<AbsolutePath, Uint8Array>) => {
      const store = { get: (key: AbsolutePath, _?: StoreOptions) => values.get(key) };
      open.add(store);
      return store;
    };
    await checkStore(made, (store) => open.delete(store));
    expect(open.size).toBe(0);
  });
});
