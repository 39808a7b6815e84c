import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FileSystemStore as ZarritaFileSystemStore } from "@zarrita/storage";
import { buildSync } from "esbuild";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listDir, listPrefix } from "../../../src/core/stores/capabilities.js";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import type { AbsolutePath, WritableStore } from "../../../src/core/stores/store.js";
import { members } from "../../../src/index.js";
import { type Conformance, describeStore, expectBytes, pattern } from "../../stores/conformance.js";

const scratch = fs.mkdtempSync(join(tmpdir(), "wazarr-file-system-"));
afterAll(() => fs.rmSync(scratch, { recursive: true }));
let count = 0;
const newDirectory = () => join(scratch, String(count++), "not", "made", "yet");

async function filled<S extends WritableStore>(
  store: S,
  values: ReadonlyMap<AbsolutePath, Uint8Array>,
): Promise<S> {
  for (const [key, value] of values) await store.set(key, value);
  return store;
}

const everything: Conformance = {
  canWrite: true,
  canDelete: true,
  canList: true,
  isExact: true,
  tells: ["length", "version"],
};

describeStore("FileSystemStore", (values) => filled(new FileSystemStore(newDirectory()), values), everything);

describe("with a slow file system", () => {
  beforeEach(() => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  });
  afterEach(() => vi.restoreAllMocks());

  describeStore(
    "FileSystemStore",
    (values) => filled(new FileSystemStore(newDirectory()), values),
    everything,
  );

  it("answers by and by, in memory of its own", async () => {
    const store = await filled(new FileSystemStore(newDirectory()), new Map([["/v", pattern(50)]]));
    await store.get("/missing");
    expect(store.openNow("/v")).toBe("later");
    const answer = store.get("/v");
    expect(answer).toBeInstanceOf(Promise);
    expectBytes(await answer, pattern(50));
  });
});

describeStore(
  "FileSystemStore of @zarrita/storage",
  (values) => filled(new ZarritaFileSystemStore(newDirectory()), values),
  { canWrite: true, canDelete: true, canList: false, isExact: false },
);

async function makeStore(values: Record<AbsolutePath, Uint8Array> = {}): Promise<FileSystemStore> {
  const store = new FileSystemStore(newDirectory());
  fs.mkdirSync(store.root, { recursive: true });
  for (const [key, value] of Object.entries(values)) await store.set(`/${key.slice(1)}`, value);
  return store;
}

/** What a method does, be it to throw or to reject. */
async function attempt<T>(method: () => T): Promise<Awaited<T>> {
  return await method();
}

