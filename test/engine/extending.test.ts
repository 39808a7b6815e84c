/**
 * A codec with partial decoding, a store with ranges, a data type and selections, added through the public
 * interfaces alone: nothing in the engine knows them.
 */
import { beforeEach, describe, expect, test } from "vitest";
import {
  type AbsolutePath,
  create,
  get,
  getCoordinates,
  getOrthogonal,
  InvalidArgumentError,
  InvalidMetadataError,
  open,
  type RangeQuery,
  type Readable,
  registry,
  set,
  slice,
  type Array as ZarrArray,
} from "../../src/index.js";
import type { CodecEntry } from "../../src/main/codecs.js";
import {
  ArrayView,
  type DataTypeDefinition,
  type DataTypeFamily,
  registerDataType,
} from "../../src/main/data-types.js";
import { copiedInto, RangeStore, rangeOf } from "../setup/stores.js";

const SHAPE = [64, 64, 64];
const ELEMENTS = Float32Array.from({ length: 64 ** 3 }, (_, i) => i / 8);
const BYTES = ELEMENTS.byteLength;
const PLANE = 64 * 64;
const plane = (index: number) => ELEMENTS.subarray(index * PLANE, (index + 1) * PLANE);

/** `toEqual` takes seconds for so many. */
const isEverything = (data: unknown): boolean =>
  data instanceof Float32Array &&
  data.length === ELEMENTS.length &&
  data.every((element, i) => element === ELEMENTS[i]);

describe("a codec with decodeRange and neededRanges", () => {
  const NAME = "test.negative";
  const HEADER = 8;
  const decoded = { whole: 0, bytes: 0 };

  /** Every bit is inverted, behind a header. */
  const entry: CodecEntry = {
    codecKind: "bytes_to_bytes",
    fromConfig: () => ({
      kind: "bytes_to_bytes",
      synchronous: true,
      encode(bytes) {
        const encoded = new Uint8Array(HEADER + bytes.length);
        encoded.set(invert(bytes), HEADER);
        return encoded;
      },
      decode(bytes) {
        decoded.whole++;
        return invert(bytes.subarray(HEADER));
      },
      decodeRange(bytes, start, end) {
        decoded.bytes += end - start;
        return invert(bytes.subarray(HEADER + start, HEADER + end));
      },
      *neededRanges(_bytes, start, { shape, steps, itemSize }) {
        const last = shape.reduce((sum, count, d) => sum + (count - 1) * Math.abs(steps[d] ?? 0), 0);
        yield [{ start: HEADER + start, end: HEADER + start + last + itemSize }];
        return true;
      },
    }),
  };
  const invert = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0xff);

  async function written(): Promise<Map<string, Uint8Array>> {
    registry.set(NAME, () => entry);
    const values = new Map<string, Uint8Array>();
    const array = await create(values, {
      shape: SHAPE,
      chunkShape: SHAPE,
      dtype: "float32",
      codecs: [NAME],
    });
    await set(array, null, { data: ELEMENTS, shape: SHAPE });
    return values;
  }

  beforeEach(() => {
    decoded.whole = 0;
    decoded.bytes = 0;
  });

  test("writes and reads all of an array", async () => {
    const values = await written();
    expect(values.get("/c/0/0/0")).toHaveLength(HEADER + BYTES);
    const array = await open(values, { kind: "array" });
    expect(isEverything((await get(array)).data)).toBe(true);
  });

  test("decodes only what is selected", async () => {
    const array = await open(await written(), { kind: "array" });
    expect((await get(array, [7, null, null])).data).toEqual(plane(7));
    expect(decoded).toEqual({ whole: 0, bytes: BYTES / 64 });
    expect(await get(array, [63, 1, 2])).toBe(ELEMENTS[63 * PLANE + 64 + 2]);
    expect(decoded).toEqual({ whole: 0, bytes: BYTES / 64 + 4 });
  });

  test("is decoded from ranges of a value, where a store opens values at once", async () => {
    const store = new OpeningStore(await written());
    const array = await open(store, { kind: "array" });
    expect((await get(array, [slice(20, 22), null, null])).data).toEqual(
      ELEMENTS.subarray(20 * PLANE, 22 * PLANE),
    );
    expect(store.read).toEqual({ whole: 0, bytes: BYTES / 32 });
    expect(decoded).toEqual({ whole: 0, bytes: BYTES / 32 });
    expect(isEverything((await get(array)).data)).toBe(true);
    expect(store.read.whole).toBe(1);
  });
});

