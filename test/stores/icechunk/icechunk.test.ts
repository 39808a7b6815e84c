/**
 * Repositories of Icechunk (test/fixtures/icechunk.json): every snapshot as zarr-python reads it, and what
 * may be wrong with one.
 */
import { describe, expect, test } from "vitest";
import type { AbsolutePath } from "../../../src/core/stores/store.js";
import { children, get, isZarrError, open, root, slice, tree } from "../../../src/index.js";
import { verify } from "../../../src/main/copy.js";
import { decompressZstd, nameOfId } from "../../../src/stores/icechunk/files.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import fixtures from "../../fixtures/icechunk.json" with { type: "json" };
import { RangeStore, readOnly } from "../../setup/stores.js";

type Elements = Record<string, { shape: number[]; data: unknown[] }>;

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const isKey = (key: string): key is AbsolutePath => key.startsWith("/");

function repositoryOf(version: "1" | "2"): Map<AbsolutePath, Uint8Array> {
  const values = new Map<AbsolutePath, Uint8Array>();
  for (const [key, base64] of Object.entries(fixtures.repositories[version].values))
    if (isKey(key)) values.set(key, bytesOf(base64));
  return values;
}

const TEN = Uint8Array.from({ length: 10 }, (_, i) => i);
const OPEN = (address: string) => {
  expect(address).toBe("http://files.test/ten");
  return { store: new Map([["/ten", TEN]] as const), key: "/ten" as const };
};

const isChunk = (read: unknown): read is { data: Iterable<unknown> } =>
  typeof read === "object" && read !== null && "data" in read;

async function expectElements(store: IcechunkStore, expected: Elements): Promise<void> {
  expect(Object.keys(expected).length).toBeGreaterThan(3);
  for (const [path, { shape, data }] of Object.entries(expected)) {
    const array = await open(root(store).resolve(path), { kind: "array" });
    expect(array.shape).toEqual(shape);
    const read: unknown = await get(array);
    const elements = isChunk(read) ? Array.from(read.data, Number) : [Number(read)];
    expect(elements, path).toEqual(data);
  }
}

