/**
 * Codecs that were written for zarrita's interface, run in both libraries: what one writes the other reads,
 * and the same bytes are stored.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as zarrita from "zarrita";
import * as wazarr from "../../src/index.js";
import { BIG, GZIP, LITTLE, TRANSPOSED } from "../setup/codecs.js";
import { RangeStore } from "../setup/stores.js";

interface Chunk {
  data: Int32Array;
  shape: number[];
  stride: number[];
}
type Meta = wazarr.ChunkMetadata;
const told: Meta[] = [];

/** array -> array: adds `offset` to every element. */
class Offset {
  readonly kind = "array_to_array";
  readonly #offset: number;
  constructor(offset: number) {
    this.#offset = offset;
  }
  static fromConfig(configuration: { offset: number }, meta: Meta): Offset {
    told.push(meta);
    return new Offset(configuration.offset);
  }
  encode({ data, shape, stride }: Chunk): Chunk {
    return { data: data.map((each) => each + this.#offset), shape, stride };
  }
  decode({ data, shape, stride }: Chunk): Chunk {
    return { data: data.map((each) => each - this.#offset), shape, stride };
  }
}

/**
 * array -> array, asynchronous, in place: turns the sign of what stands in odd columns, by way of shape and
 * strides.
 */
class OddColumns {
  readonly kind = "array_to_array";
  static fromConfig(): OddColumns {
    return new OddColumns();
  }
  async encode(chunk: Chunk): Promise<Chunk> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const { data, shape, stride } = chunk;
    const [rows = 0, columns = 0] = shape;
    for (let i = 0; i < rows; i++)
      for (let j = 1; j < columns; j += 2) {
        const at = i * (stride[0] ?? 0) + j * (stride[1] ?? 0);
        data[at] = -(data[at] ?? 0);
      }
    return chunk;
  }
  /** A store's bytes may be behind it in zarrita. */
  decode(chunk: Chunk): Promise<Chunk> {
    return this.encode({ ...chunk, data: chunk.data.slice() });
  }
}

/** array -> array that gives what it reads with other strides, as zarrita's transpose does. */
class Columns {
  readonly kind = "array_to_array";
  static fromConfig(): Columns {
    return new Columns();
  }
  encode({ data, shape, stride }: Chunk): Chunk {
    const [rows = 0, columns = 0] = shape;
    const moved = new Int32Array(data.length);
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++)
        moved[j * rows + i] = data[i * (stride[0] ?? 0) + j * (stride[1] ?? 0)] ?? 0;
    return { data: moved, shape, stride: [1, rows] };
  }
  decode({ data, shape }: Chunk): Chunk {
    return { data, shape, stride: [1, shape[0] ?? 0] };
  }
}

/** array -> array: int32 stored as int16. */
class Narrow {
  readonly kind = "array_to_array";
  static fromConfig(): Narrow {
    return new Narrow();
  }
  getEncodedMeta(meta: Meta): Meta {
    return { ...meta, dataType: "int16" };
  }
  encode({ data, shape, stride }: Chunk): { data: Int16Array; shape: number[]; stride: number[] } {
    return { data: Int16Array.from(data), shape, stride };
  }
  decode({ data, shape, stride }: { data: Int16Array; shape: number[]; stride: number[] }): Chunk {
    return { data: Int32Array.from(data), shape, stride };
  }
}

/** array -> bytes, asynchronous: decimal text. */
class Decimal {
  readonly kind = "array_to_bytes";
  readonly #meta: Meta;
  constructor(meta: Meta) {
    this.#meta = meta;
  }
  static fromConfig(_configuration: unknown, meta: Meta): Decimal {
    told.push(meta);
    return new Decimal(meta);
  }
  async encode(chunk: Chunk): Promise<Uint8Array> {
    await Promise.resolve();
    return new TextEncoder().encode(chunk.data.join(" "));
  }
  async decode(bytes: Uint8Array): Promise<Chunk> {
    await Promise.resolve();
    const { shape } = this.#meta;
    const data = Int32Array.from(new TextDecoder().decode(bytes).split(" "), Number);
    return { data, shape, stride: wazarr._zarrita_internal_getStrides(shape, "C") };
  }
}

/** bytes -> bytes. */
class Flip {
  readonly kind = "bytes_to_bytes";
  static fromConfig(): Flip {
    return new Flip();
  }
  encode(bytes: Uint8Array): Uint8Array {
    return bytes.map((byte) => byte ^ 0xff);
  }
  decode(bytes: Uint8Array): Uint8Array {
    return this.encode(bytes);
  }
}

/** array -> bytes of texts: JSON. */
class Texts {
  readonly kind = "array_to_bytes";
  readonly #meta: Meta;
  constructor(meta: Meta) {
    this.#meta = meta;
  }
  static fromConfig(_configuration: unknown, meta: Meta): Texts {
    return new Texts(meta);
  }
  encode({ data }: { data: string[]; shape: number[]; stride: number[] }): Uint8Array {
    return new TextEncoder().encode(JSON.stringify([...data]));
  }
  decode(bytes: Uint8Array): { data: string[]; shape: number[]; stride: number[] } {
    const { shape } = this.#meta;
    const data = JSON.parse(new TextDecoder().decode(bytes));
    return { data, shape, stride: wazarr._zarrita_internal_getStrides(shape, "C") };
  }
}

const OWN = {
  "test.offset": Offset,
  "test.odd": OddColumns,
  "test.columns": Columns,
  "test.narrow": Narrow,
  "test.decimal": Decimal,
  "test.flip": Flip,
  "test.texts": Texts,
};
beforeAll(() => {
  for (const [name, codec] of Object.entries(OWN)) {
    wazarr.registry.set(name, () => codec);
    for (const each of [name, `numcodecs.${name}`])
      Reflect.apply(Map.prototype.set, zarrita.registry, [each, async () => codec]);
  }
});
afterAll(() => {
  for (const name of Object.keys(OWN)) {
    wazarr.registry.delete(name);
    zarrita.registry.delete(name);
    zarrita.registry.delete(`numcodecs.${name}`);
  }
});
const offset = (by: number) => ({ name: "test.offset", configuration: { offset: by } }) as const;
const named = (name: keyof typeof OWN) => ({ name, configuration: {} }) as const;
const ELEMENTS = Int32Array.from({ length: 7 * 6 }, (_, i) => (i * 37) % 1000);
const SHAPE = [7, 6] as const;

type Values = Map<string, Uint8Array>;
type Codecs = readonly { readonly name: string; readonly configuration: wazarr.JsonObject }[];

function documentOf(
  codecs: Codecs,
  chunkShape: readonly number[],
  dataType = "int32",
  fill: wazarr.Json = 5,
) {
  return {
    zarr_format: 3,
    node_type: "array",
    shape: dataType === "string" ? [5] : SHAPE,
    data_type: dataType,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs,
    fill_value: fill,
    attributes: {},
  };
}
function storeOf(document: unknown, key = "/zarr.json"): Values {
  return new Map([[key, new TextEncoder().encode(JSON.stringify(document))]]);
}

async function writtenByWazarr(values: Values): Promise<Values> {
  const array = await wazarr.open(values, { kind: "array" });
  await wazarr.set(array, null, { data: ELEMENTS, shape: [...SHAPE] });
  return values;
}
async function writtenByZarrita(values: Values): Promise<Values> {
  const array = await zarrita.open(zarrita.root(values), { kind: "array" });
  if (!array.is("int32")) throw new Error("expected int32");
  await zarrita.set(array, null, { data: ELEMENTS, shape: [...SHAPE], stride: [SHAPE[1], 1] });
  return values;
}
/** zarrita leaves elements as they are stored. */
function inOrder({ data, stride }: zarrita.Chunk<zarrita.DataType>): unknown {
  if (!(data instanceof Int32Array)) return data;
  const [rows, columns] = SHAPE;
  return Int32Array.from({ length: rows * columns }, (_, i) => {
    const at = Math.floor(i / columns) * (stride[0] ?? 0) + (i % columns) * (stride[1] ?? 0);
    return data[at] ?? Number.NaN;
  });
}
async function readByBoth(values: Values): Promise<unknown[]> {
  const theirs = await zarrita.get(
    await zarrita.open(zarrita.root(new RangeStore(values)), { kind: "array" }),
  );
  const { data } = await wazarr.get(await wazarr.open(values, { kind: "array" }));
  return [inOrder(theirs), data];
}

const CHAINS: readonly (readonly [title: string, codecs: Codecs])[] = [
  ["array_to_array", [offset(3), LITTLE]],
  ["asynchronous, in place", [named("test.odd"), LITTLE]],
  ["big-endian elements behind it", [offset(3), BIG]],
  ["another data type behind it", [named("test.narrow"), LITTLE]],
  ["array_to_bytes", [named("test.decimal")]],
  ["array_to_bytes with a compressor", [named("test.decimal"), GZIP]],
  [
    "several, of all kinds",
    [offset(3), named("test.odd"), offset(-9), named("test.decimal"), named("test.flip")],
  ],
  ["strides of its own", [named("test.columns"), LITTLE]],
  ["strides of its own, before another", [named("test.columns"), offset(3), LITTLE]],
  ["no array-to-bytes codec", [offset(3)]],
  ["none, and a compressor", [offset(3), GZIP]],
  ["behind a transpose", [TRANSPOSED, offset(3), LITTLE]],
  ["behind a transpose, array_to_bytes", [TRANSPOSED, named("test.decimal"), named("test.flip")]],
];

describe.each(CHAINS)("%s", (_, codecs) => {
  test("both store the same, and read what the other stored", async () => {
    const document = documentOf(codecs, [4, 4]);
    const ours = await writtenByWazarr(storeOf(document));
    expect(await readByBoth(ours)).toEqual([ELEMENTS, ELEMENTS]);
    // zarrita does not write gzip.
    if (codecs.some(({ name }) => name === "gzip")) return;
    const theirs = await writtenByZarrita(storeOf(document));
    expect(ours).toEqual(theirs);
    expect(await readByBoth(theirs)).toEqual([ELEMENTS, ELEMENTS]);
  });

  test("inside of shards", async () => {
    const sharding = {
      name: "sharding_indexed",
      configuration: {
        chunk_shape: [2, 3],
        codecs,
        index_codecs: [LITTLE, { name: "crc32c" }],
        index_location: "end",
      },
    };
    const ours = await writtenByWazarr(storeOf(documentOf([sharding], [4, 6])));
    expect(await readByBoth(ours)).toEqual([ELEMENTS, ELEMENTS]);
    const array = await wazarr.open(ours, { kind: "array" });
    expect(array.chunks).toEqual([2, 3]);
    expect(await wazarr.get(array, [wazarr.slice(3, 5), 4])).toEqual({
      data: Int32Array.of(ELEMENTS[22] ?? 0, ELEMENTS[28] ?? 0),
      shape: [2],
      stride: [1],
    });
  });

  test("in part, written and read", async () => {
    const values = storeOf(documentOf(codecs, [4, 4]));
    const array = await wazarr.open(values, { kind: "array" });
    await wazarr.set(array, [wazarr.slice(1, 6), 3], { data: Int32Array.of(1, 2, 3, 4, 5), shape: [5] });
    const [theirs, ours] = await readByBoth(values);
    const expected = new Int32Array(42).fill(5);
    for (let i = 1; i < 6; i++) expected[i * 6 + 3] = i;
    expect(ours).toEqual(expected);
    expect(theirs).toEqual(expected);
  });
});

test.each(["C", "F"] as const)("as a filter of v2, order %s", async (order) => {
  const document = {
    zarr_format: 2,
    shape: SHAPE,
    chunks: [4, 4],
    dtype: ">i4",
    order,
    fill_value: 5,
    filters: [
      { id: order === "C" ? "test.odd" : "test.offset", offset: 1 },
      { id: "test.offset", offset: 3 },
    ],
    compressor: { id: "test.flip" },
  };
  const theirs = await writtenByZarrita(storeOf(document, "/.zarray"));
  expect(await readByBoth(theirs)).toEqual([ELEMENTS, ELEMENTS]);
  const ours = await writtenByWazarr(storeOf(document, "/.zarray"));
  expect(ours).toEqual(theirs);
});

test("what it is told", async () => {
  const read = async (open: (values: Values) => Promise<unknown>, codecs: Codecs): Promise<Meta[]> => {
    told.length = 0;
    await open(await writtenByWazarr(storeOf(documentOf(codecs, [4, 4]))));
    const all = told.map((each) => structuredClone(each));
    return all.slice(-codecs.filter(({ name }) => /offset|decimal/.test(name)).length);
  };
  const chain = [offset(3), named("test.narrow"), named("test.decimal")];
  const ours = await read(async (values) => wazarr.get(await wazarr.open(values, { kind: "array" })), chain);
  const theirs = await read(
    async (values) => zarrita.get(await zarrita.open(zarrita.root(values), { kind: "array" })),
    chain,
  );
  expect(ours).toEqual(theirs);
  expect(ours.map(({ dataType, fillValue, shape }) => [dataType, fillValue, shape])).toEqual([
    ["int32", 5, [4, 4]],
    ["int16", 5, [4, 4]],
  ]);
});

test("of texts, where it makes bytes of them", async () => {
  const texts = ["", "a", "\u{1f600}b", "ccc", "d"];
  const document = documentOf([named("test.texts"), named("test.flip")], [2], "string", "-");
  const values = storeOf(document);
  await wazarr.set(await wazarr.open(values, { kind: "array" }), null, texts);
  expect((await wazarr.get(await wazarr.open(values, { kind: "array" }))).data).toEqual(texts);
  const theirs = await zarrita.get(await zarrita.open(zarrita.root(values), { kind: "array" }));
  expect(theirs.data).toEqual(texts);
});

test("in an array that wazarr creates", async () => {
  const values: Values = new Map();
  const array = await wazarr.create(wazarr.root(values).resolve("a"), {
    shape: SHAPE,
    chunkShape: [4, 6],
    dtype: "int32",
    codecs: [offset(3), named("test.narrow"), "gzip"],
  });
  await wazarr.set(array, null, { data: ELEMENTS, shape: [...SHAPE] });
  expect(array.metadata.codecs.map(({ name }) => name)).toEqual([
    "test.offset",
    "test.narrow",
    "bytes",
    "gzip",
  ]);
  expect((await wazarr.get(array)).data).toEqual(ELEMENTS);
  const theirs = await zarrita.get(await zarrita.open(zarrita.root(values).resolve("a"), { kind: "array" }));
  expect(theirs.data).toEqual(ELEMENTS);
  const sharded = await wazarr.create(wazarr.root(values).resolve("s"), {
    shape: SHAPE,
    shards: [4, 6],
    chunkShape: [2, 2],
    dtype: "int32",
    codecs: [named("test.odd"), named("test.decimal")],
  });
  await wazarr.set(sharded, null, { data: ELEMENTS, shape: [...SHAPE] });
  expect((await wazarr.get(sharded)).data).toEqual(ELEMENTS);
});

test("errors say which codec, and where", async () => {
  class Broken extends Offset {
    static override fromConfig(): Broken {
      return new Broken(0);
    }
    override decode({ data }: Chunk): Chunk {
      if (data[0] === 0) throw new RangeError("no zeros");
      return { data: data.subarray(1), shape: [4, 4], stride: [4, 1] };
    }
  }
  const failureOf = async (values: Values, selection: wazarr.Selection): Promise<unknown> =>
    wazarr.get(await wazarr.open(values, { kind: "array" }), selection).catch((error: unknown) => error);
  wazarr.registry.set("test.broken", () => Broken);
  wazarr.registry.set("test.kind", () => ({ codecKind: "array_to_bytes", fromConfig: () => new Flip() }));
  try {
    const broken = [offset(3), { name: "test.broken", configuration: {} }, LITTLE];
    const values = await writtenByWazarr(storeOf(documentOf(broken, [4, 4])));
    values.set("/c/0/0", new Uint8Array(64));
    const thrown = await failureOf(values, [0, 0]);
    if (!wazarr.isZarrError(thrown, "CodecError")) throw thrown;
    expect([thrown.codec, thrown.key, thrown.chunk]).toEqual(["test.broken", "/c/0/0", [0, 0]]);
    expect(thrown.message).toContain("no zeros");
    expect(thrown.cause).toBeInstanceOf(RangeError);
    expect(String(await failureOf(values, [0, 4]))).toContain("got 15 elements");
  } finally {
    wazarr.registry.delete("test.broken");
    wazarr.registry.delete("test.kind");
  }
});
