/**
 * `wazarr serve`: the values of a store over HTTP, as the library's own HttpStore and others' clients ask for
 * them.
 */

import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreError } from "../../src/base/errors.js";
import { nodesIn } from "../../src/cli/commands/serve.js";
import { PIECE } from "../../src/cli/serve/served-values.js";
import { isOwnHost, startServer } from "../../src/cli/serve/server.js";
import { parseNodeName } from "../../src/cli/stores.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { HttpStore } from "../../src/core/stores/http/http.js";
import { resolveRange } from "../../src/core/stores/keys-and-ranges.js";
import {
  type AbsolutePath,
  create,
  get,
  MemoryStore,
  open,
  type Readable,
  root,
  set,
} from "../../src/index.js";
import { openStore } from "../../src/stores/addresses/open-store.js";
import { withinDirectory } from "../../src/stores/addresses/within-directory.js";
import { packZip, ZipStore } from "../../src/stores/zip/zip.js";
import { DATA, useCommandLine } from "./use-command-line.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-serve-"));
const viewer = pathToFileURL(`${folder}/dist/viewer/`);
let server: Server;
let url: string;

beforeAll(async () => {
  mkdirSync(join(folder, "dist/viewer/assets"), { recursive: true });
  writeFileSync(join(folder, "dist/viewer/index.html"), "<title>page</title>");
  writeFileSync(join(folder, "dist/viewer/assets/a-1.js"), "1");
  writeFileSync(join(folder, "dist/index.js"), "2");
  writeFileSync(join(folder, "dist/secret.txt"), "secret");
  server = await startServer(new FileSystemStore(DATA), { port: 0, viewer });
  url = urlOf(server);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function urlOf(of: Server): string {
  const address = of.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

/** As it is: `fetch` would resolve "..". */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url);
    request({ host: "127.0.0.1", port, path, headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

const CHUNK = "elevation/c/0/0";
const bytes = readFileSync(join(DATA, CHUNK));

test("an array is read through HttpStore as from its directory", async () => {
  const remote = await open.v3(new HttpStore(`${url}/data/elevation`), { kind: "array" });
  const local = await open.v3(new FileSystemStore(`${DATA}/elevation`), { kind: "array" });
  expect(await get(remote)).toEqual(await get(local));
});

test.each([
  ["bytes=0-3", 206, bytes.subarray(0, 4), `bytes 0-3/${bytes.length}`],
  ["bytes=-10", 206, bytes.subarray(-10), `bytes ${bytes.length - 10}-${bytes.length - 1}/${bytes.length}`],
  ["bytes=5-", 206, bytes.subarray(5), `bytes 5-${bytes.length - 1}/${bytes.length}`],
  ["bytes=0-9999999", 206, bytes, `bytes 0-${bytes.length - 1}/${bytes.length}`],
  ["bytes=0-99999999999999999999", 206, bytes, `bytes 0-${bytes.length - 1}/${bytes.length}`],
  ["bytes=0-1,4-5", 200, bytes, null],
  ["rows=1-2", 200, bytes, null],
])("%s is %i", async (range, status, expected, position) => {
  const response = await fetch(`${url}/data/${CHUNK}`, { headers: { range } });
  expect(response.status).toBe(status);
  expect(response.headers.get("content-range")).toBe(position);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(expected));
});

test("what lies beyond a value is 416, what is not there 404, other methods 405", async () => {
  expect(await ask(`/data/${CHUNK}`, { range: `bytes=${bytes.length}-` })).toBe(416);
  expect(await ask("/data/elevation/c/9/9")).toBe(404);
  expect(await ask(`/data/${CHUNK}`, {}, "PUT")).toBe(405);
  expect(await ask(`/data/${CHUNK}`, {}, "DELETE")).toBe(405);
});

test("ETags: what did not change is 304; a part of what did is all of it", async () => {
  const first = await fetch(`${url}/data/${CHUNK}`, { method: "HEAD" });
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]+"$/);
  expect(first.headers.get("content-length")).toBe(String(bytes.length));
  expect(await ask(`/data/${CHUNK}`, { "if-none-match": etag })).toBe(304);
  expect(await ask(`/data/${CHUNK}`, { range: "bytes=0-1", "if-range": etag })).toBe(206);
  expect(await ask(`/data/${CHUNK}`, { range: "bytes=0-1", "if-range": '"other"' })).toBe(200);
});

/** Names of CORS headers in the answers to a request and to its preflight, with their statuses. */
async function sharing(of: Server, origin: string): Promise<{ statuses: number[]; names: string[] }> {
  const headers = { origin, "access-control-request-private-network": "true" };
  const answers = await Promise.all(
    ["GET", "OPTIONS"].map((method) => fetch(`${urlOf(of)}/data/${CHUNK}`, { method, headers })),
  );
  const names = answers.flatMap((answer) => [...answer.headers].map(([name]) => name));
  return {
    statuses: answers.map(({ status }) => status),
    names: names.filter((name) => name.startsWith("access-control-")),
  };
}

describe("pages of other origins", () => {
  test("are refused, and their preflights not answered", async () => {
    for (const origin of ["https://evil.example", "null", "http://localhost:1"])
      expect(await sharing(server, origin), origin).toEqual({ statuses: [403, 403], names: [] });
    expect(await sharing(server, url)).toEqual({ statuses: [200, 204], names: [] });
    const { headers } = await fetch(`${url}/data/zarr.json`);
    expect([...headers].filter(([name]) => name.startsWith("access-control-"))).toEqual([]);
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("read if they were named", async () => {
    const named = await startServer(new FileSystemStore(DATA), {
      port: 0,
      viewer,
      cors: ["https://a.example", "https://b.example"],
    });
    const all = await startServer(new FileSystemStore(DATA), { port: 0, viewer, cors: ["*"] });
    expect((await sharing(named, "https://evil.example")).statuses).toEqual([403, 403]);
    for (const [of, origin, told] of [
      [named, "https://b.example", "https://b.example"],
      [all, "https://evil.example", "*"],
    ] as const) {
      const { statuses, names } = await sharing(of, origin);
      expect(statuses).toEqual([200, 204]);
      expect(names).toContain("access-control-allow-private-network");
      const { headers } = await fetch(`${urlOf(of)}/data/zarr.json`, { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe(told);
      expect(headers.get("access-control-expose-headers")).toContain("content-range");
      expect(headers.get("vary")).toBe("origin");
    }
    named.close();
    all.close();
  });
});

test("a URL that ends in a slash lists", async () => {
  expect(await (await fetch(`${url}/data/`)).json()).toEqual({
    keys: ["/zarr.json"],
    prefixes: ["/elevation/", "/latitude/", "/longitude/"],
  });
});

describe("nothing else is served", () => {
  test.each([
    "/data/../package.json",
    "/data/..%2fpackage.json",
    "/data/%2e%2e/package.json",
    "/data//etc/passwd",
    "/data/%00",
    "/data/%ff",
    "/../secret.txt",
    "/chunks/secret.txt",
    "/chunks/../secret.txt",
    "/assets/../../secret.txt",
    "/chunks/..%2fsecret.txt",
  ])("%s", async (path) => {
    expect([400, 404]).toContain(await ask(path));
  });

  test("links that lead out of the directory are refused, those within it are followed", async () => {
    const data = join(folder, "data.zarr");
    const outside = join(folder, "outside.zarr");
    for (const directory of [data, outside]) {
      const array = await create(new FileSystemStore(directory), { shape: [2], dtype: "uint8", codecs: [] });
      await set(array, null, directory === data ? 1 : 2);
    }
    symlinkSync(join(outside, "c/0"), join(data, "c/1"));
    symlinkSync(outside, join(data, "up"));
    symlinkSync("0", join(data, "c/2"));
    const problems: unknown[] = [];
    const ask = async (allow: readonly string[], key: string) => {
      const linked = await startServer(withinDirectory(new FileSystemStore(data), allow), {
        port: 0,
        viewer,
        onProblem: (problem) => problems.push(problem),
      });
      const response = await fetch(`${urlOf(linked)}/data/${key}`);
      const text = await response.text();
      linked.close();
      return [response.status, text] as const;
    };
    for (const key of ["c/1", "up/zarr.json", "up/c/0", "up/"]) {
      const [status, text] = await ask([], key);
      expect(status, key).toBe(500);
      // The reason is for the terminal: it contains paths of this machine.
      expect(text).not.toContain(folder);
    }
    expect(problems.map(String)).toEqual(Array(4).fill(expect.stringContaining("leads out")));
    expect(await ask([], "c/2")).toEqual([200, "\x01\x01"]);
    expect(await ask([], "")).toEqual([200, expect.not.stringContaining("up")]);
    expect(await ask([outside], "c/1")).toEqual([200, "\x02\x02"]);
  });

  test("a listing of which one name cannot be looked at fails: without that name it would be wrong", async () => {
    const store = new MemoryStore();
    for (const name of ["one", "two"])
      await create(root(store).resolve(name), { shape: [1], dtype: "uint8" });
    let error: Error | undefined;
    const failing: Readable & Pick<MemoryStore, "list" | "listDir" | "listPrefix"> = {
      get(key) {
        if (error !== undefined && key.startsWith("/two/")) throw error;
        return store.get(key);
      },
      list: () => store.list(),
      listDir: (prefix) => store.listDir(prefix),
      listPrefix: (prefix) => store.listPrefix(prefix),
    };
    const listed = await startServer(failing, { port: 0, viewer });
    const ask = async () => {
      const response = await fetch(`${urlOf(listed)}/data/`);
      const { prefixes } = response.ok ? await response.json() : { prefixes: undefined };
      return [response.status, prefixes] as const;
    };
    expect(await ask()).toEqual([200, ["/one/", "/two/"]]);
    error = new Error("the disk is on fire");
    expect(await ask()).toEqual([500, undefined]);
    // Nobody can read it by this server, so nobody misses it.
    error = Object.assign(new Error("permission denied"), { code: "EACCES" });
    expect(await ask()).toEqual([200, ["/one/"]]);
    listed.close();
  });

  test("a folder shows its arrays and groups, and nothing beside them", async () => {
    const home = join(folder, "home");
    const at = (path: string) => root(new FileSystemStore(home)).resolve(path);
    await set(await create(at("a.zarr"), { shape: [2], dtype: "uint8" }), null, 1);
    await set(await create(at("g/v2"), { shape: [2], dtype: "uint8", zarrFormat: 2 }), null, 1);
    await create(at("d"), { shape: [2], dtype: "uint8", zarrFormat: 2, attributes: { a: 1 } });
    for (const name of [".ssh", "g/.git", "documents", "a.zarr/c/.x"])
      mkdirSync(join(home, name), { recursive: true });
    const others = [".env", ".ssh/id", ".ssh/zarr.json", "0", "notes.txt", "documents/0", "documents/c/0"];
    for (const name of [
      ...others.slice(0, -1),
      "g/.git/0",
      "a.zarr/notes",
      "a.zarr/c/.x/0",
      "a.zarr/c/0.txt",
    ])
      writeFileSync(join(home, name), "secret");
    const server = await startServer(new FileSystemStore(home), { port: 0, viewer });
    const at2 = (path: string) => fetch(`${urlOf(server)}/data/${path}`);
    for (const name of [...others, "g/.git/0", "a.zarr/notes", "a.zarr/c/.x/0", "a.zarr/c/0.txt"])
      for (const method of ["GET", "HEAD"])
        expect((await fetch(`${urlOf(server)}/data/${name}`, { method })).status, name).toBe(404);
    for (const name of [".ssh/", "documents/", "g/.git/", "a.zarr/c/.x/"])
      expect((await at2(name)).status, name).toBe(404);
    for (const name of ["a.zarr/zarr.json", "a.zarr/c/0", "g/v2/.zarray", "g/v2/0", "d/.zattrs"])
      expect((await at2(name)).status, name).toBe(200);
    const listed = async (path: string) => {
      const { keys, prefixes } = await (await at2(path)).json();
      return [...keys, ...prefixes].sort();
    };
    expect(await listed("")).toEqual(["/a.zarr/", "/d/", "/g/", "/zarr.json"]);
    expect(await listed("a.zarr/")).toEqual(["/a.zarr/c/", "/a.zarr/zarr.json"]);
    expect(await listed("a.zarr/c/")).toEqual(["/a.zarr/c/0"]);
    server.close();
  });

  test("a reference document names files of its folder alone, and no address of this machine", async () => {
    const documents = join(folder, "documents");
    mkdirSync(documents);
    writeFileSync(join(documents, "inside"), "inside");
    writeFileSync(join(folder, "key"), "secret");
    symlinkSync(join(folder, "key"), join(documents, "link"));
    const array = { zarr_format: 2, shape: [4], chunks: [1], dtype: "|u1", compressor: null, fill_value: 0 };
    const addresses = [
      "inside",
      join(folder, "key"),
      "../key",
      `file://${folder}/key`,
      "link",
      `${url}/index.js`,
    ];
    const refs = { ".zarray": JSON.stringify({ ...array, filters: null, order: "C" }) };
    const chunks = Object.fromEntries(addresses.map((address, i) => [String(i), [address]]));
    const file = join(documents, "a.json");
    writeFileSync(file, JSON.stringify({ version: 1, refs: { ...refs, ...chunks } }));
    const answers = async (...allow: string[]) => {
      const server = await startServer(await openStore(file, { allow }), { port: 0, viewer });
      const texts = addresses.map(async (_, i) => (await fetch(`${urlOf(server)}/data/${i}`)).text());
      const all = await Promise.all(texts);
      server.close();
      return all.map((text) => (text.startsWith("the value cannot") ? "refused" : text));
    };
    expect(await answers()).toEqual(["inside", ...Array(5).fill("refused")]);
    expect(await answers(folder, url)).toEqual(["inside", ...Array(4).fill("secret"), "2"]);
    expect(await answers(`${folder}/ke`, `${url}/index`)).toEqual(["inside", ...Array(5).fill("refused")]);
  });

  test("names that others gave this machine are refused (DNS rebinding)", async () => {
    expect(await ask("/data/zarr.json", { host: "evil.example" })).toBe(403);
    expect(await ask("/", { host: "evil.example:8421" })).toBe(403);
    expect(isOwnHost("localhost:1", "127.0.0.1")).toBe(true);
    expect(isOwnHost("[::1]:1", "127.0.0.1")).toBe(true);
    expect(isOwnHost(undefined, "127.0.0.1")).toBe(false);
    expect(isOwnHost("data.lan:80", "data.lan")).toBe(true);
    expect(isOwnHost("anything", "0.0.0.0")).toBe(true);
  });
});

test("the viewer's files and the package's modules", async () => {
  expect(await (await fetch(`${url}/`)).text()).toBe("<title>page</title>");
  expect(await (await fetch(`${url}/assets/a-1.js`)).text()).toBe("1");
  const module = await fetch(`${url}/index.js`);
  expect([module.headers.get("content-type"), await module.text()]).toEqual(["text/javascript", "2"]);
});

test("archives, and stores that tell neither lengths nor versions", async () => {
  const memory = new MemoryStore();
  const array = await create(memory, { shape: [8], dtype: "uint8", chunkShape: [4], codecs: [] });
  await set(array, null, { data: Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]), shape: [8], stride: [1] });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of packZip(memory)) parts.push(new Uint8Array(part));
  for (const store of [
    ZipStore.fromBlob(new Blob(parts)),
    { get: (key: string) => memory.values.get(key) },
  ]) {
    const other = await startServer(store, { port: 0, viewer });
    const read = await open.v3(new HttpStore(`${urlOf(other)}/data`), { kind: "array" });
    expect([...(await get(read)).data]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const response = await fetch(`${urlOf(other)}/data/c/0`, { headers: { range: "bytes=-2" } });
    expect([
      response.status,
      response.headers.get("content-range"),
      ...new Uint8Array(await response.arrayBuffer()),
    ]).toEqual([206, "bytes 2-3/4", 3, 4]);
    other.close();
  }
});

test("chunks of a store that refuses to say what is missing, as buckets do; a failure is not a missing chunk", async () => {
  const values = new Map<AbsolutePath, Uint8Array>();
  const at = root(values).resolve("g/a");
  await set(await create(at, { shape: [2], dtype: "uint8", codecs: [] }), null, 7);
  let isBroken = false;
  const get: Readable["get"] = (key) => {
    const value = values.get(key);
    if (value === undefined || isBroken) throw new StoreError("403", { key, status: 403 });
    return value;
  };
  for (const [path, status] of [
    ["g/a/c/0", 200],
    ["g/a/c/1", 500],
    ["g/b/c/0", 500],
  ] as const) {
    const other = await startServer({ get }, { port: 0, viewer });
    expect((await fetch(`${urlOf(other)}/data/${path}`)).status, path).toBe(status);
    isBroken = true;
    expect((await fetch(`${urlOf(other)}/data/${path}`)).status, path).toBe(500);
    isBroken = false;
    other.close();
  }
});

test("a deflated entry of an archive is inflated once more for its first piece, not for each, and not for HEAD", async () => {
  const memory = new MemoryStore();
  await create(memory, { shape: [20 * PIECE], dtype: "uint8", codecs: [] });
  const document = memory.values.get("/zarr.json");
  if (document === undefined) throw new Error("there is no document");
  // What does not compress, so that the archive's end, which is held, does not contain it.
  const value = Uint8Array.from({ length: 20 * PIECE }, () => Math.random() * 256);
  const archive = zipSync({ "c/0": value, "zarr.json": document });
  let reads = 0;
  const source: Readable = {
    get: () => archive,
    getRange(_, range) {
      reads++;
      const { start, end } = resolveRange(range, archive.byteLength);
      return archive.subarray(start, end);
    },
  };
  const other = await startServer(new ZipStore(source, "/a.zip"), { port: 0, viewer });
  const head = await fetch(`${urlOf(other)}/data/c/0`, { method: "HEAD" });
  expect([head.headers.get("content-length"), reads]).toEqual([String(value.length), 1]);
  const response = await fetch(`${urlOf(other)}/data/c/0`);
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), value)).toBe(0);
  expect(reads).toBeLessThan(5);
  other.close();
});

/** A store that counts the bytes that are read of it. */
function counting(store: FileSystemStore): Readable & { bytes: number } {
  const counted = {
    bytes: 0,
    get: (...[key, options]: Parameters<FileSystemStore["get"]>) => {
      if (key.endsWith(".json")) return store.get(key, options);
      throw new Error("whole values are not read");
    },
    async getParts(...[key, ranges, options]: Parameters<FileSystemStore["getParts"]>) {
      if (ranges === undefined) await counted.get(key, options);
      const found = await store.getParts(key, ranges, options);
      if (!key.endsWith(".json")) for (const part of found?.parts ?? []) counted.bytes += part.byteLength;
      return found;
    },
  };
  return counted;
}

describe("large values", () => {
  const length = 40 * PIECE + 3;
  let store: ReturnType<typeof counting>;
  let large: Server;
  let file: string;
  beforeAll(async () => {
    const data = join(folder, "large.zarr");
    await create(new FileSystemStore(data), { shape: [length], dtype: "uint8", codecs: [] });
    file = join(data, "c", "0");
    mkdirSync(join(data, "c"));
    writeFileSync(
      file,
      Uint8Array.from({ length }, (_, i) => i >> 3),
    );
    store = counting(new FileSystemStore(data));
    large = await startServer(store, { port: 0, viewer });
  });
  afterAll(() => {
    large.closeAllConnections();
    large.close();
  });

  test("are sent in pieces, as they are", async () => {
    const response = await fetch(`${urlOf(large)}/data/c/0`);
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), readFileSync(file))).toBe(0);
    const headers = { range: `bytes=5-${20 * PIECE}` };
    const part = await fetch(`${urlOf(large)}/data/c/0`, { headers });
    const expected = readFileSync(file).subarray(5, 20 * PIECE + 1);
    expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), expected)).toBe(0);
  });

  test("are not read for HEAD, nor for what the client knows", async () => {
    store.bytes = 0;
    const head = await fetch(`${urlOf(large)}/data/c/0`, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(length));
    const headers = { "if-none-match": head.headers.get("etag") ?? "" };
    expect((await fetch(`${urlOf(large)}/data/c/0`, { headers })).status).toBe(304);
    expect(store.bytes).toBe(0);
  });

  test("are not read ahead of a client that takes nothing", async () => {
    store.bytes = 0;
    const { port } = new URL(urlOf(large));
    const idle = request({ host: "127.0.0.1", port, path: "/data/c/0" });
    const response = await new Promise<IncomingMessage>((resolve) => idle.once("response", resolve).end());
    response.pause();
    // Until the sockets are full and the server waits: two looks in a row see the same.
    for (let before = -1; before !== store.bytes; ) {
      before = store.bytes;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(store.bytes).toBeLessThan(length);
    idle.destroy();
  });

  test("that are replaced meanwhile break off", async () => {
    const { port } = new URL(urlOf(large));
    const slow = request({ host: "127.0.0.1", port, path: "/data/c/0" });
    const response = await new Promise<IncomingMessage>((resolve) => slow.once("response", resolve).end());
    response.pause();
    await new Promise((resolve) => setTimeout(resolve, 200));
    writeFileSync(file, new Uint8Array(length));
    response.resume();
    await expect(once(response, "end")).rejects.toMatchObject({ code: "ECONNRESET" });
  });
});