describe.each(["1", "2"] as const)("a repository of format %s", (version) => {
  const { first, before, after } = fixtures.repositories[version];

  test("at its branch, a tag, another branch and an earlier snapshot", async () => {
    const values = repositoryOf(version);
    await expectElements(await IcechunkStore.open(values), after);
    await expectElements(await IcechunkStore.open(values, { tag: "v1" }), before);
    await expectElements(await IcechunkStore.open(values, { branch: "other" }), before);
    await expectElements(await IcechunkStore.open(values, { snapshot: first }), before);
  });

  test("its hierarchy, without a request for each node", async () => {
    const store = new RangeStore(repositoryOf(version));
    const repository = await IcechunkStore.open(readOnly(store));
    // The snapshot, after the file "repo", which format 1 does not have, and the file of the branch.
    const opening = version === "2" ? 2 : 3;
    expect(store.requests).toHaveLength(opening);
    expect((await children(repository)).map(({ path }) => path).sort()).toEqual([
      "/c",
      "/deep",
      "/field",
      "/shards",
      "/virtual",
    ]);
    expect(await tree(repository)).toBeDefined();
    const group = await open(repository, { kind: "group" });
    expect(group.attrs).toEqual({ title: "Icechunk" });
    expect(store.requests).toHaveLength(opening);
    await get(await open(root(repository).resolve("deep/small"), { kind: "array" }));
    // The manifest, which has the chunk in it.
    expect(store.requests.slice(opening)).toEqual([expect.stringMatching(/^\/manifests\//)]);
  });

  test("chunks of other files", async () => {
    const repository = await IcechunkStore.open(repositoryOf(version), { open: OPEN });
    const array = await open(root(repository).resolve("virtual"), { kind: "array", dtype: "uint8" });
    expect(Array.from((await get(array)).data)).toEqual([1, 2, 3, 6, 7, 8]);
  });

  test("all of its chunks are listed, and sound", async () => {
    const repository = await IcechunkStore.open(repositoryOf(version), { open: OPEN });
    const keys = await repository.list();
    expect(keys).toContain("/field/c/2/2/2");
    expect(keys).toContain("/deep/scalar/c");
    expect(await repository.listPrefix("/c/")).toEqual([
      "/c/zarr.json",
      "/c/2020/zarr.json",
      "/c/2020/c/0/0",
      "/c/2020/c/1/0",
    ]);
    const report = await verify(repository);
    expect(report.problems).toBe(0);
    expect(await repository.has("/field/c/0/0/0")).toBe(true);
    expect(await repository.has("/field/c/9/0/0")).toBe(false);
    expect(await repository.get("/nothing/zarr.json")).toBeUndefined();
  });

  test("ranges, where a shard is read in parts", async () => {
    const store = new RangeStore(repositoryOf(version));
    const array = await open(root(await IcechunkStore.open(readOnly(store))).resolve("shards"), {
      kind: "array",
    });
    store.reset();
    const { data } = await get(array, [slice(0, 4), slice(0, 4)]);
    expect(Array.from(data, Number)).toEqual([0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48, 49, 50, 51]);
    expect(store.requests.filter((key) => key.startsWith("/chunks/"))).toHaveLength(2);
  });

  test("that does not have what is asked for", async () => {
    const values = repositoryOf(version);
    await expect(IcechunkStore.open(values, { branch: "nobody" })).rejects.toMatchObject({
      tag: "NotFoundError",
    });
    await expect(IcechunkStore.open(values, { tag: "main" })).rejects.toMatchObject({ tag: "NotFoundError" });
    await expect(IcechunkStore.open(values, { snapshot: "0".repeat(20) })).rejects.toMatchObject({
      tag: "NotFoundError",
    });
    await expect(IcechunkStore.open(new Map())).rejects.toThrow(/the branch "main"/);
  });

  test("files that were changed at random are refused with typed errors, or still make sense", async () => {
    let seed = Number(version);
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed % below;
    };
    const original = repositoryOf(version);
    // Not compressed, so that what is changed is what a table says.
    for (const [key, value] of original) {
      if (!/^\/(snapshots|manifests|repo)/.test(key)) continue;
      const payload = await decompressZstd(value.subarray(39), 1 << 24);
      const plain = new Uint8Array(39 + payload.length);
      plain.set(value.subarray(0, 38));
      plain.set(payload, 39);
      original.set(key, plain);
    }
    const files = [...original.keys()].filter((key) => /^\/(snapshots|manifests|repo|refs)/.test(key));
    let refused = 0;
    for (let round = 0; round < 400; round++) {
      const values = new Map(original);
      const key = files[random(files.length)] ?? "/repo";
      const changed = values.get(key)?.slice() ?? new Uint8Array();
      for (let i = random(4); i >= 0; i--) changed[random(changed.length)] = random(256);
      values.set(key, random(8) === 0 ? changed.subarray(0, random(changed.length)) : changed);
      try {
        const repository = await IcechunkStore.open(values, { open: () => ({ store: new Map(), key: "/" }) });
        for (const each of (await repository.list()).slice(0, 50))
          await repository.get(each, { maximumBytes: 1 << 20 });
      } catch (error) {
        if (!isZarrError(error)) throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(50);
  });
});

test("ids in names", () => {
  const id = Uint8Array.of(0x0b, 0x1c, 0xc8, 0xd6, 0x78, 0x75, 0x80, 0xf0, 0xe3, 0x3a, 0x65, 0x34);
  expect(nameOfId(id)).toBe("1CECHNKREP0F1RSTCMT0");
  expect(nameOfId(Uint8Array.of(255))).toBe("ZW");
});

test("manifests are kept; a failed one is asked for again", async () => {
  const values = repositoryOf("2");
  const store = new RangeStore(values);
  const repository = await IcechunkStore.open(readOnly(store));
  const array = await open(root(repository).resolve("c/2020"), { kind: "array" });
  const manifests = () => store.requests.filter((key) => key.startsWith("/manifests/"));
  const saved = new Map(values);
  for (const key of saved.keys()) if (key.startsWith("/manifests/")) values.delete(key);
  await expect(get(array)).rejects.toThrow(/no manifest/);
  const failed = manifests().length;
  for (const [key, value] of saved) values.set(key, value);
  await get(array);
  await get(array);
  expect(manifests()).toHaveLength(failed + 1);
});

test("a manifest that several reads want is asked for once, and survives the abort of the first", async () => {
  const store = new RangeStore(repositoryOf("2"));
  const repository = await IcechunkStore.open(readOnly(store));
  const array = await open(root(repository).resolve("c/2020"), { kind: "array" });
  store.reset();
  const abort = new AbortController();
  const reason = new Error("enough");
  const both = Promise.allSettled([get(array, null, { signal: abort.signal }), get(array)]);
  abort.abort(reason);
  const [one, other] = await both;
  expect(one).toEqual({ status: "rejected", reason });
  expect(other.status).toBe("fulfilled");
  expect(store.requests.filter((key) => key.startsWith("/manifests/"))).toHaveLength(1);
});

test("names of branches and tags are percent-encoded in keys of format 1", async () => {
  const values = repositoryOf("1");
  const main = values.get("/refs/branch.main/ref.json");
  if (main === undefined) throw new Error("no branch");
  // The names as icechunk stores them.
  const stored = { "feat-é": "feat-%C3%A9", "a~b": "a%7Eb", "a b": "a b", "x[1]": "x%5B1%5D" };
  for (const [name, key] of Object.entries(stored)) {
    values.set(`/refs/branch.${key}/ref.json`, main);
    values.set(`/refs/tag.${key}/ref.json`, main);
    const { snapshot } = await IcechunkStore.open(values);
    expect((await IcechunkStore.open(values, { branch: name })).snapshot).toBe(snapshot);
    expect((await IcechunkStore.open(values, { tag: name })).snapshot).toBe(snapshot);
  }
});
