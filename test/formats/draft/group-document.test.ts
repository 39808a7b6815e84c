/** The checklist of README.md: group documents. */
import { expect, test } from "vitest";
import { create, type Json, open, root } from "../../../src/index.js";
import { arrayDocument, decode, encode, failure, groupDocument, hierarchy } from "./hierarchy.js";

test("46. A group document holds attributes, other names are reserved", async () => {
  const store = hierarchy({ "meta/root/g.group.json": groupDocument });
  const at = root(store).resolve("g");
  const openGroup = (document: Json) => {
    store.values.set("/meta/root/g.group.json", encode(document));
    return open(at, { kind: "group" });
  };
  expect((await openGroup({ attributes: { spam: "ham" }, extensions: [] })).attrs).toEqual({ spam: "ham" });
  expect((await openGroup({ attributes: null })).attrs).toEqual({});
  for (const document of [
    [],
    "x",
    { attributes: [] },
    { attributes: {}, extensions: [{ extension: "x", must_understand: true }] },
  ]) {
    expect(await failure(openGroup(document))).toBe("InvalidMetadataError");
  }
  await create(at, { overwrite: true, zarrFormat: "draft", attributes: { eggs: 42 } });
  expect(decode(store.values.get("/meta/root/g.group.json"))).toEqual({ attributes: { eggs: 42 } });
});

test("47. A group needs no document", async () => {
  const store = hierarchy({ "meta/root/a/b/c.array.json": arrayDocument() });
  for (const path of ["/", "/a", "/a/b"]) {
    const group = await open(root(store).resolve(path), { kind: "group" });
    expect([group.path, group.attrs, group.metadata.isImplicit]).toEqual([path, {}, true]);
  }
  expect(await failure(open(root(store).resolve("a/c")))).toBe("NotFoundError");
});
