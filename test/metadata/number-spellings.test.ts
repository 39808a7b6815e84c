/**
 * Numbers of stored documents are written as they were, wherever their attributes go: 1.0 is not 1 in Python.
 */
import { expect, test } from "vitest";
import {
  consolidateMetadata,
  create,
  MemoryStore,
  open,
  root,
  updateAttributes,
  withConsolidatedMetadata,
} from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";

const ATTRIBUTES = '{"scale_factor":2.0,"levels":[1.0,2,{"x":1e3}],"same":1}';

/** A store with an array whose attributes have been written by another program. */
async function written(zarrFormat: 2 | 3) {
  const store = new MemoryStore();
  await create(store, { zarrFormat });
  await create(root(store).resolve("v"), { shape: [2], dtype: "int8", zarrFormat });
  if (zarrFormat === 2) store.set("/v/.zattrs", new TextEncoder().encode(ATTRIBUTES));
  else {
    const text = new TextDecoder().decode(store.get("/v/zarr.json"));
    store.set(
      "/v/zarr.json",
      new TextEncoder().encode(text.replace(/"attributes": \{\}/, `"attributes": ${ATTRIBUTES}`)),
    );
  }
  return store;
}
const compact = (store: MemoryStore, zarrFormat: 2 | 3, path: `/${string}` = "/v") =>
  new TextDecoder()
    .decode(store.get(zarrFormat === 2 ? `${path}/.zattrs` : `${path}/zarr.json`))
    .replace(/\s/g, "");

test.each([2, 3] as const)(
  "attributes of format %i keep the way their numbers are written",
  async (zarrFormat) => {
    const store = await written(zarrFormat);
    const kept = ATTRIBUTES.slice(1, -1);
    const array = await open(root(store).resolve("v"), { kind: "array" });
    const { attributes } = array.metadata;
    const target = new MemoryStore();
    await create(root(target).resolve("created"), { shape: [1], dtype: "int8", attributes, zarrFormat });
    expect(compact(target, zarrFormat, "/created")).toContain(kept);
    for (const other of [2, 3] as const) {
      await copyNode(store, root(target).resolve(`all${other}`), { zarrFormat: other });
      expect(compact(target, other, `/all${other}/v`)).toContain(kept);
      await copyNode(array, root(target).resolve(`one${other}`), {
        zarrFormat: other,
        attributes: { ...attributes, more: 5 },
        dimensionNames: ["x"],
      });
      expect(compact(target, other, `/one${other}`)).toContain(`${kept},"more":5`);
    }
    const bare = await create(root(target).resolve("bare"), { shape: [1], dtype: "int8", zarrFormat });
    await updateAttributes(bare, attributes);
    expect(compact(target, zarrFormat, "/bare")).toContain(kept);
  },
);

test.each([2, 3] as const)("also from consolidated metadata of format %i", async (zarrFormat) => {
  const store = await written(zarrFormat);
  await consolidateMetadata(store);
  const opened = await withConsolidatedMetadata(store);
  const array = await open(root(opened).resolve("v"), { kind: "array" });
  const target = new MemoryStore();
  await copyNode(array, root(target).resolve("v"), { attributes: { ...array.metadata.attributes } });
  expect(compact(target, zarrFormat)).toContain(ATTRIBUTES.slice(1, -1));
});

test("a number that has changed is written like any other", async () => {
  const store = await written(3);
  await updateAttributes(await open(root(store).resolve("v"), { kind: "array" }), { scale_factor: 3 });
  expect(compact(store, 3)).toContain('"scale_factor":3,"levels":[1.0,2,{"x":1e3}]');
});
