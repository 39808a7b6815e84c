/** How many requests things take in a hierarchy of the 2020 draft, exactly. */
import { describe, expect, test } from "vitest";
import { children, create, exists, get, members, type Node, open, root, tree } from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";
import { arrayDocument, failure, groupDocument, hierarchy, RecordingStore } from "./hierarchy.js";

const store = hierarchy(
  {
    "meta/root.group.json": groupDocument,
    "meta/root/a.array.json": arrayDocument(),
    "meta/root/g.group.json": groupDocument,
    "meta/root/g/b.array.json": arrayDocument(),
    "meta/root/g/i/c.array.json": arrayDocument(),
  },
  { "data/root/a/c0": [1, 2] },
);

async function requestsOf(action: () => Promise<unknown>, of = store): Promise<string[]> {
  of.reset();
  await failure(action());
  return of.requests;
}

const ENTRY = "get /zarr.json";
const [ARRAY_A, GROUP_A] = ["get /meta/root/a.array.json", "get /meta/root/a.group.json"];
const [ARRAY_G, GROUP_G] = ["get /meta/root/g.array.json", "get /meta/root/g.group.json"];

describe("opening", () => {
  test("the root takes the entry point and its documents", async () => {
    const documents = ["get /meta/root.array.json", "get /meta/root.group.json"];
    for (const openNode of [open, open.draft]) {
      expect(await requestsOf(() => openNode(store))).toEqual([ENTRY, ...documents]);
      expect(await requestsOf(() => openNode(store, { kind: "group" }))).toEqual([ENTRY, documents[1]]);
      expect(await requestsOf(() => openNode(store, { kind: "array" }))).toEqual([ENTRY, documents[0]]);
    }
  });

  test("what was resolved from a node takes its documents alone", async () => {
    const group = await open(store, { kind: "group" });
    expect(await requestsOf(() => open(group.resolve("a")))).toEqual([ARRAY_A]);
    expect(await requestsOf(() => open(group.resolve("a"), { kind: "array" }))).toEqual([ARRAY_A]);
    expect(await requestsOf(() => open(group.resolve("g")))).toEqual([ARRAY_G, GROUP_G]);
    expect(await requestsOf(() => open(group.resolve("g"), { kind: "group" }))).toEqual([GROUP_G]);
    expect(await requestsOf(() => open(group.resolve("g/i")))).toEqual([
      "get /meta/root/g/i.array.json",
      "get /meta/root/g/i.group.json",
      "listDir /meta/root/g/i/",
    ]);
    const array = await open(group.resolve("a"));
    expect(await requestsOf(() => open(array.resolve("/g"), { kind: "group" }))).toEqual([GROUP_G]);
  });

  test("below the root, nothing known: the entry point comes first when the draft is asked for", async () => {
    const location = root(store).resolve("a");
    expect(await requestsOf(() => open.draft(location))).toEqual([ENTRY, ARRAY_A]);
    expect(await requestsOf(() => open.draft(location, { kind: "group" }))).toEqual([
      ENTRY,
      GROUP_A,
      ARRAY_A,
    ]);
  });

  test("below the root, nothing known: the final formats come first otherwise", async () => {
    const location = root(store).resolve("a");
    const v2 = ["get /a/.zattrs", "get /a/.zarray"];
    expect(await requestsOf(() => open(location))).toEqual([
      "get /a/zarr.json",
      ...v2,
      "get /a/.zgroup",
      ENTRY,
      ARRAY_A,
    ]);
    expect(await requestsOf(() => open(location, { kind: "array" }))).toEqual([
      "get /a/zarr.json",
      ...v2,
      ENTRY,
      ARRAY_A,
    ]);
  });

  test("nodes of other formats take no request more, missing ones one", async () => {
    const final = new RecordingStore();
    await create(root(final).resolve("a"), {});
    expect(await requestsOf(() => open(root(final).resolve("a")), final)).toEqual(["get /a/zarr.json"]);
    const missing = await requestsOf(() => open(root(final).resolve("b")), final);
    expect(missing).toEqual([
      "get /b/zarr.json",
      "get /b/.zattrs",
      "get /b/.zarray",
      "get /b/.zgroup",
      ENTRY,
    ]);
    expect(await requestsOf(() => open.draft(root(final).resolve("b")), final)).toEqual([ENTRY]);
    final.values.clear();
    expect(await requestsOf(() => open(final), final)).toEqual([
      ENTRY,
      "get /.zattrs",
      "get /.zarray",
      "get /.zgroup",
    ]);
  });
});

async function all(nodes: AsyncIterable<Node>): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of nodes) paths.push(path);
  return paths;
}

