import { describe, expect, test } from "vitest";
import {
  consolidateMetadata,
  create,
  open,
  resize,
  root,
  type Store,
  updateAttributes,
} from "../../src/index.js";
import { rejection } from "./untyped.js";

describe.each([2, 3, "draft"] as const)("format %s", (zarrFormat) => {
  test("changes what is named and keeps the rest, of arrays and groups", async () => {
    const at = root(new Map<string, Uint8Array>()).resolve("/g");
    const attributes = { kept: 2n ** 63n, old: 1, removed: true };
    const nodes = [
      await create(at, { zarrFormat, attributes }),
      await create(at.resolve("a"), {
        zarrFormat,
        shape: [2],
        dtype: "int16",
        attributes,
        dimensionNames: zarrFormat === "draft" ? undefined : ["x"],
      }),
    ];
    for (const node of nodes) {
      const { metadata } = await open(node);
      const changes = { old: [Number.NaN, null], removed: undefined, __proto__x: "é", constructor: 0 };
      const updated = await updateAttributes(node, changes);
      const expected = { kept: 2n ** 63n, old: [Number.NaN, null], __proto__x: "é", constructor: 0 };
      expect(updated.attrs).toMatchObject(expected);
      expect(updated.attrs).not.toHaveProperty("removed");
      expect((await open(node)).metadata).toEqual(updated.metadata);
      expect(updated.metadata).toEqual({ ...metadata, attributes: updated.attrs });
    }
  });

  test("changes by two who opened the node at the same time are both there", async () => {
    const store = new Map<string, Uint8Array>();
    const group = await create(store, { zarrFormat });
    await Promise.all(["a", "b", "c"].map((name) => updateAttributes(group, { [name]: name })));
    expect((await open(store)).attrs).toEqual({ a: "a", b: "b", c: "c" });
  });

  test("the last attribute can go", async () => {
    const store = new Map<string, Uint8Array>();
    const group = await create(store, { zarrFormat, attributes: { a: 1 } });
    expect((await updateAttributes(group, { a: undefined })).attrs).toEqual({});
    expect((await open(store)).attrs).toEqual({});
  });
});

describe.each([2, 3] as const)("numbers that Python tells from integers, format %s", (zarrFormat) => {
  const attributes =
    '{"scale": 1.0, "old": 2.0, "steps": [0.0, 1, 2e3, -0.0, 1.50, {"x": 4.00}], "n": 7, "same": 1, "big": 9007199254740993.0}';
  const kept = (text: string) => text.replace(/\s+/g, "");

  async function made() {
    const store = new Map<string, Uint8Array>();
    await create(root(store), { zarrFormat });
    const array = await create(root(store).resolve("a"), {
      zarrFormat,
      shape: [2],
      dtype: "float64",
      attributes: { placeholder: 0 },
    });
    const key = zarrFormat === 2 ? "/a/.zattrs" : "/a/zarr.json";
    const text = new TextDecoder().decode(store.get(key));
    const pattern = /\{\s*"placeholder": 0\s*\}/;
    store.set(key, new TextEncoder().encode(text.replace(pattern, attributes)));
    return { store, key, array, text: () => kept(new TextDecoder().decode(store.get(key))) };
  }

  test("keep their spelling when others change", async () => {
    const { array, text } = await made();
    await updateAttributes(array, { old: 3, n: undefined, same: 1, more: 5 });
    expect(text()).toContain(
      kept(
        '"scale": 1.0, "old": 3, "steps": [0.0, 1, 2e3, -0.0, 1.5, {"x": 4.00}], "same": 1, "big": 9007199254740993.0, "more": 5',
      ),
    );
    await updateAttributes(array, { steps: [0, 1], scale: 1 });
    expect(text()).toContain(kept('"scale": 1.0, "old": 3, "steps": [0.0, 1], "same": 1'));
  });

  test("and when the shape does, or metadata are consolidated", async () => {
    const { store, array, text } = await made();
    await resize(array, [3]);
    expect(text()).toContain(
      kept(attributes.replace("1.50", zarrFormat === 2 ? "1.50" : "1.5").slice(1, -1)),
    );
    await consolidateMetadata(store);
    const consolidated = store.get(zarrFormat === 2 ? "/.zmetadata" : "/zarr.json");
    expect(kept(new TextDecoder().decode(consolidated))).toContain(
      kept('"scale": 1.0, "old": 2.0, "steps": [0.0, 1, 2e3, -0.0, 1.5, {"x": 4.00}]'),
    );
  });
});

test("a group of the draft that was only implied is there afterwards", async () => {
  const at = root(new Map<string, Uint8Array>());
  await create(at.resolve("/g/a"), { zarrFormat: "draft", shape: [1], dtype: "uint8" });
  const group = await open.draft(at.resolve("/g"), { kind: "group" });
  expect(group.metadata.isImplicit).toBe(true);
  const explicit = await updateAttributes(group, { a: 1 });
  expect(explicit.metadata.isImplicit).toBeUndefined();
  expect((await open.draft(at.resolve("/g"))).attrs).toEqual({ a: 1 });
});

test("what is not JSON, and a node that is gone", async () => {
  const store: Store & Map<string, Uint8Array> = new Map<string, Uint8Array>();
  const group = await create(store, {});
  expect(await rejection(updateAttributes, [group, { a: () => 1 }])).toMatchObject({
    tag: "InvalidArgumentError",
  });
  expect((await open(store)).attrs).toEqual({});
  store.delete("/zarr.json");
  expect(await rejection(updateAttributes, [group, { a: 1 }])).toMatchObject({
    tag: "NotFoundError",
    key: "/zarr.json",
  });
});

test("of v2: a node that is gone leaves no attributes for the next one there", async () => {
  const store = new Map<string, Uint8Array>();
  const group = await create(root(store).resolve("g"), { zarrFormat: 2 });
  store.delete("/g/.zgroup");
  expect(await rejection(updateAttributes, [group, { a: 1 }])).toMatchObject({ tag: "NotFoundError" });
  expect([...store.keys()]).toEqual(["/.zgroup"]);
});

test.each([2, 3, "draft"] as const)("no document is read without a bound: format %s", async (zarrFormat) => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { zarrFormat, shape: [2], dtype: "int8", attributes: { scale: 1.5 } });
  const unbounded: string[] = [];
  const recording: Store = {
    get(key, options) {
      if (options?.maximumBytes === undefined) unbounded.push(key);
      return store.get(key);
    },
    set: (key, value) => store.set(key, value),
    delete: (key) => store.delete(key),
  };
  const same = await open(root(recording).resolve(array.path), { kind: "array" });
  await updateAttributes(await resize(same, [4]), { units: "K" });
  expect(unbounded).toEqual([]);
});