/** Values that can be opened; chunks that are read are counted. */
class OpeningStore implements Readable {
  readonly kind = "files";
  readonly read = { whole: 0, bytes: 0 };
  readonly #values: ReadonlyMap<string, Uint8Array>;

  constructor(values: ReadonlyMap<string, Uint8Array>) {
    this.#values = values;
  }

  get(key: AbsolutePath): Uint8Array | undefined {
    if (key.startsWith("/c/")) this.read.whole++;
    return this.#values.get(key);
  }

  openNow(key: AbsolutePath) {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    return {
      byteLength: value.length,
      version: undefined,
      whole: (allocate: (byteLength: number) => Uint8Array): Uint8Array => {
        this.read.whole++;
        return copiedInto(value, allocate);
      },
      read: (range: RangeQuery, allocate: (byteLength: number) => Uint8Array): Uint8Array => {
        const part = rangeOf(value, range);
        this.read.bytes += part.length;
        return copiedInto(part, allocate);
      },
      close() {},
    };
  }
}

describe("a store with getRange", () => {
  test("is written, and of a shard only the index and the inner chunks of a selection are read", async () => {
    const store = new RangeStore();
    const layout = {
      shape: SHAPE,
      chunkShape: [8, 64, 64],
      shards: SHAPE,
      dtype: "float32",
      codecs: [],
    } as const;
    await set(await create(store, layout), null, { data: ELEMENTS, shape: SHAPE });
    const array = await open(store, { kind: "array" });
    store.reset();
    expect((await get(array, [9, null, null])).data).toEqual(plane(9));
    // One of eight inner chunks; 16 bytes of index for each of them, and a checksum.
    expect(store.bytes).toBe(BYTES / 8 + 8 * 16 + 4);
    expect(store.requests).not.toContain("/c/0/0/0");
    expect(isEverything((await get(array)).data)).toBe(true);
  });
});

