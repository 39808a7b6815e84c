/** Random reads of random arrays through stores of four kinds: the elements that were written. */
import { describe, expect, test } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import { product } from "../../src/base/shape.js";
import type { Selection } from "../../src/grid/selection.js";
import * as wazarr from "../../src/index.js";
import { positions } from "../engine/reference.js";
import { codecsOf, pick, type Random, randomOf, selectionOf, TYPES } from "./random-arrays.js";

type Bytes = Map<string, Uint8Array>;

/** Stores that answer at once, later, over a slow network without versions, or one by one. */
const STORES: readonly ((map: Bytes) => wazarr.Store)[] = [
  (map) => map,
  (map) => ({ get: (key) => map.get(key) }),
  (map) => ({ get: async (key) => map.get(key) }),
  (map) => ({
    async get(key) {
      await new Promise((resolve) => setImmediate(resolve));
      return map.get(key);
    },
    async getRange(key, range) {
      const bytes = map.get(key);
      if ("suffixLength" in range) return bytes?.slice(Math.max(0, bytes.length - range.suffixLength));
      return bytes?.slice(range.offset, range.offset + range.length);
    },
  }),
];

/** A damaged copy of a value. */
function damage(random: Random, bytes: Uint8Array): Uint8Array {
  const kind = random(4);
  if (kind === 0) return bytes.slice(0, random(bytes.length + 1));
  if (kind === 1) return new Uint8Array(random(100));
  const copy = bytes.slice();
  for (let i = 0; i <= random(3) && copy.length > 0; i++) {
    const place = kind === 2 ? random(copy.length) : copy.length - 1 - random(Math.min(copy.length, 60));
    copy[place] = (copy[place] ?? 0) ^ (1 << random(8));
  }
  return copy;
}

interface Made {
  readonly map: Bytes;
  readonly shape: readonly number[];
  readonly itemSize: number;
  /** The bytes of all elements, in C order. */
  readonly bytes: Uint8Array;
}

async function makeArray(random: Random): Promise<Made | undefined> {
  const rank = random(5);
  const name = pick(random, Object.keys(TYPES));
  const itemSize = TYPES[name] ?? 1;
  const shape = Array.from({ length: rank }, () => pick(random, [1, 5, 7, 12, 17]));
  const chunkShape = shape.map(() => pick(random, [1, 2, 3, 4, 6, 8, 12, 20]));
  if (product(shape.map((length, d) => Math.ceil(length / (chunkShape[d] ?? 1)))) > 100) return undefined;
  const map: Bytes = new Map();
  const isComplex = name.startsWith("complex");
  const fillValue =
    name === "bool" || isComplex ? undefined : name.endsWith("64") && name !== "float64" ? 7n : 5;
  const isV2 = random(4) === 0 && !isComplex;
  const array = await wazarr.create(map, {
    shape,
    chunkShape,
    dtype: name,
    ...(random(2) === 0 || fillValue === undefined ? {} : { fillValue }),
    ...(isV2
      ? { zarrFormat: 2, order: pick(random, ["C", "F"]) }
      : { codecs: codecsOf(random, chunkShape, itemSize, pick(random, [0, 0, 1, 1, 2])) }),
  });
  // Nothing is stored yet: all of it is fill value.
  const blank = await wazarr.get(array);
  if (!ArrayBuffer.isView(blank.data)) return undefined;
  const fill = bytesOf(blank.data);
  // Random bytes as elements: every pattern of bits but those that the type does not have.
  const { data } = await wazarr.get(array);
  const bytes = bytesOf(data);
  bytes.forEach((_, i) => {
    bytes[i] = name === "bool" ? random(2) : random(4) ? random(256) : 0;
  });
  await wazarr.set(array, null, { data, shape });
  for (const key of map.keys()) {
    if (random(4) !== 0 || !isChunk(key)) continue;
    map.delete(key);
    const chunk = [...key.matchAll(/\d+/g)].map(Number).slice(-rank);
    const missing = shape.map((length, d) => {
      const chunkLength = chunkShape[d] ?? 1;
      const start = (chunk[d] ?? 0) * chunkLength;
      return wazarr.slice(start, Math.min(length, start + chunkLength));
    });
    for (const i of positions(missing, shape))
      bytes.set(fill.subarray(i * itemSize, (i + 1) * itemSize), i * itemSize);
  }
  return { map, shape, itemSize, bytes };
}

const isChunk = (key: string) => !key.includes(".z") && !key.endsWith("json");

function bytesOf(data: unknown): Uint8Array {
  if (!ArrayBuffer.isView(data)) throw new TypeError("expected a typed array");
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function selected({ bytes, shape, itemSize }: Made, selection: Selection): Uint8Array {
  const found = positions(selection ?? shape.map(() => null), shape);
  const expected = new Uint8Array(found.length * itemSize);
  for (const [to, from] of found.entries())
    expected.set(bytes.subarray(from * itemSize, (from + 1) * itemSize), to * itemSize);
  return expected;
}

const READS_PER_ARRAY = 5;

async function compare(random: Random, reads: number, isDamaged: boolean): Promise<void> {
  for (let done = 0; done < reads; ) {
    const made = await makeArray(random);
    if (made === undefined) continue;
    const { map, shape } = made;
    const chunks = [...map.keys()].filter(isChunk);
    if (isDamaged && chunks.length > 0) {
      const key = pick(random, chunks);
      map.set(key, damage(random, map.get(key) ?? new Uint8Array()));
    }
    const arrays = await Promise.all(STORES.map((store) => wazarr.open(store(map), { kind: "array" })));
    for (let i = 0; i < READS_PER_ARRAY; i++, done++) {
      const selection = selectionOf(random, shape);
      const expected = selected(made, selection);
      const outcomes: unknown[] = [];
      for (const array of arrays) {
        // Elements go into memory that is not blank half of the time.
        const out = array.dataType.view(new Uint8Array(expected.length).fill(9));
        const isScalar = selection?.every((entry) => typeof entry === "number") ?? shape.length === 0;
        const options = random(2) === 0 && !isScalar ? { out } : {};
        const reading: Promise<unknown> = Reflect.apply(wazarr.get, undefined, [array, selection, options]);
        const outcome = await reading.catch((error: unknown) => {
          if (isZarrError(error, "CodecError", "StoreError", "UnsupportedError")) return error.tag;
          throw error;
        });
        if (typeof outcome !== "object" || outcome === null || !("data" in outcome)) outcomes.push(outcome);
        else outcomes.push(Buffer.from(bytesOf(outcome.data)).toString("base64"));
      }
      const wanted = Buffer.from(expected).toString("base64");
      const [first] = outcomes;
      const isRight = outcomes.every((one) => one === first) && (isDamaged || first === wanted);
      const isScalar = shape.length === 0 || !String(typeof first).startsWith("string");
      if (isRight || isScalar) continue;
      const { codecs, chunkGrid } = arrays[0]?.metadata ?? {};
      expect({ outcomes, wanted, selection, codecs, chunkGrid, shape }).toBe("no difference");
    }
  }
}

/** Minutes on a machine that does other work, too. */
const TIMEOUT = 300_000;

describe("reads", () => {
  test.each([1, 2, 3, 4])(
    "give the elements that were written (seed %i)",
    (seed) => compare(randomOf(seed * 7919), 300, false),
    TIMEOUT,
  );
  test("of damaged values fail alike, or give the same", () => compare(randomOf(77), 300, true), TIMEOUT);
});
