/** `wazarr serve`: the values of a store over HTTP, as the library's own HttpStore and others' clients ask for them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withinDirectory } from "../../src/cli/commands/serve.js";
import { isOwnHost, startServer } from "../../src/cli/server.js";
import { create, get, MemoryStore, open, set } from "../../src/index.js";
import { FileSystemStore } from "../../src/stores/file-system.js";
import { HttpStore } from "../../src/stores/http.js";
import { packZip, ZipStore } from "../../src/stores/zip.js";
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

test("pages of other origins may read, and are told so", async () => {
  const preflight = await fetch(`${url}/data/${CHUNK}`, { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toContain("range");
  const { headers } = await fetch(`${url}/data/zarr.json`);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toContain("content-range");
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
    "/lib/secret.txt",
    "/lib/../secret.txt",
    "/assets/../../secret.txt",
    "/lib/..%2fsecret.txt",
  ])("%s", async (path) => {
    expect([400, 404]).toContain(await ask(path));
  });

  test("links that lead out of the directory are refused, those within it are followed", async () => {
    const data = join(folder, "data.zarr");
    mkdirSync(data);
    writeFileSync(join(folder, "outside"), "outside");
    writeFileSync(join(data, "inside"), "inside");
    symlinkSync(join(folder, "outside"), join(data, "out"));
    symlinkSync(folder, join(data, "up"));
    symlinkSync("inside", join(data, "in"));
    const linked = await startServer(withinDirectory(new FileSystemStore(data)), { port: 0, viewer });
    for (const key of ["out", "up/outside", "up/", "up/dist/"])
      expect((await fetch(`${urlOf(linked)}/data/${key}`)).status, key).toBe(500);
    expect(await (await fetch(`${urlOf(linked)}/data/in`)).text()).toBe("inside");
    linked.close();
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
  const module = await fetch(`${url}/lib/index.js`);
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

describe("the command", () => {
  const { run } = useCommandLine();
  test.each([
    ["nowhere.zarr", /there is no nowhere.zarr/],
    [`${DATA} --port 70000`, /--port: expected 0 to 65535/],
    ["", /expected serve STORE/],
  ])("serve %s is wrong usage", async (args, problem) => {
    const finished = await run("serve", ...args.split(" ").filter(Boolean));
    expect(finished.status).toBe(2);
    expect(finished.stderr).toMatch(problem);
  });
});