describe("a data type", () => {
  /** Numbers in 1/256, as integers of 16 bits. */
  class FixedPointArray extends ArrayView<number> {
    constructor(bytes: Uint8Array) {
      super(bytes, 2);
    }
    get(index: number): number {
      return fixedPoint.readScalar(this.element(index));
    }
    set(index: number, value: number): void {
      fixedPoint.writeScalar(fixedPoint.cast(value), this.element(index));
    }
    subarray(begin?: number, end?: number): FixedPointArray {
      return new FixedPointArray(this.range(begin, end));
    }
  }

  const fits = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value * 256) && Math.abs(value) < 128;
  const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, 2);

  const fixedPoint: DataTypeDefinition<number, FixedPointArray> = {
    name: "test.fixed-point",
    itemSize: 2,
    swapUnit: 2,
    needsEndian: true,
    toV3: () => "test.fixed-point",
    toV2: (endian) => (endian === "big" ? ">q8.8" : "<q8.8"),
    defaultScalar: 0,
    scalarFromJson(json) {
      if (fits(json)) return json;
      throw new InvalidMetadataError(`expected a multiple of 1/256, got ${JSON.stringify(json)}`);
    },
    scalarToJson: (scalar) => scalar,
    cast(value) {
      if (fits(value)) return value;
      throw new InvalidArgumentError(`expected a multiple of 1/256, got ${String(value)}`);
    },
    writeScalar: (scalar, target) => viewOf(target).setInt16(0, scalar * 256, true),
    readScalar: (source) => viewOf(source).getInt16(0, true) / 256,
    view: (bytes) => new FixedPointArray(bytes),
    bytesOf: (data) =>
      data instanceof FixedPointArray
        ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
        : undefined,
  };

  const family: DataTypeFamily = {
    name: "test.fixed-point",
    fromV3: (json) => (json === "test.fixed-point" ? fixedPoint : undefined),
    fromV2(json) {
      if (json !== ">q8.8" && json !== "<q8.8") return undefined;
      return { dataType: fixedPoint, endian: json === ">q8.8" ? "big" : "little" };
    },
  };

  test.each([
    [2, "little"],
    [2, "big"],
    [3, "little"],
    [3, "big"],
  ] as const)("is written and read in v%i, %s-endian", async (zarrFormat, endian) => {
    registerDataType(family);
    const values = new Map<string, Uint8Array>();
    const shape = [3, 3];
    const options = { shape, chunkShape: [2, 2], dtype: fixedPoint, fillValue: -0.5, zarrFormat, endian };
    const given = [1.5, -2.25, 3, 0, 127.5, -127, -0.5, -0.5, 1 / 256];
    await set(await create(values, options), null, { data: given, shape });
    const array = await open(values, { kind: "array" });
    const { data } = await get(array);
    if (!(data instanceof FixedPointArray)) throw new TypeError("expected the registered type's array");
    expect(data.toArray()).toEqual(given);
    expect(await get(array, [1, 1])).toBe(127.5);
    // A chunk of nothing but the fill value is not stored.
    expect(values.has(zarrFormat === 2 ? "/1.0" : "/c/1/0")).toBe(false);
    const one = await create(values, {
      ...options,
      overwrite: true,
      shape: [1],
      chunkShape: [1],
      codecs: zarrFormat === 2 ? { compressor: null } : [],
    });
    await set(one, null, 1.5);
    const stored = values.get(zarrFormat === 2 ? "/0" : "/c/0");
    expect(stored).toEqual(endian === "big" ? Uint8Array.of(1, 0x80) : Uint8Array.of(0x80, 1));
  });
});

/**
 * A selection is a box (`get`), a cross of lists (`getOrthogonal`) or points (`getCoordinates`); a new one
 * says which.
 */
describe("a selection", () => {
  /** Elements with the same index in every dimension. */
  function getDiagonal(array: ZarrArray<"float32">) {
    const indices = Int32Array.from({ length: Math.min(...array.shape) }, (_, i) => i);
    return getCoordinates(
      array,
      array.shape.map(() => indices),
    );
  }

  /** Whole chunks, as zarr-python's `blocks`: the chunks at the crossings of what each dimension lists. */
  function getBlocks(array: ZarrArray<"float32">, blocks: readonly (readonly number[])[]) {
    return getOrthogonal(
      array,
      blocks.map((list, d) => {
        const length = array.chunks[d] ?? 1;
        return list.flatMap((block) => Array.from({ length }, (_, i) => block * length + i));
      }),
    );
  }

  test("reads each chunk once that it touches", async () => {
    const values = new Map<string, Uint8Array>();
    const written = await create(values, {
      shape: SHAPE,
      chunkShape: [16, 16, 16],
      dtype: "float32",
      codecs: ["gzip"],
    });
    await set(written, null, { data: ELEMENTS, shape: SHAPE });
    const reading = new OpeningStore(values);
    const array = await open(reading, { kind: "array" });
    if (!array.is("float32")) throw new TypeError("expected float32");
    const { data } = await getDiagonal(array);
    expect(data).toEqual(Float32Array.from({ length: 64 }, (_, i) => ELEMENTS[i * (PLANE + 64 + 1)] ?? 0));
    expect(reading.read.whole).toBe(4);
    const blocks = await getBlocks(array, [[3, 0], [1], [2]]);
    expect(blocks.shape).toEqual([32, 16, 16]);
    expect(blocks.data[0]).toBe(ELEMENTS[48 * PLANE + 16 * 64 + 32]);
    expect(blocks.data[16 ** 3]).toBe(ELEMENTS[16 * 64 + 32]);
    expect(reading.read.whole).toBe(6);
  });
});
