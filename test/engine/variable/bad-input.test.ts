/**
 * Damaged chunks: a CodecError that says codec, chunk and element; never a trap, an allocation for what is
 * only claimed, or a wrong value.
 */
import { describe, expect, it } from "vitest";
import { setKernels } from "../../../src/extend.js";
import { create, get, isZarrError, open } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { LITTLE } from "../../setup/codecs.js";
import { toBytes } from "./elements.js";

interface Expected {
  readonly offset?: number;
  readonly message: RegExp;
}

/** An array of three strings whose only chunk holds these bytes. */
async function arrayOf(codec: JsonObject, chunk: Uint8Array, dtype = "string") {
  const store = new Map<string, Uint8Array>();
  await create(store, { shape: [3], chunkShape: [3], dtype, codecs: [JSON.parse(JSON.stringify(codec))] });
  store.set("/c/0", chunk);
  return open(store, { kind: "array" });
}

async function refuse(
  codec: JsonObject,
  chunk: Uint8Array,
  expected: Expected,
  dtype?: string,
): Promise<void> {
  for (const kernels of ["wasm", "javascript"] as const) {
    setKernels(kernels);
    const array = await arrayOf(codec, chunk.slice(), dtype);
    for (const options of [undefined, { as: "column" } as const]) {
      const error: unknown = await (options === undefined ? get(array) : get(array, null, options)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!isZarrError(error, "CodecError")) throw new Error(`expected a CodecError, got ${String(error)}`);
      expect(error.message).toMatch(expected.message);
      expect(error.codec).toBe(codec.name);
      expect(error.chunk).toEqual([0]);
      expect(error.key).toBe("/c/0");
      expect(error.offset).toBe(expected.offset);
    }
  }
  setKernels("auto");
}
const interleaved: JsonObject = { name: "vlen-utf8", configuration: {} };

function words(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(values).buffer);
}
function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
const zeros = (length: number): Uint8Array => new Uint8Array(length);
const zep7 = (offsets: readonly number[], text: string): Uint8Array =>
  join(words(...offsets), zeros(64 - 4 * offsets.length), toBytes(text));

describe("ZEP 7", () => {
  it.each<[string, readonly number[], string, Expected]>([
    [
      "decreasing offsets",
      [0, 5, 3, 8],
      "thequick",
      { offset: 1, message: /never decrease, got 3 after 5 for element 1/ },
    ],
    ["a negative offset", [0, -1, 3, 8], "thequick", { offset: 0, message: /got -1 after 0/ }],
    ["offsets that start above zero", [1, 3, 8, 8], "thequick", { offset: 0, message: /begin at 0, got 1/ }],
    [
      "an end past the data",
      [0, 3, 8, 9],
      "thequick",
      { offset: 2, message: /up to 8, .* got 9 as the end of element 2/ },
    ],
    [
      "an element in the middle past the data",
      [0, 3, 2 ** 31 - 1, 2 ** 31 - 1],
      "the",
      { offset: 1, message: /element 1/ },
    ],
    ["trailing bytes", [0, 3, 8, 8], "thequick!", { offset: 72, message: /expected 8 bytes of data/ }],
  ])("%s", async (_, offsets, text, expected) => {
    await refuse(LITTLE, zep7(offsets, text), expected);
  });

  it("truncated offsets", async () => {
    for (const length of [0, 1, 8, 15]) {
      await refuse(LITTLE, zep7([0, 3, 8, 8], "thequick").subarray(0, length), {
        message: /4 offsets of 4 bytes/,
      });
    }
  });

  it("64-bit offsets beyond everything", async () => {
    const chunk = join(
      new Uint8Array(BigInt64Array.of(0n, 3n, 2n ** 62n, 2n ** 62n).buffer),
      zeros(32),
      toBytes("the"),
    );
    await refuse(LITTLE, chunk, { offset: 1, message: /element 1/ }, "large_string");
  });
});

const vlen = (location: "start" | "end", extra: readonly string[] = []): JsonObject => ({
  name: "zarrs.vlen",
  configuration: {
    index_codecs: [LITTLE, ...extra.map((name) => ({ name, configuration: {} }))],
    data_codecs: [{ name: "bytes", configuration: {} }],
    index_data_type: "uint32",
    index_location: location,
  },
});
const length64 = (low: number, high = 0): Uint8Array => words(low, high);
function vlenChunk(
  location: "start" | "end",
  length: Uint8Array,
  offsets: readonly number[],
  text: string,
): Uint8Array {
  const index = words(...offsets);
  return location === "start" ? join(length, index, toBytes(text)) : join(toBytes(text), index, length);
}

