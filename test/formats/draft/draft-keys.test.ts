import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AbsolutePath } from "../../../src/core/stores/store.js";
import {
  checkDraftPath,
  checkNewDraftPath,
  draftChildren,
  draftDocumentKey,
  draftDocumentPrefix,
} from "../../../src/formats/draft/entry-point.js";
import { chunkPrefix } from "../../../src/metadata/path.js";

describe("storage keys, as the tables of the draft have them", () => {
  test.each<[AbsolutePath, "array" | "group", AbsolutePath]>([
    ["/", "array", "/meta/root.array.json"],
    ["/", "group", "/meta/root.group.json"],
    ["/foo", "group", "/meta/root/foo.group.json"],
    ["/foo", "array", "/meta/root/foo.array.json"],
    ["/foo/bar", "group", "/meta/root/foo/bar.group.json"],
    ["/foo/baz", "array", "/meta/root/foo/baz.array.json"],
    ["/foo.array", "array", "/meta/root/foo.array.array.json"],
    ["/zarr.json", "array", "/meta/root/zarr.json.array.json"],
  ])("%s %s", (path, nodeType, key) => {
    expect(draftDocumentKey(path, nodeType, ".json")).toBe(key);
  });

  test("chunks and prefixes, with the root's special cases", () => {
    expect(chunkPrefix("/foo/baz", "draft")).toBe("/data/root/foo/baz/");
    expect(chunkPrefix("/", "draft")).toBe("/data/root/");
    expect(draftDocumentPrefix("/")).toBe("/meta/root/");
    expect(draftDocumentPrefix("/foo")).toBe("/meta/root/foo/");
  });

  test("other suffixes", () => {
    expect(draftDocumentKey("/a", "array", "")).toBe("/meta/root/a.array");
    expect([...draftChildren({ keys: ["/meta/root/a.array"], prefixes: [] }, "")]).toEqual([["a", "array"]]);
    expect(draftDocumentKey("/a", "group", ".zarrmeta")).toBe("/meta/root/a.group.zarrmeta");
    expect(draftChildren({ keys: ["/meta/root/a.array.json"], prefixes: [] }, ".zarrmeta").size).toBe(0);
  });

  test("property: a name is found in its key again", () => {
    const name = fc.stringMatching(/^[\w.-]{1,20}$/).filter((text) => !/^\.+$/.test(text));
    fc.assert(
      fc.property(
        name,
        fc.constantFrom("array", "group"),
        fc.stringMatching(/^[\w.-]{0,6}$/),
        (child, nodeType, suffix) => {
          if (/(^|\.)(array|group)$/.test(suffix)) return;
          const keys = [draftDocumentKey(`/a/${child}`, nodeType, suffix)];
          expect([...draftChildren({ keys, prefixes: [] }, suffix)]).toEqual([[child, nodeType]]);
        },
      ),
    );
  });
});

describe("children", () => {
  test("the draft's example", () => {
    const bar: AbsolutePath = "/meta/root/foo/bar.group.json";
    expect([...draftChildren({ keys: [bar], prefixes: ["/meta/root/foo/baz/"] }, ".json")]).toEqual([
      ["baz", "implicit_group"],
      ["bar", "group"],
    ]);
    expect(draftChildren({ keys: [], prefixes: [] }, ".json").size).toBe(0);
  });

  test("a document decides over the prefix of the same name, an array's over a group's", () => {
    const keys: AbsolutePath[] = [
      "/meta/root/a.array.json",
      "/meta/root/a.group.json",
      "/meta/root/b.group.json",
      "/meta/root/b.array.json",
      "/meta/root/g.group.json",
    ];
    const children = draftChildren(
      { keys, prefixes: ["/meta/root/a/", "/meta/root/g/", "/meta/root/i/"] },
      ".json",
    );
    expect(Object.fromEntries(children)).toEqual({ a: "array", b: "array", g: "group", i: "implicit_group" });
  });

  test("other keys are passed over", () => {
    const keys: AbsolutePath[] = [
      "/meta/root/x.txt",
      "/meta/root/a.json",
      "/meta/root/.zmetadata",
      "/meta/root/.array.json",
    ];
    expect(draftChildren({ keys, prefixes: [] }, ".json").size).toBe(0);
  });
});

describe("names", () => {
  test.each<AbsolutePath>([
    "/",
    "/a",
    "/A-Z_0.9",
    "/..a/b",
    "/__a",
    "/c0",
    "/zarr.json",
    "/foo.array",
    `/${"x".repeat(255)}`,
  ])("%s", (path) => {
    checkDraftPath(path);
    checkNewDraftPath(path, ".json");
  });

  test.each<AbsolutePath>([
    "/a b",
    "/ä",
    "/a?",
    "/a%20",
    "/a\\b",
    "/a//b",
    "/...",
    "/a/..",
    "/a\n",
    `/${"x".repeat(256)}`,
  ])("%j is refused", (path) => {
    expect(() => checkDraftPath(path)).toThrow("expected 1 to 255 characters of a-z, A-Z, 0-9, -, _, .");
    expect(() => checkNewDraftPath(path, ".json")).toThrow("expected 1 to 255 characters");
  });

  test("new nodes leave the names of documents alone", () => {
    checkDraftPath("/a.array.json/b");
    expect(() => checkNewDraftPath("/a.array.json/b", ".json")).toThrow(
      "ends in neither .array.json nor .group.json",
    );
    checkNewDraftPath("/a.array.json/b", ".zarrmeta");
    expect(() => checkNewDraftPath("/a.group", "")).toThrow("ends in neither .array nor .group");
  });
});