describe("FileSystemStore", () => {
  it("takes a file: URL for its root", async () => {
    const store = new FileSystemStore(pathToFileURL(join(scratch, "URL root")));
    await store.set("/v", pattern(3));
    expectBytes(fs.readFileSync(join(scratch, "URL root", "v")), pattern(3));
  });

  it("answers at once while the file system does", async () => {
    vi.spyOn(performance, "now").mockReturnValue(0);
    const store = await makeStore({ "/v": pattern(100) });
    const memory = new Uint8Array(200);
    expect(store.get("/v")).toEqual(pattern(100));
    expect(store.get("/missing")).toBeUndefined();
    expect(store.getRange("/v", { suffixLength: 5 })).toEqual(pattern(100).subarray(95));
    const value = store.openNow("/v");
    if (value === undefined || value === "later") return expect.unreachable("the file was not opened");
    expect(value.whole((byteLength) => memory.subarray(10, 10 + byteLength))).toEqual(pattern(100));
    value.close();
    expect(memory.subarray(10, 110)).toEqual(pattern(100));
    expect(store.set("/w", pattern(5))).toBeUndefined();
    vi.restoreAllMocks();
  });

  it("lets no key out of the root", async () => {
    const store = await makeStore({ "/v": pattern(3) });
    fs.writeFileSync(join(store.root, "..", "secret"), "secret");
    const names = [
      "/../secret",
      "/a/../../secret",
      "/..",
      "/.",
      "/",
      "//v",
      "/v/",
      "/a//b",
      "/./v",
      "/a/./b",
      "/v\0",
      // The name of one file, U+FFFD.
      "/\ud800",
      "/\udc00/x",
      "v",
    ];
    for (const name of names) {
      // A caller in JavaScript can pass any string.
      const key: AbsolutePath = `/${name.slice(1)}`;
      const stray = name.startsWith("/") ? key : String.prototype.slice.call(key, 1);
      const refused = { tag: "StoreError", key: stray };
      const call = (method: string, ...rest: unknown[]) =>
        attempt(() => Reflect.apply(Reflect.get(store, method), store, [stray, ...rest]));
      await expect(call("get"), name).rejects.toMatchObject(refused);
      await expect(call("getRange", { suffixLength: 1 }), name).rejects.toMatchObject(refused);
      await expect(call("has"), name).rejects.toMatchObject(refused);
      await expect(call("set", pattern(1)), name).rejects.toMatchObject(refused);
      await expect(call("delete"), name).rejects.toMatchObject(refused);
    }
    for (const prefix of ["/../", "/a/../../", "//", "/a//", "/v"] as const) {
      const refused = { tag: "StoreError" };
      await expect(
        attempt(() => listPrefix(store, prefix)),
        prefix,
      ).rejects.toMatchObject(refused);
      await expect(
        attempt(() => listDir(store, prefix)),
        prefix,
      ).rejects.toMatchObject(refused);
      await expect(
        attempt(() => store.deletePrefix(prefix)),
        prefix,
      ).rejects.toMatchObject(refused);
    }
    expect(fs.readdirSync(join(store.root, "..")).sort()).toEqual(
      [store.root.split("/").at(-1), "secret"].sort(),
    );
  });

  it("gives a typed error where a directory, a pipe or a loop of links stands for a value", async () => {
    const store = await makeStore({ "/c/0/0": pattern(3) });
    execFileSync("mkfifo", [join(store.root, "pipe")]);
    fs.symlinkSync("loop", join(store.root, "loop"));
    for (const [key, problem] of [
      ["/c/0", "got a directory"],
      ["/pipe", "neither a file nor a directory"],
      ["/loop", "ELOOP"],
      [`/${"x".repeat(300)}`, "ENAMETOOLONG"],
    ] as const) {
      const error = { tag: "StoreError", key, message: expect.stringContaining(problem) };
      await expect(
        attempt(() => store.get(key)),
        key,
      ).rejects.toMatchObject(error);
      await expect(
        attempt(() => store.getRange(key, { suffixLength: 4 })),
        key,
      ).rejects.toMatchObject(error);
    }
    expect(store.has("/c/0")).toBe(false);
    expect(store.has("/pipe")).toBe(false);
    await store.delete("/c/0");
    expectBytes(await store.get("/c/0/0"), pattern(3));
  });

  it("leaves nothing behind when it cannot write", async () => {
    const store = await makeStore({ "/c/0/0": pattern(3), "/v": pattern(4) });
    for (const byteLength of [10, 100_000]) {
      for (const key of ["/c/0", "/v/below"] as const) {
        const error = { tag: "StoreError", key };
        await expect(
          attempt(() => store.set(key, pattern(byteLength))),
          key,
        ).rejects.toMatchObject(error);
      }
    }
    expect(fs.readdirSync(store.root, { recursive: true }).sort()).toEqual(["c", "c/0", "c/0/0", "v"]);
  });

  it("keeps its temporary files out of sight", async () => {
    const store = await makeStore({ "/a/v": pattern(3) });
    const name = ".wazarr-temporary-left-by-a-crash";
    fs.writeFileSync(join(store.root, "a", name), "half a va");
    expect(await listPrefix(store, "/")).toEqual(["/a/v"]);
    expect(await store.listDir("/a/")).toEqual({ keys: ["/a/v"], prefixes: [] });
    await expect(attempt(() => store.set(`/a/${name}`, pattern(1)))).rejects.toMatchObject({
      tag: "StoreError",
    });
    await store.deletePrefix("/a/");
    expect(fs.readdirSync(store.root)).toEqual([]);
  });

  it("stops for an aborted signal, with its reason", async () => {
    const store = await makeStore({ "/v": pattern(3) });
    const reason = new Error("enough");
    const options = { signal: AbortSignal.abort(reason) };
    await expect(attempt(() => store.get("/v", options))).rejects.toBe(reason);
    await expect(attempt(() => store.getRange("/v", { suffixLength: 1 }, options))).rejects.toBe(reason);
    await expect(attempt(() => store.set("/w", pattern(3), options))).rejects.toBe(reason);
    const controller = new AbortController();
    const writing = attempt(() => store.set("/w", pattern(1 << 20), { signal: controller.signal }));
    controller.abort(reason);
    await expect(writing).rejects.toBe(reason);
    expect(fs.readdirSync(store.root)).toEqual(["v"]);
  });

  it("lists directories that link to themselves and to each other once", async () => {
    const store = await makeStore({});
    for (const name of ["zarr.json", "c/zarr.json", "d/zarr.json"])
      await store.set(`/${name}`, new TextEncoder().encode('{"zarr_format": 3, "node_type": "group"}'));
    for (const name of ["x", "y"]) fs.symlinkSync(".", join(store.root, name));
    fs.symlinkSync("../d", join(store.root, "c", "d"));
    fs.symlinkSync("../c", join(store.root, "d", "c"));
    const paths: string[] = [];
    for await (const { path } of members(store)) paths.push(path);
    expect(paths).toEqual(["/c", "/c/d", "/d", "/d/c"]);
    const keys: string[] = [];
    for await (const key of store.list()) keys.push(key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => /^\/[xy]\//.test(key))).toEqual([]);
  });

  it("lists directories nested without end with a StoreError", async () => {
    const store = await makeStore({ [`/${"d/".repeat(400)}v`]: pattern(3) });
    expect(await listPrefix(store, "/")).toHaveLength(1);
    await store.set(`/${"d/".repeat(600)}v`, pattern(3));
    await expect(listPrefix(store, "/")).rejects.toThrow("at most 512 names");
    await store.deletePrefix("/d/");
    expect(fs.readdirSync(store.root)).toEqual([]);
  });

  it("follows links, but not in circles", async () => {
    const store = await makeStore({ "/a/v": pattern(3) });
    fs.symlinkSync("..", join(store.root, "a", "up"));
    fs.symlinkSync("v", join(store.root, "a", "same"));
    fs.symlinkSync("nowhere", join(store.root, "a", "broken"));
    fs.symlinkSync("a", join(store.root, "b"));
    expect((await listPrefix(store, "/")).sort()).toEqual(["/a/same", "/a/v", "/b/same", "/b/v"]);
    expectBytes(await store.get("/b/v"), pattern(3));
    await store.deletePrefix("/b/");
    expectBytes(await store.get("/a/v"), pattern(3));
  });

  it("fails to list a link that cannot be followed: a copy without what it names would be incomplete", async () => {
    const store = await makeStore({ "/a/v": pattern(3) });
    // Its target has a name that no system takes; a directory without permission fails alike.
    fs.symlinkSync("x".repeat(1000), join(store.root, "a", "link"));
    const failure = { tag: "StoreError", key: "/a/link" };
    await expect(attempt(() => store.listDir("/a/"))).rejects.toMatchObject(failure);
    const all = async () => {
      for await (const key of store.listPrefix("/")) expect(key).toBe("/a/v");
    };
    await expect(all()).rejects.toMatchObject(failure);
  });

  it("reads a little out of a value that is too large for memory", async () => {
    const store = await makeStore({ "/huge": pattern(8) });
    fs.truncateSync(join(store.root, "huge"), 2 ** 42);
    expectBytes(await store.getRange("/huge", { offset: 2 ** 41, length: 10 }), new Uint8Array(10));
    expectBytes(await store.getRange("/huge", { suffixLength: 3 }), new Uint8Array(3));
    await expect(attempt(() => store.get("/huge"))).rejects.toMatchObject({
      tag: "StoreError",
      key: "/huge",
    });
  });

  it("leaves the old value or the new one when the process is killed while it writes", async () => {
    const bundle = join(scratch, "file-system.mjs");
    buildSync({
      entryPoints: ["src/core/stores/files/file-system.ts"],
      bundle: true,
      format: "esm",
      platform: "node",
      outfile: bundle,
    });
    for (const byteLength of [50_000, 3_000_000]) {
      const store = await makeStore({ "/v": new Uint8Array(byteLength).fill(1) });
      const script = `
        const { FileSystemStore } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
        const store = new FileSystemStore(${JSON.stringify(store.root)});
        for (let round = 1; ; round++) {
          await store.set("/v", new Uint8Array(${byteLength}).fill(round % 250));
          if (round === 10) console.log("ready");
        }`;
      const writer = spawn(process.execPath, ["--input-type=module", "--eval", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(writer.stdout, "data");
      // Readers of this process meanwhile see one value or the other.
      for (let round = 0; round < 60; round++) {
        const value = await store.get("/v");
        expectBytes(value, new Uint8Array(byteLength).fill(value?.[0] ?? 0));
      }
      writer.kill("SIGKILL");
      await once(writer, "exit");
      const value = await store.get("/v");
      expectBytes(value, new Uint8Array(byteLength).fill(value?.[0] ?? 0));
      expect(await listPrefix(store, "/")).toEqual(["/v"]);
    }
  });
});

it("takes a path or a file: URL, which may be text, and no other URL", () => {
  const url = pathToFileURL(scratch);
  for (const root of [scratch, url, url.href]) expect(new FileSystemStore(root).root).toBe(scratch);
  for (const root of [
    "",
    undefined,
    null,
    "https://example.com/a.zarr",
    "s3://b/a",
    new URL("https://a.b/"),
  ]) {
    expect(() => Reflect.construct(FileSystemStore, [root])).toThrow(
      /expected the path of a directory or its file: URL/,
    );
  }
});
