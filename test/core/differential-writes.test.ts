/** Random writes, and the same writes to a plain array in memory: the same elements. */
import { describe, expect, test } from "vitest";
import * as wazarr from "../../src/index.js";
import { positions } from "../engine/reference.js";
import { codecsOf, pick, type Random, randomOf, selectionOf } from "./random-arrays.js";

type Bytes = Map<string, Uint8Array>;

const later = () => new Promise((resolve) => setImmediate(resolve));

/** A bucket: answers later, has versions, and obeys conditions. */
function bucketOf(map: Bytes): wazarr.WritableStore {
  const versions = new Map<string, number>();
  let last = 0;
  const read = async (key: string) => {
    await later();
    return map.get(key);
  };
  return {
    conditionalWrites: true,
    get: read,
    async getParts(key, ranges) {
      const bytes = await read(key);
      if (bytes === undefined) return undefined;
      const parts = ranges?.map((range) =>
        "suffixLength" in range
          ? bytes.slice(Math.max(0, bytes.length - range.suffixLength))
          : bytes.slice(range.offset, range.offset + range.length),
      );
      return { parts: parts ?? [bytes], version: versions.get(key) ?? 0, byteLength: bytes.length };
    },
    async set(key, value, options) {
      await later();
      const is = map.has(key) ? (versions.get(key) ?? 0) : null;
      const wanted = options?.ifVersion;
      if (wanted !== undefined && wanted !== is) throw new wazarr.ConflictError("changed", { key });
      map.set(key, value.slice());
      versions.set(key, ++last);
    },
    async delete(key) {
      await later();
      map.delete(key);
    },
  };
}

/** Stores that answer at once, later, cannot delete, copy what they are given, or have conditional writes. */
const STORES: readonly ((map: Bytes) => wazarr.WritableStore)[] = [
  (map) => map,
  (map) => ({
    get: async (key) => map.get(key),
    async set(key, value) {
      await later();
      map.set(key, value);
    },
  }),
  (map) => ({
    copiesValues: true,
    get: (key) => map.get(key),
    set: (key, value) => map.set(key, value.slice()),
    setNow(key, value) {
      if (value.length % 3 === 0) return false;
      map.set(key, value.slice());
      return true;
    },
    delete: (key) => map.delete(key),
  }),
  bucketOf,
];

/** The array that is written, and what should be in it. */
interface Written {
  array: wazarr.Array<"int32">;
  shape: number[];
  model: Int32Array;
}

/** Types of 4 bytes: others differ in nothing but copies, which other tests compare. */
async function makeArray(random: Random, store: wazarr.WritableStore): Promise<Written> {
  const rank = random(4);
  const shape = Array.from({ length: rank }, () => pick(random, [1, 5, 7, 12, 17]));
  const depth = pick(random, [0, 0, 1, 1, 2]);
  const chunkShape = shape.map(() => pick(random, [1, 2, 3, 4, 6, 8, 12, 20]));
  const lists = shape.map((length, d) => {
    const first = Math.min(length, chunkShape[d] ?? 1);
    return first < length ? [first, length - first] : [length];
  });
  const isRectilinear = depth === 0 && rank > 0 && random(4) === 0;
  const array = await wazarr.create(store, {
    shape,
    chunkShape: isRectilinear ? lists : chunkShape,
    dtype: "int32",
    fillValue: random(3),
    codecs: codecsOf(random, isRectilinear ? shape.map(() => 1) : chunkShape, 4, depth),
  });
  const count = shape.reduce((product, length) => product * length, 1);
  return { array, shape, model: new Int32Array(count).fill(Number(array.fillValue)) };
}

const options = (random: Random) => ({ writeEmptyChunks: random(3) === 0 });

async function writeBox(random: Random, { array, shape, model }: Written): Promise<void> {
  const selection = selectionOf(random, shape);
  const places = positions(selection, shape);
  const { shape: boxShape } = await shapeOf(array, selection);
  // Few different values, so that chunks of fill value alone come about.
  const most = pick(random, [1, 3, 1000]);
  const data = Int32Array.from(places, () => random(most));
  const value = random(3) === 0 ? random(4) : { data, shape: boxShape };
  await wazarr.set(array, selection, value, options(random));
  for (const [i, place] of places.entries())
    model[place] = typeof value === "number" ? value : (data[i] ?? 0);
}

