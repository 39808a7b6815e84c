/** How many requests a first read over HTTP takes, and what each is for. */
import { describe, expect, test } from "vitest";
import {
  type AbsolutePath,
  consolidateMetadata,
  create,
  get,
  HttpStore,
  open,
  root,
  set,
  slice,
  withConsolidatedMetadata,
} from "wazarr";
import { ChunkCache } from "wazarr/caches";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { LITTLE } from "../../setup/codecs.js";

const DATA = { data: Int32Array.from({ length: 1024 }, (_, i) => i + 1), shape: [32, 32], stride: [32, 1] };
const UPPER = [slice(0, 16), null];

type Values = Map<AbsolutePath, Uint8Array>;

/** A store on a server that has these values, and its requests in order. */
function served(values: Values): { store: HttpStore; requests: string[] } {
  const bodies = new Map<string, Uint8Array>(values);
  const requests: string[] = [];
  const store = new HttpStore("http://server.test/", {
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const range = request.headers.get("range");
      requests.push(`${request.method} ${pathname}${range === null ? "" : ` ${range}`}`);
      const body = bodies.get(pathname)?.slice();
      if (body === undefined) return new Response(null, { status: 404 });
      if (range === null) return new Response(body);
      const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
      const start = first === "" ? Math.max(0, body.length - Number(last)) : Number(first);
      const end = first === "" || last === "" ? body.length : Math.min(body.length, Number(last) + 1);
      const headers = { "content-range": `bytes ${start}-${end - 1}/${body.length}` };
      return new Response(body.slice(start, end), { status: 206, headers });
    },
  });
  return { store, requests };
}

function shards(location: "start" | "end") {
  const configuration = {
    chunk_shape: [4, 4],
    codecs: [LITTLE],
    index_codecs: [LITTLE],
    index_location: location,
  };
  return [{ name: "sharding_indexed", configuration }];
}

async function sharded(location: "start" | "end"): Promise<Values> {
  const values: Values = new Map();
  const codecs = shards(location);
  await set(
    await create(values, { shape: [32, 32], dtype: "int32", chunkShape: [16, 16], codecs }),
    null,
    DATA,
  );
  return values;
}

// Which format it is, nobody has said: the three documents are asked for at once. Whole shards are asked for
// whole, without their size or index.
const DOCUMENTS = ["GET /zarr.json", "GET /.zattrs", "GET /.zarray"];

async function firstRead(values: Values): Promise<string[]> {
  const { store, requests } = served(values);
  const { data } = await get(await open(store, { kind: "array" }), UPPER);
  expect(data).toEqual(DATA.data.slice(0, 512));
  return requests;
}

describe("requests of a first read of two chunks", () => {
  test.each(["start", "end"] as const)("shards, index at the %s", async (location) => {
    expect(await firstRead(await sharded(location))).toEqual([...DOCUMENTS, "GET /c/0/0", "GET /c/0/1"]);
  });
  test.each([
    [2, ["GET /0.0", "GET /0.1"]],
    [3, ["GET /c/0/0", "GET /c/0/1"]],
  ] as const)("plain chunks of format %i", async (zarrFormat, chunks) => {
    const values: Values = new Map();
    const options = { shape: [32, 32], dtype: "int32", chunkShape: [16, 16], zarrFormat } as const;
    await set(await create(values, options), null, DATA);
    expect(await firstRead(values)).toEqual([...DOCUMENTS, ...chunks]);
  });
  test("part of a shard: its index, and one range for neighbours", async () => {
    const { store, requests } = served(await sharded("end"));
    const array = await open(store, { kind: "array" });
    await get(array, [slice(0, 4), slice(0, 8)]);
    // An index at the end is a suffix: nobody has to know how long the shard is.
    expect(requests).toEqual([...DOCUMENTS, "GET /c/0/0 bytes=-256", "GET /c/0/0 bytes=0-127"]);
    await get(array, [slice(4, 8), slice(0, 8)]);
    expect(requests.slice(5)).toEqual(["GET /c/0/0 bytes=256-383"]);
  });

  test.each(["start", "end"] as const)("whole shards through a cache, index at the %s", async (location) => {
    const { store, requests } = served(await sharded(location));
    const cache = new ChunkCache({ maxBytes: 1 << 20 });
    await get(await open(store, { kind: "array" }), UPPER, { cache });
    expect(requests).toEqual([...DOCUMENTS, "GET /c/0/0", "GET /c/0/1"]);
  });

  test("a format that is given, or that of a node above, takes one document", async () => {
    const { store, requests } = served(await sharded("end"));
    await open.v3(store, { kind: "array" });
    expect(requests).toEqual(["GET /zarr.json"]);
  });

  test("what is missing below a v3 group is not looked for in the document at the root, which may be long", async () => {
    const values: Values = new Map();
    await create(values, {});
    const { store, requests } = served(values);
    const group = await open.v3(store, { kind: "group" });
    await expect(open(group.resolve("a"))).rejects.toMatchObject({ tag: "NotFoundError" });
    expect(requests.toSorted()).toEqual(
      ["/a/.zarray", "/a/.zattrs", "/a/.zgroup", "/a/zarr.json", "/zarr.json"].map((key) => `GET ${key}`),
    );
  });

  test("consolidated metadata: one document for all arrays", async () => {
    const values: Values = new Map();
    await create(values, {});
    const options = { shape: [32, 32], dtype: "int32", chunkShape: [16, 16] } as const;
    for (const name of ["a", "b"]) await set(await create(root(values).resolve(name), options), null, DATA);
    await consolidateMetadata(values);
    const { store, requests } = served(values);
    const known = root(await withConsolidatedMetadata(store, { format: "v3" }));
    for (const name of ["a", "b"]) await get(await open(known.resolve(name), { kind: "array" }), UPPER);
    const chunks = ["GET /a/c/0/0", "GET /a/c/0/1", "GET /b/c/0/0", "GET /b/c/0/1"];
    expect(requests).toEqual(["GET /zarr.json", ...chunks]);
  });

  test("a zip: its directory with all that is in a small archive", async () => {
    const parts: Uint8Array[] = [];
    for await (const part of packZip(await sharded("end"))) parts.push(part);
    const { store, requests } = served(
      new Map([["/a.zip", new Uint8Array(await new Blob(parts.map((part) => part.slice())).arrayBuffer())]]),
    );
    await get(await open(new ZipStore(store, "/a.zip"), { kind: "array" }), UPPER);
    expect(requests).toEqual(["GET /a.zip bytes=-65633"]);
  });
});
