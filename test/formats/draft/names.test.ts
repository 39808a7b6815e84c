/** The checklist of README.md: names and paths. */
import { expect, test } from "vitest";
import { children, create, exists, open, root } from "../../../src/index.js";
import { arrayDocument, failure, hierarchy, keysOf, RecordingStore } from "./hierarchy.js";

const start = () => hierarchy({});

async function expectRefused(...names: string[]): Promise<void> {
  const store = start();
  for (const name of names) {
    for (const path of [name, `a/${name}`, `${name}/a`]) {
      const attempts = [
        async () => open.draft(root(store).resolve(path)),
        async () => exists((await open(store)).resolve(path)),
        async () => create(root(store).resolve(path), { zarrFormat: "draft" }),
        async () => create(root(store).resolve(path), { zarrFormat: "draft", shape: [1], dtype: "int8" }),
      ];
      for (const attempt of attempts) expect(await failure(attempt())).toBe("InvalidArgumentError");
    }
  }
  expect(keysOf(store)).toEqual(["/zarr.json"]);
}

test("12. A name is not empty", async () => {
  const store = start();
  const at = root(store);
  for (const path of ["a//b", "//a", "a//"]) expect(() => at.resolve(path)).toThrow(/not empty/);
});

test("13. A name consists of a-z A-Z 0-9 - _ .", async () => {
  await expectRefused("a b", "é", "a\\b", "a:b", "a%20", "a?", "a#", "a*", "a\n", "a\0", "😀");
  const store = start();
  const name = "azAZ09-_.";
  await create(root(store).resolve(name), { zarrFormat: "draft" });
  expect(store.values.has(`/meta/root/${name}.group.json`)).toBe(true);
});

test("14. A name is not all periods", () => {
  for (const name of [".", "..", "...", "....."]) {
    expect(() => root(start()).resolve(name)).toThrow(/periods/);
    expect(() => root(start()).resolve(`a/${name}`)).toThrow(/periods/);
  }
  expect(root(start()).resolve("..a").path).toBe("/..a");
});

test("15. A name has at most 255 characters", async () => {
  await expectRefused("x".repeat(256));
  const store = start();
  await create(root(store).resolve("x".repeat(255)), { zarrFormat: "draft" });
  expect(await exists(root(store).resolve("x".repeat(255)))).toBe(true);
});

test("16. Names are case sensitive", async () => {
  const store = start();
  await create(root(store).resolve("foo"), { zarrFormat: "draft", attributes: { case: "lower" } });
  await create(root(store).resolve("FOO"), { zarrFormat: "draft", attributes: { case: "upper" } });
  expect((await children(store)).map(({ path, attrs }) => [path, attrs.case])).toEqual([
    ["/FOO", "upper"],
    ["/foo", "lower"],
  ]);
  expect(await exists(root(store).resolve("Foo"))).toBe(false);
});

test("17. A path begins with a slash, / is the root, which has no name", async () => {
  const store = hierarchy({ "meta/root/a/b.array.json": arrayDocument() });
  const top = await open(store, { kind: "group" });
  expect(top.path).toBe("/");
  for (const path of ["a/b", "/a/b", "a/b/", "/a/b/"]) {
    expect((await open(top.resolve(path), { kind: "array" })).path).toBe("/a/b");
  }
  expect((await open(top.resolve("a").resolve("b"))).path).toBe("/a/b");
});

test("what no node can be called is passed over in listings", async () => {
  const store = hierarchy({
    "meta/root/a.array.json": arrayDocument(),
    "meta/root/b c.array.json": arrayDocument(),
    "meta/root/d e/f.array.json": arrayDocument(),
    "meta/root/.array.json": arrayDocument(),
    "meta/root/readme.txt": "text",
    "meta/rootless.array.json": arrayDocument(),
  });
  expect((await children(store)).map(({ path }) => path)).toEqual(["/a"]);
});

test("names that would be documents in a file system are not given to new nodes", async () => {
  const store = new RecordingStore();
  for (const name of ["a.array.json", "a.group.json"]) {
    const attempt = create(root(store).resolve(name), { zarrFormat: "draft" });
    expect(await failure(attempt)).toBe("InvalidArgumentError");
  }
  expect(store.values.size).toBe(0);
});
