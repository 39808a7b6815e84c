/** How many requests a first read over HTTP takes, and what each is for. */
import { describe, expect, test } from "vitest";
import { type AbsolutePath, create, get, HttpStore, open, set, slice } from "wazarr";

const BYTES = { name: "bytes", configuration: { endian: "little" } };
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
      const start = first === "" ? body.length - Number(last) : Number(first);
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
    codecs: [BYTES],
    index_codecs: [BYTES],
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

// Which format it is, nobody has said: the three documents are asked for at once. Whole shards are asked for whole, without their size or index.
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
});
