/** The checklist of README.md: hierarchy and entry point. */
import { afterEach, expect, test } from "vitest";
import { children, create, get, type Json, open, root } from "../../../src/index.js";
import { draftExtensions } from "../../../src/main/codecs.js";
import {
  arrayDocument,
  CORE,
  decode,
  entryPoint,
  failure,
  groupDocument,
  hierarchy,
  RecordingStore,
} from "./hierarchy.js";

afterEach(() => draftExtensions.clear());

const withEntry = (entry: Json) => hierarchy({ "meta/root/a.array.json": arrayDocument() }, {}, entry);
const changed = (changes: Record<string, Json>) => withEntry({ ...entryPoint, ...changes });

async function expectRefused(store: RecordingStore): Promise<void> {
  for (const at of [root(store), root(store).resolve("a")]) {
    for (const openNode of [open, open.draft]) {
      expect(await failure(openNode(at))).toBe("InvalidMetadataError");
    }
    expect(await failure(create(at, { zarrFormat: "draft" }))).toBe("InvalidMetadataError");
  }
}

async function expectRead(store: RecordingStore): Promise<void> {
  expect((await open(store, { kind: "group" })).metadata.zarrFormat).toBe("draft");
  const array = await open(root(store).resolve("a"), { kind: "array" });
  expect((await get(array)).shape).toEqual([2]);
}

test("1. A hierarchy is a tree: arrays have no children, siblings no common name", async () => {
  const store = hierarchy({
    "meta/root/a.array.json": arrayDocument(),
    "meta/root/a.group.json": groupDocument,
    "meta/root/a/b.array.json": arrayDocument(),
  });
  expect((await children(store)).map(({ path, kind }) => [path, kind])).toEqual([["/a", "array"]]);
  const at = root(store);
  expect(await failure(create(at.resolve("a/c"), { zarrFormat: "draft" }))).toBe("InvalidArgumentError");
  expect(await failure(create(at.resolve("a/b/c/d"), { zarrFormat: "draft" }))).toBe("InvalidArgumentError");
  expect(await failure(create(at.resolve("a"), { zarrFormat: "draft" }))).toBe("AlreadyExistsError");
});

test("2. The entry point is zarr.json, a JSON object", async () => {
  const store = new RecordingStore();
  await create(root(store).resolve("a"), { zarrFormat: "draft", shape: [2], dtype: "uint8" });
  expect(decode(store.values.get("/zarr.json"))).toEqual(entryPoint);
  for (const text of ["", "{", "[]", "3", "\ufffd"]) {
    store.values.set("/zarr.json", new TextEncoder().encode(text));
    expect(await failure(open(store))).toBe("InvalidMetadataError");
    expect(await failure(open(root(store).resolve("a")))).toMatch(/InvalidMetadataError|NotFoundError/);
  }
  store.values.delete("/zarr.json");
  for (const openNode of [open, open.draft]) {
    expect(await failure(openNode(store))).toBe("NotFoundError");
    expect(await failure(openNode(root(store).resolve("a")))).toBe("NotFoundError");
  }
});

test("3. It holds zarr_format, metadata_encoding, metadata_key_suffix, extensions", async () => {
  const store = new RecordingStore();
  await create(store, { zarrFormat: "draft" });
  expect(Object.keys(Object(decode(store.values.get("/zarr.json")))).sort()).toEqual(
    Object.keys(entryPoint).sort(),
  );
  // Of those that are missing, all but the first have a value that nobody doubts.
  for (const name of ["metadata_encoding", "metadata_key_suffix", "extensions"]) {
    const { [name]: _, ...others } = entryPoint;
    await expectRead(withEntry(others));
  }
});

test("4. zarr_format is the URI of the protocol", async () => {
  const store = withEntry({ ...entryPoint, zarr_format: "https://example.org/zarr/3.0" });
  expect(await failure(open(store))).toBe("InvalidMetadataError");
  expect(await failure(open.draft(store))).toBe("NotFoundError");
  await expectRefused(changed({ zarr_format: `${CORE}-beta` }));
  await expectRefused(changed({ zarr_format: "https://purl.org/zarr/spec/protocol/core/4.0" }));
});

test("5. Any 3.x is read, names that are not known ignored", () =>
  expectRead(changed({ zarr_format: CORE.replace("3.0", "3.12"), new_in_3_12: { a: 1 } })));

test("6. metadata_encoding is the same URI", async () => {
  await expectRefused(changed({ metadata_encoding: "https://example.org/cbor" }));
  await expectRefused(changed({ metadata_encoding: 3 }));
});

test("7. metadata_key_suffix ends the keys of documents", async () => {
  const entry = { ...entryPoint, metadata_key_suffix: ".meta" };
  const store = hierarchy({ "meta/root/a.array.meta": arrayDocument() }, { "data/root/a/c0": [1, 2] }, entry);
  const group = await open(store, { kind: "group" });
  expect((await children(group)).map(({ path }) => path)).toEqual(["/a"]);
  await create(group.resolve("b"), { shape: [1], dtype: "int8" });
  expect(store.values.has("/meta/root/b.array.meta")).toBe(true);
  for (const suffix of ["/x", " ", "é", 5]) await expectRefused(changed({ metadata_key_suffix: suffix }));
});

test("8. extensions are objects with a URI and must_understand", async () => {
  for (const extension of [
    {},
    { extension: "http://example.org/x" },
    { must_understand: false },
    { extension: "http://example.org/x", must_understand: "false" },
    { extension: 1, must_understand: false },
    "http://example.org/x",
  ]) {
    await expectRefused(changed({ extensions: [extension] }));
  }
  await expectRefused(changed({ extensions: {} }));
});

const ignorable = {
  extension: "http://example.org/x",
  must_understand: false,
  configuration: { foo: "bar" },
};

test("9. An extension that is not known and need not be understood is ignored", async () => {
  await expectRead(changed({ extensions: [ignorable] }));
});

test("10. An extension that is not known and must be understood stops everything", async () => {
  const required = { ...ignorable, must_understand: true };
  const store = changed({ extensions: [ignorable, required] });
  await expectRefused(store);
  draftExtensions.set("http://example.org/x", {});
  await expectRead(store);
});

test("11. Documents in another encoding are not read as JSON", async () => {
  const store = changed({ metadata_encoding: "https://example.org/cbor" });
  store.reset();
  await failure(open.draft(root(store).resolve("a")));
  expect(store.requests).toEqual(["get /zarr.json"]);
});
