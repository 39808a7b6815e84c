/**
 * Programs written for zarrita do the same with wazarr: each is text that knows its library as `zarr` alone,
 * run with both.
 */
import { compileFunction } from "node:vm";
import { expect, test } from "vitest";
import * as zarrita from "zarrita";
import * as wazarr from "../../src/index.js";
import { GZIP, LITTLE } from "../setup/codecs.js";

type Values = Map<string, Uint8Array>;

/**
 * `store` has, by zarrita: /a int16 [5, 7] in chunks of [2, 4] with dimension names and 0, 1, 2, ...; /b bool
 * [3]; /g a group; /text <U2 of v2.
 */
async function made(): Promise<Values> {
  const store: Values = new Map();
  const root = zarrita.root(store);
  await zarrita.create(root, { attributes: { answer: 42 } });
  await zarrita.create(root.resolve("g"));
  const a = await zarrita.create(root.resolve("a"), {
    dtype: "int16",
    shape: [5, 7],
    chunkShape: [2, 4],
    dimensionNames: ["y", "x"],
  });
  const data = Int16Array.from({ length: 35 }, (_, i) => i);
  await zarrita.set(a, null, { data, shape: [5, 7], stride: [7, 1] });
  const b = await zarrita.create(root.resolve("b"), { dtype: "bool", shape: [3], chunkShape: [2] });
  await zarrita.set(b, [1], true);
  const text = { zarr_format: 2, shape: [3], chunks: [3], dtype: "<U2", order: "C", fill_value: "" };
  store.set(
    "/text/.zarray",
    new TextEncoder().encode(JSON.stringify({ ...text, filters: null, compressor: null })),
  );
  const points = Int32Array.of(97, 0, 0x1f600, 233, 0, 0);
  store.set("/text/0", new Uint8Array(points.buffer));
  const broken = await zarrita.create(root.resolve("broken"), {
    dtype: "int16",
    shape: [2],
    chunkShape: [2],
    codecs: [LITTLE, GZIP],
  });
  store.set(`${broken.path}/c/0`, Uint8Array.of(1, 2, 3, 4));
  return store;
}