describe.each(["start", "end"] as const)("vlen, index at the %s", (location) => {
  it.each<[string, Uint8Array, readonly number[], string, Expected]>([
    ["another index length", length64(12), [0, 3, 8, 8], "thequick", { message: /expected 16 bytes/ }],
    ["decreasing offsets", length64(16), [0, 8, 3, 8], "thequick", { offset: 1, message: /never decrease/ }],
    [
      "offsets beyond 2^31",
      length64(16),
      [0, 3, -1, 8],
      "thequick",
      { offset: 1, message: /never decrease/ },
    ],
    [
      "offsets that start above zero",
      length64(16),
      [3, 3, 8, 8],
      "thequick",
      { offset: 0, message: /begin at 0/ },
    ],
    [
      "data that are too short",
      length64(16),
      [0, 3, 8, 9],
      "thequick",
      { message: /expected 9 bytes of data/ },
    ],
    [
      "data that are too long",
      length64(16),
      [0, 3, 3, 3],
      "thequick",
      { message: /expected 3 bytes of data/ },
    ],
  ])("%s", async (_, length, offsets, text, expected) => {
    await refuse(vlen(location), vlenChunk(location, length, offsets, text), expected);
  });

  it("an index length beyond the chunk", async () => {
    for (const length of [length64(25), length64(0xffffffff, 0xffffffff), length64(0, 1)]) {
      const chunk = vlenChunk(location, length, [0, 3, 8, 8], "thequick");
      await refuse(vlen(location), chunk, {
        offset: location === "start" ? 0 : 24,
        message: /at most 24 bytes/,
      });
    }
  });

  it("less than the index length", async () => {
    await refuse(vlen(location), zeros(7), { message: /at least the 8 bytes/ });
  });

  it("a wrong checksum of the index", async () => {
    const chunk = vlenChunk(location, length64(20), [0, 3, 8, 8, 12345], "thequick");
    const array = await arrayOf(vlen(location, ["crc32c"]), chunk);
    await expect(get(array)).rejects.toThrow(/checksum/);
  });
});

describe("vlen-utf8", () => {
  const chunk = join(words(3, 3), toBytes("the"), words(5), toBytes("quick"), words(0));

  it("another count, and one that is only claimed", async () => {
    await refuse(interleaved, join(words(2), chunk.subarray(4)), {
      message: /expected 3 elements, got a chunk of 2/,
    });
    await refuse(interleaved, join(words(-1), chunk.subarray(4)), { message: /got a chunk of 4294967295/ });
  });

  it("every truncation", async () => {
    for (let length = 0; length < chunk.length; length++) {
      // The count and three lengths take 16 bytes of whatever there is; the first element has 3 of its own.
      const expected =
        length < 16
          ? { message: /at least 16 bytes/ }
          : { message: /expected the end of element/, offset: length < 19 ? 0 : 1 };
      await refuse(interleaved, chunk.slice(0, length), expected);
    }
  });

  it("a length that leads beyond the chunk, and trailing bytes", async () => {
    const long = chunk.slice();
    long.set([255, 255, 255, 255], 4 + 4 + 3);
    await refuse(interleaved, long, { offset: 1, message: /end of element 1/ });
    await refuse(interleaved, join(chunk, zeros(1)), { offset: chunk.length, message: /expected 24 bytes/ });
  });
});

describe("text that is not UTF-8", () => {
  const chunk = join(words(0, 2, 4, 5), zeros(48), Uint8Array.of(0x61, 0x62, 0xc3, 0x28, 0x63));

  it("is refused with the element, and replaced when asked", async () => {
    for (const kernels of ["wasm", "javascript"] as const) {
      setKernels(kernels);
      const array = await arrayOf(LITTLE, chunk);
      const error: unknown = await get(array).catch((reason: unknown) => reason);
      if (!isZarrError(error, "CodecError")) throw new Error(`expected a CodecError, got ${String(error)}`);
      expect(error.offset).toBe(1);
      expect(error.chunk).toEqual([0]);
      expect((await get(array, null, { invalidText: "replace" })).data).toEqual(["ab", "\ufffd(", "c"]);
      // A column is bytes until it is asked for text.
      const { data } = await get(array, null, { as: "column" });
      expect(data.get(0)).toBe("ab");
      expect(() => data.get(1)).toThrow(/element 1/);
      expect(() => data.toArray()).toThrow(/element 1/);
      const replaced = await get(array, null, { as: "column", invalidText: "replace" });
      expect([...replaced.data]).toEqual(["ab", "\ufffd(", "c"]);
    }
    setKernels("auto");
  });

  it("a character across two elements is none", async () => {
    const array = await arrayOf(LITTLE, join(words(0, 1, 2, 2), zeros(48), toBytes("é")));
    await expect(get(array)).rejects.toThrow(/element 0/);
  });
});

describe("metadata", () => {
  it.each<[string, string, unknown]>([
    ["a codec for elements of fixed size", "string", ["packbits"]],
    ["a vlen codec for numbers", "int32", ["vlen-utf8"]],
    ["vlen without its members", "string", [{ name: "zarrs.vlen", configuration: {} }]],
    [
      "vlen with an unknown member",
      "string",
      [{ name: "zarrs.vlen", configuration: { ...Object(vlen("end").configuration), version: 1 } }],
    ],
    [
      "another index type",
      "string",
      [
        {
          name: "zarrs.vlen",
          configuration: { ...Object(vlen("end").configuration), index_data_type: "uint16" },
        },
      ],
    ],
    [
      "another location",
      "string",
      [
        {
          name: "zarrs.vlen",
          configuration: { ...Object(vlen("end").configuration), index_location: "middle" },
        },
      ],
    ],
    ["an unknown byte order", "string", [{ name: "bytes", configuration: { endian: "middle" } }]],
    ["members of vlen-utf8", "string", [{ name: "vlen-utf8", configuration: { level: 1 } }]],
  ])("%s", async (_, dtype, codecs) => {
    const options = { shape: [3], dtype, codecs: JSON.parse(JSON.stringify(codecs)) };
    await expect(create(new Map(), options)).rejects.toSatisfy((error) =>
      isZarrError(error, "InvalidMetadataError", "UnsupportedError"),
    );
  });
});
