import { describe, expect, test } from "vitest";
import { create, open, root, type Store, updateAttributes } from "../../src/index.js";
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