describe("the command", () => {
  const { run } = useCommandLine();
  test.each([
    ["nowhere.zarr", /no file or directory nowhere.zarr/],
    ["data.example.com/a.zarr", /a URL begins with https:\/\//],
    [`${DATA} --port 70000`, /--port: expected 0 to 65535/],
    [`${DATA} --cors example.com`, /--cors: expected an origin/],
    [`${DATA} --cors https://a.example,null`, /--cors: expected an origin.*got null/],
    ["", /expected serve STORE/],
  ])("serve %s is wrong usage", async (args, problem) => {
    const finished = await run("serve", ...args.split(" ").filter(Boolean));
    expect(finished.status).toBe(2);
    expect(finished.stderr).toMatch(problem);
  });

  test("opens every address that openStore does, and says so if it cannot", async () => {
    const { status, stderr } = await run("serve", "nowhere|icechunk:");
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining("Icechunk") });
  });

  test("links to a node, however its path is written", () => {
    const paths = [
      "a.zarr",
      "a.zarr|zarr:",
      "a.zarr|zarr:t2m",
      "a.zarr|zarr:/t2m",
      "http://[::1]/a.zarr|zarr:t2m",
    ].map((name) => parseNodeName(name).path);
    expect(paths).toEqual(["/", "/", "/t2m", "/t2m", "/t2m"]);
    expect(() => parseNodeName("a.zarr::/t2m")).toThrow(/write "a\.zarr\|zarr:t2m"/);
  });
});