describe("listing", () => {
  const documents = [ARRAY_A, GROUP_G, "get /meta/root/g/b.array.json", "get /meta/root/g/i/c.array.json"];
  const everything = [
    ...["listDir /meta/root/", ARRAY_A, GROUP_G],
    ...["listDir /meta/root/g/", documents[2]],
    ...["listDir /meta/root/g/i/", documents[3]],
  ];

  test("children: one listing and a request for every document", async () => {
    const group = await open(store, { kind: "group" });
    expect(await requestsOf(() => children(group))).toEqual(["listDir /meta/root/", ARRAY_A, GROUP_G]);
    const below = await open(group.resolve("g"), { kind: "group" });
    expect(await requestsOf(() => children(below))).toEqual(["listDir /meta/root/g/", documents[2]]);
    expect(await requestsOf(() => children(store))).toEqual([ENTRY, "listDir /meta/root/", ARRAY_A, GROUP_G]);
  });

  test("members: one listing for every group and a request for every document", async () => {
    const group = await open(store, { kind: "group" });
    expect(await requestsOf(() => all(members(group)))).toEqual(everything);
    expect(await all(members(group))).toEqual(["/a", "/g", "/g/b", "/g/i", "/g/i/c"]);
    const below = await open(group.resolve("g"), { kind: "group" });
    expect(await requestsOf(() => all(members(below)))).toEqual([
      "listDir /meta/root/g/",
      documents[2],
      "listDir /meta/root/g/i/",
      documents[3],
    ]);
  });

  test("tree: that and opening the root", async () => {
    const opening = [ENTRY, "get /meta/root.array.json", "get /meta/root.group.json"];
    expect(await requestsOf(() => tree(store))).toEqual([...opening, ...everything]);
    expect(await tree(store)).toBe(
      ["/", "├── a [2] uint8", "└── g", "    ├── b [2] uint8", "    └── i", "        └── c [2] uint8"].join(
        "\n",
      ),
    );
  });

  test("exists: as many as opening", async () => {
    const group = await open(store, { kind: "group" });
    expect(await requestsOf(() => exists(group.resolve("a")))).toEqual([ARRAY_A]);
  });
});

test("reading takes a request for every chunk", async () => {
  const array = await open(root(store).resolve("a"), { kind: "array" });
  expect(await requestsOf(() => get(array))).toEqual(["get /data/root/a/c0"]);
});

describe("creating", () => {
  const ARRAY = { zarrFormat: "draft", shape: [2], dtype: "uint8" } as const;

  test("in a hierarchy that is known: one round of looking, one document", async () => {
    const empty = hierarchy({});
    const group = await open(empty, { kind: "group" });
    expect((await requestsOf(() => create(group.resolve("x/y"), ARRAY), empty)).sort()).toEqual([
      "has /meta/root.array.json",
      "has /meta/root/x.array.json",
      "has /meta/root/x/y.array.json",
      "has /meta/root/x/y.group.json",
      "listDir /meta/root/x/y/",
      "listPrefix /data/root/x/y/",
      "set /meta/root/x/y.array.json",
    ]);
    expect((await requestsOf(() => create(group.resolve("z"), { attributes: {} }), empty)).sort()).toEqual([
      "has /meta/root.array.json",
      "has /meta/root/z.array.json",
      "has /meta/root/z.group.json",
      "set /meta/root/z.group.json",
    ]);
  });

  test("the first node of a store: other formats are looked for, the entry point is written before the node", async () => {
    const fresh = new RecordingStore();
    const requests = await requestsOf(() => create(root(fresh).resolve("x"), ARRAY), fresh);
    expect(requests.filter((request) => request.startsWith("get"))).toEqual([
      ENTRY,
      "get /.zarray",
      "get /.zgroup",
    ]);
    expect(requests.slice(-2)).toEqual(["set /zarr.json", "set /meta/root/x.array.json"]);
    const second = await requestsOf(() => create(root(fresh).resolve("y"), ARRAY), fresh);
    expect(second.filter((request) => /^[gs]et/.test(request))).toEqual([
      ENTRY,
      "set /meta/root/y.array.json",
    ]);
  });

  test("a copy of a hierarchy reads the entry point of its target once", async () => {
    const target = new RecordingStore();
    const requests = await requestsOf(() => copyNode(store, target), target);
    expect(requests.filter((request) => request === ENTRY)).toHaveLength(1);
    expect(requests.filter((request) => request.startsWith("set"))).toEqual([
      "set /zarr.json",
      "set /data/root/a/c0",
      "set /meta/root/g/i/c.array.json",
      "set /meta/root/g/b.array.json",
      "set /meta/root/g.group.json",
      "set /meta/root/a.array.json",
      "set /meta/root.group.json",
    ]);
  });
});
