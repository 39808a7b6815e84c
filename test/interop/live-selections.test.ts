/**
 * What getOrthogonal and getCoordinates read, and their counterparts write, against zarr-python's `oindex`,
 * `vindex` and masks on the same stores.
 */
import { describe, expect, it } from "vitest";
import {
  create,
  getCoordinates,
  getOrthogonal,
  type OrthogonalEntry,
  open,
  set,
  setCoordinates,
  setOrthogonal,
  slice,
} from "../../src/index.js";
import { ask, zarrPythonSelections } from "../setup/python.js";
import { decodeStore, encodeStore } from "./wazarr.js";

const SHAPE = [13, 9, 11];
const COUNT = 13 * 9 * 11;
const READS = 60;
const WRITES = 12;

type Selected =
  | { readonly kind: "crossings"; readonly entries: OrthogonalEntry[] }
  | { readonly kind: "points"; readonly entries: (number | number[])[] }
  | { readonly kind: "mask"; readonly entries: boolean[] };
type Written = Selected & { readonly shape: number[]; readonly value: number | number[] };

let state = 2024;
function below(end: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * end);
}

/**
 * Some of all numbers below `end`, each once, in any order: of several values for one element zarr-python may
 * write any.
 */
function some(end: number, most: number): number[] {
  const all = Array.from({ length: end }, (_, i) => i);
  return Array.from({ length: 1 + below(most) }, () => all.splice(below(all.length), 1)[0] ?? 0);
}

/** Everything that zarr-python takes: it has no negative steps. */
function entryOf(length: number, isOnce: boolean): OrthogonalEntry {
  switch (below(5)) {
    case 0:
      return null;
    case 1:
      return below(2 * length) - length;
    case 2:
      return slice(below(length), below(length + 1), 1 + below(3));
    case 3:
      return Array.from({ length }, () => below(2) === 1);
    default:
      return isOnce
        ? some(length, length - 1)
        : Array.from({ length: 1 + below(12) }, () => below(2 * length) - length);
  }
}

function selected(isOnce: boolean): Selected {
  const kind = below(4);
  if (kind === 0) return { kind: "mask", entries: Array.from({ length: COUNT }, () => below(9) === 0) };
  if (kind === 1) return { kind: "crossings", entries: SHAPE.map((length) => entryOf(length, isOnce)) };
  const [rows = 0, columns = 0, layers = 0] = SHAPE;
  const places = isOnce ? some(COUNT, 60) : Array.from({ length: 1 + below(60) }, () => below(COUNT));
  const isFromEnd = below(2) === 1;
  const counted = (index: number, length: number): number => (isFromEnd ? index - length : index);
  const coordinates = [
    places.map((place) => counted(Math.floor(place / columns / layers), rows)),
    places.map((place) => counted(Math.floor(place / layers) % columns, columns)),
    places.map((place) => counted(place % layers, layers)),
  ];
  return { kind: "points", entries: coordinates };
}

function read(array: Parameters<typeof getOrthogonal<"int32", MapStore>>[0], { kind, entries }: Selected) {
  if (kind === "crossings") return getOrthogonal(array, entries);
  return getCoordinates(array, kind === "mask" ? { data: entries, shape: SHAPE } : entries);
}

async function write(
  array: Parameters<typeof setOrthogonal<"int32", MapStore>>[0],
  { kind, entries, shape, value }: Written,
): Promise<void> {
  const given = typeof value === "number" ? value : { data: value, shape };
  if (kind === "crossings") return setOrthogonal(array, entries, given);
  return setCoordinates(array, kind === "mask" ? { data: entries, shape: SHAPE } : entries, given);
}

type MapStore = Map<string, Uint8Array>;

const layouts = {
  "v3, zstd": { chunkShape: [4, 5, 3], codecs: ["zstd"] },
  "v3, shards": { chunkShape: [2, 5, 3], shards: [8, 5, 9] },
  "v2, F order": { chunkShape: [4, 4, 4], zarrFormat: 2, order: "F" },
} as const;

const implementation = zarrPythonSelections();

describe.each(Object.entries(layouts))("%s", (_, layout) => {
  it.skipIf(implementation.executable === undefined)(
    "lists, masks, slices, integers and coordinates select what they do in zarr-python",
    async () => {
      const store: MapStore = new Map();
      const wanted = Array.from({ length: READS }, () => selected(false));
      const attributes = JSON.parse(JSON.stringify({ selections: wanted }));
      const options = { shape: SHAPE, dtype: "int32", fillValue: 5, attributes, ...layout } as const;
      const array = await create(store, options);
      const zarr_format = "zarrFormat" in layout ? layout.zarrFormat : 3;
      const documents = Object.fromEntries(
        [...store].map(([key, value]) => [key.slice(1), JSON.parse(new TextDecoder().decode(value))]),
      );
      const region = [slice(2, 9), slice(1, 7), null];
      await set(array, region, {
        data: Int32Array.from({ length: 7 * 6 * 11 }, (_, i) => i),
        shape: [7, 6, 11],
      });
      const writes: Written[] = [];
      for (let i = 0; i < WRITES; i++) {
        const where = selected(true);
        const { shape, data } = await read(array, where);
        const value = i % 3 === 0 ? 5 : Array.from({ length: data.length }, () => below(1000));
        writes.push({ ...where, shape, value });
      }
      const first: Written = {
        kind: "crossings",
        entries: region,
        shape: [7, 6, 11],
        value: Array.from({ length: 7 * 6 * 11 }, (_, i) => i),
      };
      for (const each of writes) await write(array, each);
      const answers = await ask(implementation, {
        write: [{ documents, zarr_format, writes: [first, ...writes] }],
        read: [{ store: encodeStore(store), path: "/", zarr_format }],
      });
      const [answer] = answers.read;
      if (answer === undefined || "error" in answer) throw new Error(answer?.error);
      const expected: { shape: number[]; data: number[] }[] = JSON.parse(answer.data);
      expect(expected).toHaveLength(READS);
      for (const [i, selection] of wanted.entries()) {
        const { shape, data } = await read(array, selection);
        expect({ shape, data: Array.from(data) }, JSON.stringify(selection)).toEqual(expected[i]);
      }

      const [written] = answers.write;
      if (written === undefined || "error" in written) throw new Error(written?.error);
      const theirs = decodeStore(written.store);
      const everything: Selected = { kind: "crossings", entries: [null, null, null] };
      const other = await open(theirs, { kind: "array" });
      if (!other.is("int32")) throw new Error(`expected int32, got ${other.dtype}`);
      expect((await read(other, everything)).data).toEqual((await read(array, everything)).data);
      expect([...theirs.keys()].sort()).toEqual([...store.keys()].sort());
    },
  );
});
