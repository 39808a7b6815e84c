/** Bodies that Node reads a piece at a time. */
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { HttpStore } from "../../../src/core/stores/http/http.js";
import { create, get, open, set } from "../../../src/index.js";
import { expectBytes, pattern } from "../../stores/conformance.js";
import { serve } from "./server.js";

const LENGTH = 1_000_003;
const server = await serve(new Map([["/v", pattern(LENGTH)]]));
afterAll(() => server.close());
afterEach(() => server.reset());

/** Answers every request with a body made by `body`, announced as `length` bytes. */
const answering = (body: () => BodyInit, length = LENGTH): HttpStore =>
  new HttpStore("http://localhost", {
    fetch: async () => new Response(body(), { headers: { "content-length": `${length}` } }),
  });

const PIECES = Array.from({ length: 8 }, (_, i) =>
  Uint8Array.from(pattern(i < 7 ? 131_072 : LENGTH - 7 * 131_072)),
);

function streamOf(pieces: readonly Uint8Array<ArrayBuffer>[], type: "bytes" | undefined): ReadableStream {
  const rest = [...pieces];
  const pull = (controller: ReadableByteStreamController | ReadableStreamDefaultController): void => {
    const piece = rest.shift();
    if (piece === undefined) controller.close();
    else controller.enqueue(piece);
  };
  return type === undefined ? new ReadableStream({ pull }) : new ReadableStream({ type, pull });
}

const joined = Buffer.concat(PIECES);

describe("HttpStore: long bodies", () => {
  it("come whole and in part", async () => {
    const store = new HttpStore(server.url);
    for (let twice = 0; twice < 2; twice++) {
      expectBytes(await store.get("/v"), pattern(LENGTH));
      expectBytes(
        await store.getRange("/v", { offset: 5, length: 700_000 }),
        pattern(LENGTH).subarray(5, 700_005),
      );
      expectBytes(await store.getRange("/v", { suffixLength: 99_999 }), pattern(LENGTH).subarray(-99_999));
    }
    for (const how of ["gzip", "ignore-range"] as const) {
      server.misbehaviour = how;
      expectBytes(
        await store.getRange("/v", { offset: 5, length: 700_000 }),
        pattern(LENGTH).subarray(5, 700_005),
      );
      expectBytes(await store.get("/v"), pattern(LENGTH));
    }
  });

  it("that break off are told", async () => {
    server.misbehaviour = "half";
    await expect(new HttpStore(server.url).get("/v")).rejects.toThrow("the body broke off");
  });

  it("that stall are aborted", async () => {
    server.misbehaviour = "stall";
    const reason = new Error("too long");
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 50);
    await expect(new HttpStore(server.url).get("/v", { signal: abort.signal })).rejects.toBe(reason);
  });

  it("that are longer or shorter than announced are told", async () => {
    const short = answering(() => joined, LENGTH + 1);
    await expect(short.get("/v")).rejects.toThrow(`expected a body of ${LENGTH + 1} bytes, got ${LENGTH}`);
    const long = answering(() => streamOf(PIECES, undefined), LENGTH - 1);
    await expect(long.get("/v")).rejects.toThrow(`expected a body of ${LENGTH - 1} bytes, got ${LENGTH}`);
  });

  it("of pieces that somebody else has leave them as they are", async () => {
    const store = answering(() => streamOf(PIECES, undefined));
    for (let twice = 0; twice < 2; twice++) expectBytes(await store.get("/v"), joined);
    expect(PIECES.map(({ length }) => length)).toEqual([...Array(7).fill(131_072), LENGTH - 7 * 131_072]);
  });

  it("of a byte stream, of bytes, of a Blob", async () => {
    for (const body of [
      () =>
        streamOf(
          PIECES.map((piece) => piece.slice()),
          "bytes",
        ),
      () => joined,
      () => new Blob([joined]),
    ]) {
      const store = answering(body);
      for (let twice = 0; twice < 2; twice++) expectBytes(await store.get("/v"), joined);
    }
    expect(joined.length).toBe(LENGTH);
  });

  it("that are something else than bytes are told", async () => {
    const store = answering(() => new ReadableStream({ start: (controller) => controller.enqueue("text") }));
    await expect(store.get("/v")).rejects.toThrow("the body broke off");
  });
});

it("memory that a replaced fetch hands out is left as it is: it may be the same each time", async () => {
  const values = new Map<string, Uint8Array>();
  const shape = [100_000];
  const data = Float32Array.from({ length: 100_000 }, (_, i) => i);
  await set(await create(values, { shape, chunkShape: shape, dtype: "float32", codecs: ["bytes"] }), null, {
    data,
    shape,
  });
  const buffers = new Map([...values].map(([key, value]) => [key, value.slice().buffer]));
  vi.stubGlobal("fetch", async (url: string) => {
    const buffer = buffers.get(new URL(url).pathname);
    return {
      status: buffer === undefined ? 404 : 200,
      headers: new Headers(),
      body: null,
      arrayBuffer: async () => buffer,
    };
  });
  try {
    const array = await open(new HttpStore("http://localhost"), { kind: "array" });
    for (let twice = 0; twice < 2; twice++) expect((await get(array)).data).toEqual(data);
    expect(buffers.get("/c/0")?.byteLength).toBe(400_000);
  } finally {
    vi.unstubAllGlobals();
  }
});