const scripts: Readonly<Record<string, string>> = {
  "what an array is": `
    const arr = await open("a");
    return [arr.shape, arr.chunks, arr.dtype, arr.dimensionNames, arr.attrs, arr.path, arr instanceof zarr.Array,
      (await zarr.open(store)).attrs.answer, (await open("a")).resolve("/g").path];`,
  chunks: `
    const arr = await open("a");
    return [await arr.getChunk([0, 1]), await arr.getChunk([2, 1], { signal: new AbortController().signal })];`,
  selections: `
    const arr = await open("a");
    return [await zarr.get(arr), await zarr.get(arr, [zarr.slice(1, 4, 2), null]), await zarr.get(arr, [2, 3]),
      await zarr.get(arr, zarr.select(arr, { x: zarr.slice(2), y: 4 })), await zarr.get(arr, [zarr.slice(3n), 0])];`,
  "slices as plain objects": `
    const arr = await open("a");
    return [await zarr.get(arr, [{ start: 1, stop: 4 }, null]), await zarr.get(arr, [0, { start: null, stop: 2, step: null }])];`,
  "fill values": `
    const copy = new Map(store);
    const arr = await zarr.create(zarr.root(copy).resolve("new"), { dtype: "float32", shape: [3], chunkShape: [3], fillValue: 1.5 });
    return [(await open("a")).fillValue, (await open("b")).fillValue, arr.fillValue, (await open("text")).fillValue];`,
  strides: `
    const of = zarr._zarrita_internal_getStrides;
    return [of([4, 3, 2], "C"), of([4, 3, 2], "F"), of([4, 3, 2], [1, 0, 2]), of([], "C"), of([5], "F")];`,
  narrowing: `
    const kinds = ["number", "bigint", "boolean", "string", "int16", "float32", "bool"];
    const of = async (name) => { const arr = await open(name); return kinds.filter((kind) => arr.is(kind)); };
    return [await of("a"), await of("b"), (await open("text")).is("string")];`,
  "booleans and text": `
    const b = (await zarr.get(await open("b"))).data;
    const text = (await zarr.get(await open("text"))).data;
    const made = new zarr.UnicodeStringArray(3, ["ab", "", "abc"]);
    made.set(1, "c");
    const all = new zarr.BoolArray(2);
    all.fill(true);
    return [b instanceof zarr.BoolArray, [...b], b.length, b.get(1), text instanceof zarr.UnicodeStringArray, text.get(0),
      text.length, text.chars, [...made], made.BYTES_PER_ELEMENT, [...all], [...new zarr.BoolArray([true, false])]];`,
  "shared memory": `
    const arr = await open("a");
    const { data } = await zarr.get(arr, null, { useSharedArrayBuffer: true });
    const chunk = await arr.getChunk([0, 0], undefined, { useSharedArrayBuffer: true });
    return [data.buffer instanceof SharedArrayBuffer, [...data.slice(0, 3)], [...chunk.data]];`,
  "an extension that keeps chunks": `
    const calls = [];
    const withCache = zarr.defineArrayExtension((array, cache) => ({
      async getChunk(coords, options) {
        calls.push(coords);
        const key = coords.join();
        if (!cache.has(key)) cache.set(key, await array.getChunk(coords, options));
        return cache.get(key);
      },
      get kept() { return cache.size; },
    }));
    const arr = await zarr.extendArray(await open("a"), (a) => withCache(a, new Map()));
    const one = await zarr.get(arr, [zarr.slice(1, 3), 5]);
    return [one, arr.kept, await zarr.get(arr), arr.kept, calls.length, arr.shape, arr instanceof zarr.Array];`,
  "extensions of stores that extend arrays": `
    const order = [];
    const tagged = (tag) => zarr.defineStoreExtension((inner) => ({
      async get(key, options) { order.push(tag + key.at(-1)); return inner.get(key, options); },
      arrayExtensions: [zarr.defineArrayExtension((array) => ({
        async getChunk(coords, options) { order.push(tag + coords); return array.getChunk(coords, options); },
      }))],
    }));
    const extended = await zarr.extendStore(store, tagged("A"), async (s) => tagged("B")(s));
    const arr = await zarr.open.v3(zarr.root(extended).resolve("b"), { kind: "array" });
    await zarr.get(arr, [zarr.slice(0, 2)]);
    return [order, extended.arrayExtensions.length];`,
  errors: `
    const failed = async (work) => { try { await work(); } catch (error) { return error; } };
    const kinds = ["NotFoundError", "InvalidMetadataError", "UnknownCodecError", "CodecPipelineError", "InvalidSelectionError"];
    const said = async (work) => {
      const error = await failed(work);
      return [error.name === "CodecError" ? "CodecPipelineError" : error.name, zarr.isZarritaError(error),
        kinds.filter((kind) => zarr.isZarritaError(error, kind)), kinds.filter((kind) => error instanceof zarr[kind]), error.found];
    };
    const unknown = new Map(store);
    const doc = JSON.parse(new TextDecoder().decode(store.get("/broken/zarr.json")));
    doc.codecs[1] = { name: "nobody.knows", configuration: {} };
    unknown.set("/broken/zarr.json", new TextEncoder().encode(JSON.stringify(doc)));
    return [
      await said(() => zarr.open.v3(zarr.root(store).resolve("missing"))),
      await said(() => zarr.open.v3(zarr.root(store).resolve("g"), { kind: "array" })),
      await said(() => zarr.open.v3(zarr.root(store).resolve("a"), { kind: "group" })),
      await said(async () => zarr.get(await open("a"), [0, 0, 0])),
      await said(async () => zarr.get(await open("a"), [99, 0])),
      await said(async () => zarr.get(await open("broken"))),
      await said(async () => zarr.get(await zarr.open(zarr.root(unknown).resolve("broken"), { kind: "array" }))),
      zarr.isZarritaError(new Error("other")), zarr.isZarritaError(null),
    ];`,
  aborts: `
    const arr = await open("a");
    const signal = AbortSignal.abort(new Error("enough"));
    const reasons = [];
    for (const work of [() => zarr.get(arr, null, { signal }), () => zarr.get(arr, null, { opts: { signal } }), () => zarr.set(arr, null, 1, { signal })]) {
      await work().then(() => reasons.push("none"), (error) => reasons.push(error.message));
    }
    return reasons;`,
  writing: `
    const copy = new Map(store);
    const arr = await zarr.create(zarr.root(copy).resolve("new"), { dtype: "float32", shape: [3, 3], chunkShape: [2, 2], fillValue: 1.5, attributes: { a: 1 } });
    await zarr.set(arr, [1, null], 7);
    await zarr.set(arr, [null, zarr.slice(2, 3)], { data: Float32Array.of(1, 2, 3), shape: [3, 1], stride: [1, 1] });
    return [await zarr.get(arr), arr.fillValue, arr.attrs];`,
};

type Run = (zarr: object, store: Values, open: (name: string) => Promise<object>) => Promise<unknown>;

/** In Node alone: in a page without SharedArrayBuffer zarrita makes no booleans. */
function compile(source: string): Run {
  const run = compileFunction(`return (async () => {${source}})()`, ["zarr", "store", "open"]);
  return async (...values) => Reflect.apply(run, undefined, values);
}

test.each(Object.entries(scripts))("%s", async (_, source) => {
  const run = compile(source);
  const store = await made();
  const its = await run(zarrita, store, (name) =>
    zarrita.open(zarrita.root(store).resolve(name), { kind: "array" }),
  );
  const ours = await run(wazarr, store, (name) =>
    wazarr.open(wazarr.root(store).resolve(name), { kind: "array" }),
  );
  expect(ours).toEqual(its);
});
