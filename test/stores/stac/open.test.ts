/** Addresses of documents of STAC: what is opened, what is requested for it, and what is refused. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MemoryStore } from "../../../src/core/stores/memory.js";
import { openDataset, writeDataset } from "../../../src/formats/xarray.js";
import { get, type Location, open, root } from "../../../src/index.js";
import { openLocation, openStore } from "../../../src/stores/addresses/open-store.js";
import { packZip } from "../../../src/stores/zip/zip.js";
import { serve, type TestServer } from "../../core/stores/server.js";

const text = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const ZARR = "application/vnd+zarr";

const itemOf = (assets: object, properties: object = {}) => ({
  type: "Feature",
  stac_version: "1.1.0",
  id: "item",
  properties,
  assets,
});

const values = new Map<string, Uint8Array>();
let [server, other]: TestServer[] = [];
let folder: string;
let url = (_path: string): string => "";

beforeAll(async () => {
  const stored = new Map<`/${string}`, Uint8Array>();
  const data = { dataVars: { t2m: { dims: ["x"], data: Float32Array.of(1, 2, 3) } } };
  await writeDataset(root(stored), data, { zarrFormat: 2 });
  const grouped = new Map<`/${string}`, Uint8Array>();
  await writeDataset(root(grouped).resolve("a/b"), data, { zarrFormat: 2, consolidated: false });
  const metadata: Record<string, unknown> = {
    ".zgroup": { zarr_format: 2 },
    "a/.zgroup": { zarr_format: 2 },
  };
  for (const [key, bytes] of grouped)
    if (/\.z\w+$/.test(key)) metadata[key.slice(1)] = JSON.parse(new TextDecoder().decode(bytes));
  grouped.set("/.zmetadata", text({ zarr_consolidated_format: 1, metadata }));
  grouped.set("/.zgroup", text({ zarr_format: 2 }));
  for (const [key, bytes] of stored) values.set(`/data/t.zarr${key}`, bytes);
  for (const [key, bytes] of grouped) values.set(`/data/grouped.zarr${key}`, bytes);
  const zip: Uint8Array[] = [];
  for await (const part of packZip(new MemoryStore(stored))) zip.push(part);
  values.set("/data/packed", Buffer.concat(zip));
  const refs = Object.fromEntries(
    [...stored].map(([key, bytes]) => [key.slice(1), `base64:${Buffer.from(bytes).toString("base64")}`]),
  );
  values.set("/data/refs.json", text({ version: 1, refs }));

  server = await serve(values);
  other = await serve(values);
  url = (path) => `${server?.url}${path}`;
  values.set("/one.json", text(itemOf({ data: { href: "./data/t.zarr", type: ZARR } })));
  values.set("/collections/c/items/one", text(itemOf({ data: { href: "/data/t.zarr", type: ZARR } })));
  values.set(
    "/many.json",
    text(
      itemOf({
        zarr: { href: "data/t.zarr", type: ZARR, roles: ["data"] },
        group: { href: "data/grouped.zarr/a/b", type: ZARR, roles: ["data"] },
        kwargs: { href: "data/grouped.zarr", type: ZARR, "xarray:open_kwargs": { group: "/a/b" } },
        zip: { href: "data/packed", type: "application/zip", roles: ["data"] },
        refs: { href: "data/refs.json", type: "application/json", roles: ["index"] },
        plain: { href: "data/refs.json", type: "application/json", roles: ["metadata"] },
        moved: { href: "gridftp://x/t", type: ZARR, alternate: { http: { href: "data/t.zarr" } } },
        far: { href: `${other?.url}/data/t.zarr`, type: ZARR },
        file: { href: "file:///etc/passwd", type: "application/netcdf" },
        circle: { href: "many.json", type: ZARR },
        "odd key/%": { href: "data/t.zarr", type: ZARR },
        thumbnail: { href: "data/t.png", type: "image/png", roles: ["thumbnail"] },
      }),
    ),
  );

  folder = mkdtempSync(join(tmpdir(), "wazarr-stac-"));
  for (const [key, bytes] of values) {
    const file = join(folder, "inside", key);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const outside = itemOf({
    up: { href: "../inside/data/t.zarr", type: ZARR },
    link: { href: "link.zarr", type: ZARR },
    absolute: { href: join(folder, "inside/data/t.zarr"), type: ZARR },
    near: { href: `${server.url}/data/t.zarr`, type: ZARR },
  });
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "elsewhere/item.json"), text(outside));
  symlinkSync(join(folder, "inside/data/t.zarr"), join(folder, "elsewhere/link.zarr"));
});
afterAll(async () => {
  await Promise.all([server?.close(), other?.close()]);
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => server?.reset());

async function read({ store, path }: Location): Promise<number[]> {
  const { variables } = await openDataset(root(store).resolve(path));
  const { data } = (await variables.t2m?.get()) ?? {};
  return Array.from(data as Float32Array);
}

describe("over HTTP", () => {
  test.each(["/one.json", "/one.json|stac:", "/one.json|stac:data", "/collections/c/items/one"])(
    "%s is the data set of its only asset",
    async (path) => expect(await read(await openLocation(url(path)))).toEqual([1, 2, 3]),
  );

  test.each(["zarr", "group", "kwargs", "zip", "refs", "moved", "moved/http", "odd%20key%2F%25"])(
    "the asset %s of several",
    async (key) => expect(await read(await openLocation(url(`/many.json|stac:${key}`)))).toEqual([1, 2, 3]),
  );

  test("nodes below an asset, and what an asset is whatever its media type", async () => {
    const node = await openStore(url("/many.json|stac:zarr|zarr:t2m"));
    expect(await get(await open(root(node), { kind: "array" }), null)).toMatchObject({
      data: Float32Array.of(1, 2, 3),
    });
    expect(await read(await openLocation(url("/many.json|stac:plain|kerchunk:")))).toEqual([1, 2, 3]);
    expect(await read(await openLocation(url("/many.json|stac:kwargs|zarr:")))).toEqual([1, 2, 3]);
  });

  test("nothing is requested but the document and the asset", async () => {
    await read(await openLocation(url("/many.json|stac:group")));
    const keys = [...new Set(server?.requests.map(({ key }) => key))];
    expect(keys[0]).toBe("/many.json");
    expect(keys.slice(1).every((key) => key.startsWith("/data/grouped.zarr/"))).toBe(true);
    expect(keys).toContain("/data/grouped.zarr/.zmetadata");
    server?.reset();
    await expect(openLocation(url("/many.json"))).rejects.toThrow("expected one asset, found");
    expect(server?.requests.map(({ key }) => key)).toEqual(["/many.json"]);
  });

  test("several assets, and none of a name, are errors that list them", async () => {
    await expect(openStore(url("/many.json"))).rejects.toMatchObject({
      tag: "InvalidArgumentError",
      message: expect.stringContaining(
        `name one, as in "${url("/many.json")}|stac:zarr": "zarr" (Zarr), "group" (Zarr)`,
      ),
    });
    await expect(openStore(url("/many.json|stac:zrr"))).rejects.toThrow(
      'no asset "zrr": did you mean "zarr"?',
    );
    await expect(openStore(url("/many.json|stac:thumbnail"))).rejects.toMatchObject({
      tag: "UnsupportedError",
    });
    await expect(openStore(url("/data/refs.json|stac:x"))).rejects.toThrow("stac_version: expected a string");
  });

  test("a hierarchy at what looks like the URL of an item, and references that are none", async () => {
    for (const [key, bytes] of [...values])
      if (key.startsWith("/data/t.zarr/")) values.set(key.replace("/data/t.zarr", "/collections/c"), bytes);
    expect(await read(await openLocation(url("/collections/c")))).toEqual([1, 2, 3]);
    server?.reset();
    expect(await read(await openLocation(url("/data/refs.json")))).toEqual([1, 2, 3]);
    expect(server?.requests.map(({ key }) => key)).toEqual(["/data/refs.json"]);
  });

  test("authorize signs the document and its assets", async () => {
    const seen: string[] = [];
    const authorize = ({ url: { pathname } }: { url: URL }) => {
      seen.push(pathname);
      return { headers: { Authorization: "Bearer 1" } };
    };
    await read(await openLocation(url("/one.json"), { authorize }));
    expect(seen).toContain("/one.json");
    expect(seen).toContain("/data/t.zarr/t2m/0");
    expect(server?.requests.every(({ headers }) => headers.authorization === "Bearer 1")).toBe(true);
  });

  test("a document names no file, and no other address, of the machine that reads it", async () => {
    await expect(openStore(url("/many.json|stac:file"))).rejects.toThrow(
      `${url("/many.json")} names a file of this machine, which a document elsewhere may not`,
    );
    await expect(openStore(url("/many.json|stac:far"))).rejects.toThrow("is an address of this machine");
    const allow = [`${other?.url}/`];
    expect(await read(await openLocation(url("/many.json|stac:far"), { allow }))).toEqual([1, 2, 3]);
    // A document that names itself is not opened a second time.
    await expect(openLocation(url("/many.json|stac:circle")).then(read)).rejects.toMatchObject({
      tag: expect.stringMatching(/Error$/),
    });
  });
});

describe("on this machine", () => {
  test("assets below the folder of the document", async () => {
    expect(await read(await openLocation(join(folder, "inside/one.json")))).toEqual([1, 2, 3]);
    expect(await read(await openLocation(join(folder, "inside/many.json|stac:kwargs")))).toEqual([1, 2, 3]);
  });

  test.each(["up", "absolute", "link"])("not outside of it (%s), unless allow says so", async (key) => {
    const address = join(folder, `elsewhere/item.json|stac:${key}`);
    await expect(openLocation(address)).rejects.toMatchObject({ tag: "StoreError", code: "EACCES" });
    const allow = [join(folder, "inside")];
    expect(await read(await openLocation(address, { allow }))).toEqual([1, 2, 3]);
  });

  test("nor URLs of this machine", async () => {
    const address = join(folder, "elsewhere/item.json|stac:near");
    await expect(openLocation(address)).rejects.toThrow("is an address of this machine");
  });
});