describe("the bare address, and folders that are no node", () => {
  test("the page says what it shows", async () => {
    const shown = "url=%2Fdata%2F&path=%2Fa%22b";
    const own = await startServer(new MemoryStore(), { port: 0, viewer, shown });
    try {
      const page = await (await fetch(`${urlOf(own)}/`)).text();
      expect(page).toBe("<title>page</title>");
      writeFileSync(join(folder, "dist/viewer/index.html"), "<head><title>page</title></head>");
      expect(await (await fetch(`${urlOf(own)}/`)).text()).toBe(
        '<head><meta name="wazarr-data" content="url=%2Fdata%2F&amp;path=%2Fa%22b" /><title>page</title></head>',
      );
    } finally {
      own.close();
      own.closeAllConnections();
      writeFileSync(join(folder, "dist/viewer/index.html"), "<title>page</title>");
    }
  });

  test("nodes in a folder are listed, and a folder without any is an error", async () => {
    const inside = join(folder, "stores");
    for (const name of ["one.zarr", "two.zarr"]) await create(new FileSystemStore(join(inside, name)));
    mkdirSync(join(folder, "none"));
    const paths = await nodesIn(root(new FileSystemStore(inside)));
    expect(paths).toEqual(["/one.zarr", "/two.zarr"]);
    expect(await nodesIn(root(new FileSystemStore(inside)).resolve("one.zarr"))).toEqual([]);
    await expect(nodesIn(root(new FileSystemStore(join(folder, "none"))))).rejects.toMatchObject({
      tag: "NotFoundError",
      message: expect.stringContaining("no Zarr array or group"),
    });
  });
});