async function shapeOf(array: wazarr.Array<"int32">, selection: wazarr.Selection) {
  const found: unknown = await wazarr.get(array, selection);
  const shape = typeof found === "object" && found !== null && "shape" in found ? found.shape : [];
  return { shape: Array.isArray(shape) ? shape.map(Number) : [] };
}

async function writePoints(random: Random, { array, shape, model }: Written): Promise<void> {
  if (shape.length === 0 || shape.includes(0)) return;
  const count = random(12);
  const coordinates = shape.map((length) => Array.from({ length: count }, () => random(length)));
  const data = Int32Array.from({ length: count }, () => random(1000));
  await wazarr.setCoordinates(array, coordinates, { data, shape: [count] }, options(random));
  for (let i = 0; i < count; i++) {
    const place = shape.reduce((sum, length, d) => sum * length + (coordinates[d]?.[i] ?? 0), 0);
    model[place] = data[i] ?? 0;
  }
}

async function writeCrossings(random: Random, { array, shape, model }: Written): Promise<void> {
  if (shape.length === 0 || shape.includes(0)) return;
  const lists = shape.map((length) => Array.from({ length: 1 + random(3) }, () => random(length)));
  const value = random(5);
  await wazarr.setOrthogonal(array, lists, value, options(random));
  let places = [0];
  for (const [d, list] of lists.entries())
    places = places.flatMap((before) => list.map((i) => before * (shape[d] ?? 1) + i));
  for (const place of places) model[place] = value;
}

async function extend(random: Random, written: Written): Promise<void> {
  const { shape, model } = written;
  if (shape.length === 0) return;
  const added = [1 + random(4), ...shape.slice(1)];
  const data = Int32Array.from({ length: added.reduce((a, b) => a * b, 1) }, () => random(3));
  written.array = await wazarr.append(written.array, { data, shape: added });
  written.shape = [...written.array.shape];
  written.model = Int32Array.of(...model, ...data);
}

async function shorten(random: Random, written: Written): Promise<void> {
  const [first, ...others] = written.shape;
  if (first === undefined || first < 2) return;
  const length = 1 + random(first - 1);
  written.array = await wazarr.resize(written.array, [length, ...others]);
  written.shape = [length, ...others];
  const count = others.reduce((product, each) => product * each, length);
  written.model = written.model.slice(0, count);
}

function elementsOf(chunk: unknown): number[] {
  const data = typeof chunk === "object" && chunk !== null && "data" in chunk ? chunk.data : undefined;
  return data instanceof Int32Array ? Array.from(data) : [];
}

const WRITES_PER_ARRAY = 8;

async function compare(random: Random, arrays: number): Promise<void> {
  for (let made = 0; made < arrays; made++) {
    const store = pick(random, STORES)(new Map());
    const written = await makeArray(random, store);
    const { codecs, chunkGrid } = written.array.metadata;
    const isRegular = chunkGrid.name === "regular";
    const canDelete = store.delete !== undefined;
    for (let i = 0; i < WRITES_PER_ARRAY; i++) {
      const [box, points, crossings] = [writeBox, writePoints, writeCrossings];
      const write = pick(random, [
        ...[box, box, box, points, crossings],
        ...(isRegular ? [extend] : []),
        ...(isRegular && canDelete ? [shorten] : []),
      ]);
      await write(random, written);
      const result: unknown = await wazarr.get(written.array, null);
      const found = typeof result === "number" ? [result] : elementsOf(result);
      const wanted = Array.from(written.model);
      if (found.join() !== wanted.join())
        expect({ write: write.name, codecs, chunkGrid, found }).toEqual({ found: wanted });
    }
  }
}

/** Minutes on a machine that does other work, too. */
const TIMEOUT = 300_000;

describe("the line of a write", () => {
  test.each([1, 2, 3, 4])(
    "writes what was given, and changes nothing else (seed %i)",
    (seed) => compare(randomOf(seed * 6151), 25),
    TIMEOUT,
  );
});
