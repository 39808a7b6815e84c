import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkDraftPath,
  checkNewDraftPath,
  type DraftNode,
  draftChildren,
  draftDocumentKey,
  draftDocumentPrefix,
  draftNodeOfKey,
  draftNodesBelow,
} from "../../src/metadata/draft/hierarchy.js";
import { chunkPrefix } from "../../src/metadata/path.js";
import { directoryOf } from "../../src/stores/capabilities.js";
import type { AbsolutePath } from "../../src/stores/store.js";

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
    expect(draftNodeOfKey(key, ".json")).toEqual({ path, nodeType });
  });

  test("chunks and prefixes, with the root's special cases", () => {
    expect(chunkPrefix("/foo/baz", "draft")).toBe("/data/root/foo/baz/");
    expect(chunkPrefix("/", "draft")).toBe("/data/root/");
    expect(draftDocumentPrefix("/")).toBe("/meta/root/");
    expect(draftDocumentPrefix("/foo")).toBe("/meta/root/foo/");
  });

  test("other suffixes", () => {
    expect(draftDocumentKey("/a", "array", "")).toBe("/meta/root/a.array");
    expect(draftNodeOfKey("/meta/root/a.array", "")).toEqual({ path: "/a", nodeType: "array" });
    expect(draftDocumentKey("/a", "group", ".zarrmeta")).toBe("/meta/root/a.group.zarrmeta");
    expect(draftNodeOfKey("/meta/root/a.array.json", ".zarrmeta")).toBeUndefined();
  });

  test.each([
    "/zarr.json",
    "/data/root/a.array.json",
    "/meta/rootx.array.json",
    "/meta/root/.array.json",
    "/meta/root/a/.group.json",
    "/meta/root/consolidated/.zmetadata",
    "/meta/root/a.json",
    "/meta/root.json",
    "/meta/root",
    "/meta/root/",
  ])("%s is no document", (key) => {
    expect(draftNodeOfKey(key, ".json")).toBeUndefined();
  });

  test("property: a path is found in its key again", () => {
    const name = fc.stringMatching(/^[\w.-]{1,20}$/).filter((text) => !/^\.+$/.test(text));
    const path = fc.array(name).map((names): AbsolutePath => `/${names.join("/")}`);
    fc.assert(
      fc.property(
        path,
        fc.constantFrom("array", "group"),
        fc.stringMatching(/^[\w.-]{0,6}$/),
        (path, nodeType, suffix) => {
          if (/(^|\.)(array|group)$/.test(suffix)) return;
          expect(draftNodeOfKey(draftDocumentKey(path, nodeType, suffix), suffix)).toEqual({
            path,
            nodeType,
          });
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
    const keys: AbsolutePath[] = ["/meta/root/x.txt", "/meta/root/.zmetadata", "/meta/root/.array.json"];
    expect(draftChildren({ keys, prefixes: [] }, ".json").size).toBe(0);
  });
});

describe("all nodes below a path", () => {
  test("in the order of the tree, implicit groups among them, nothing below arrays", () => {
    const keys: AbsolutePath[] = [
      "/meta/root/b.array.json",
      "/meta/root/b/hidden.array.json",
      "/meta/root/a-b.group.json",
      "/meta/root/a/x/y.array.json",
      "/meta/root/a/x/y.group.json",
      "/meta/root/a/x.group.json",
      "/meta/root/c d/e.array.json",
      "/meta/root/f/.zmetadata",
      "/meta/root/a/readme.txt",
    ];
    expect(draftNodesBelow(keys, "/", ".json")).toEqual([
      { path: "/a", nodeType: "implicit_group" },
      { path: "/a/x", nodeType: "group" },
      { path: "/a/x/y", nodeType: "array" },
      { path: "/a-b", nodeType: "group" },
      { path: "/b", nodeType: "array" },
      { path: "/f", nodeType: "implicit_group" },
    ]);
    const below = keys.filter((key) => key.startsWith("/meta/root/a/"));
    expect(draftNodesBelow(below, "/a", ".json").map(({ path }) => path)).toEqual(["/a/x", "/a/x/y"]);
    expect(draftNodesBelow([], "/", ".json")).toEqual([]);
  });

  test("property: what going from child to child finds", () => {
    const name = fc.constantFrom("a", "b", "a-b", "x y", "c.array.json", "");
    const end = fc.constantFrom(".array.json", ".group.json", ".txt", "");
    const key = fc
      .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), end)
      .map(([names, suffix]): AbsolutePath => `/meta/root/${names.join("/")}${suffix}`);
    const descend = (keys: readonly AbsolutePath[], path: AbsolutePath): DraftNode[] => {
      const prefix = draftDocumentPrefix(path);
      const below = keys.filter((each) => each.startsWith(prefix));
      const children = draftChildren(directoryOf(below, prefix), ".json");
      return [...children.keys()].sort().flatMap((child) => {
        const node: DraftNode = {
          path: path === "/" ? `/${child}` : `${path}/${child}`,
          nodeType: children.get(child) ?? "group",
        };
        return node.nodeType === "array" ? [node] : [node, ...descend(keys, node.path)];
      });
    };
    fc.assert(
      fc.property(fc.array(key, { maxLength: 12 }), (keys) => {
        expect(draftNodesBelow(keys, "/", ".json")).toEqual(descend(keys, "/"));
      }),
    );
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
