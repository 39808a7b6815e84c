/**
 * How often a page waits for an answer before it has a node, and its first chunk, of v2: with zarrita and
 * here.
 */
import { expect, test } from "vitest";
import * as zarrita from "zarrita";
import * as wazarr from "../../src/index.js";

/** A server that answers all requests that are under way together, a turn later. */
function server(values: ReadonlyMap<string, Uint8Array>) {
  const asked: string[] = [];
  let rounds = 0;
  let round: Promise<void> | undefined;
  const fetch = async (request: Request): Promise<Response> => {
    const key = new URL(request.url).pathname;
    asked.push(key);
    round ??= new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => {
      rounds++;
      round = undefined;
    });
    await round;
    const value = values.get(key);
    return value === undefined ? new Response(null, { status: 404 }) : new Response(value.slice());
  };
  return { fetch, counts: () => ({ rounds, requests: asked.length }) };
}

async function hierarchy(): Promise<ReadonlyMap<string, Uint8Array>> {
  const values = new Map<string, Uint8Array>();
  await wazarr.create(values, { zarrFormat: 2, attributes: { of: "group" } });
  const array = await wazarr.create(wazarr.root(values).resolve("a"), {
    ...{ zarrFormat: 2, shape: [4], dtype: "int16", chunkShape: [4] },
    codecs: { compressor: { id: "zlib", level: 1 } },
  });
  await wazarr.set(array, null, { data: Int16Array.of(1, 2, 3, 4), shape: [4] });
  return values;
}

const PROGRAMS = {
  "open(store) of a group": [(zarr, store) => zarr.open(store), 2],
  "open(array)": [(zarr, store) => zarr.open(zarr.root(store).resolve("a")), 1],
  "kind: array": [(zarr, store) => zarr.open(zarr.root(store).resolve("a"), { kind: "array" }), 1],
  "open.v2": [(zarr, store) => zarr.open.v2(zarr.root(store).resolve("a"), { kind: "array" }), 1],
  "kind: array, and a chunk": [
    async (zarr, store) => {
      const array = await zarr.open(zarr.root(store).resolve("a"), { kind: "array" });
      expect((await zarr.get(array)).data).toEqual(Int16Array.of(1, 2, 3, 4));
    },
    2,
  ],
} satisfies Record<string, readonly [(zarr: typeof zarrita, store: zarrita.FetchStore) => unknown, number]>;

test.each(Object.entries(PROGRAMS))("%s", async (_, [program, rounds]) => {
  const values = await hierarchy();
  const theirs = server(values);
  await program(zarrita, new zarrita.FetchStore("https://data.test", { fetch: theirs.fetch }));
  const ours = server(values);
  // The same program: wazarr is in zarrita's place.
  await Reflect.apply(program, undefined, [
    wazarr,
    new wazarr.HttpStore("https://data.test", { fetch: ours.fetch }),
  ]);
  expect(ours.counts().rounds).toBe(rounds);
  expect(rounds).toBeLessThan(theirs.counts().rounds);
});
