/** Arrays of several files as one: along a dimension that they have, gathered, or as steps of a new one. */
import { at, isJsonArray, type Json, type JsonObject, stringifyJson } from "../../../core/for-stores.js";
import { get, open, root } from "../../../index.js";
import type { VirtualArray, VirtualChunk } from "../port.js";
import type { VirtualStore } from "../virtual-store.js";
import { type Part, refusal } from "./alike.js";
import { chunkShapeOf, namesOf, numbersOf } from "./documents.js";

/** Most bytes of a coordinate that is read and joined. */
const LONGEST_GATHERED = 16 << 20;

/** @throws StoreError for an array whose chunks do not all have the same shape, and for a damaged document */
export function checkGrid(store: VirtualStore, path: string, document: JsonObject): void {
  const { shape: json } = document;
  const [shape, chunk] = [numbersOf(json), chunkShapeOf(document)];
  const isShape = isJsonArray(json) && shape.length === json.length && shape.every((each) => each >= 0);
  const isGrid = chunk.length === shape.length && chunk.every((each) => each >= 1);
  const isNamed = [0, shape.length].includes(namesOf(document).length);
  if (isShape && isGrid && isNamed && [...shape, ...chunk].every(Number.isSafeInteger)) return;
  throw refusal(store, path, "expected chunks of one shape: only such arrays can be joined");
}

export function alongAxis(
  parts: readonly Part<VirtualArray>[],
  documents: readonly JsonObject[],
  axis: number,
  path: string,
): VirtualArray {
  const document = at(documents, 0);
  const shapes = documents.map((each) => numbersOf(each.shape));
  const first = at(shapes, 0);
  const size = at(chunkShapeOf(document), axis);
  /** The first chunk of each file. */
  const starts: number[] = [];
  let length = 0;
  for (const [i, shape] of shapes.entries()) {
    const { store } = at(parts, i);
    if (shape.some((extent, d) => d !== axis && extent !== first[d]))
      throw refusal(
        store,
        path,
        `expected the shape [${first.join(", ")}] but for dimension ${axis}, got [${shape.join(", ")}]`,
      );
    const extent = at(shape, axis);
    if (i < shapes.length - 1 && extent % size !== 0)
      throw refusal(
        store,
        path,
        `its ${extent} elements along dimension ${axis} are no multiple of its chunks of ${size}, so no further file can follow`,
      );
    starts.push(length / size);
    length += extent;
  }
  /** The last file that begins at this chunk or before. */
  const find = (chunk: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (at(starts, middle) <= chunk) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    kind: "array",
    document: async () => ({ ...document, shape: first.map((extent, d) => (d === axis ? length : extent)) }),
    async chunk(coordinates) {
      const chunk = coordinates[axis] ?? -1;
      if (chunk < 0 || chunk * size >= length) return undefined;
      const file = find(chunk);
      const fileCoordinates = coordinates.map((each, d) => (d === axis ? chunk - at(starts, file) : each));
      return inFile(at(parts, file), fileCoordinates);
    },
    async *chunks() {
      for (const [i, { node }] of parts.entries())
        for await (const each of node.chunks())
          yield each.map((coordinate, d) => (d === axis ? coordinate + at(starts, i) : coordinate));
    },
  };
}

/** Whether the files but the last end with a whole chunk, along the first dimension. */
export function endWhole(documents: readonly JsonObject[]): boolean {
  const size = at(chunkShapeOf(at(documents, 0)), 0);
  return documents.slice(0, -1).every(({ shape }) => at(numbersOf(shape), 0) % size === 0);
}

/**
 * A coordinate whose chunks do not end where the files do, as those of an unlimited dimension seldom do: its
 * elements are read, and are one chunk.
 */
export function gathered(
  parts: readonly Part<VirtualArray>[],
  documents: readonly JsonObject[],
  path: string,
): VirtualArray {
  const document = at(documents, 0);
  const length = documents.reduce((sum, { shape }) => sum + at(numbersOf(shape), 0), 0);
  if (8 * length > LONGEST_GATHERED)
    throw refusal(
      at(parts, 0).store,
      path,
      `its chunks do not end where the file does, and ${length} elements are too many to gather`,
    );
  const read = async (): Promise<VirtualChunk> => {
    const all = await Promise.all(parts.map(({ store }) => elementsOf(store, path)));
    return { parts: all };
  };
  let known: Promise<VirtualChunk> | undefined;
  return {
    kind: "array",
    document: async () => ({
      ...document,
      shape: [length],
      chunk_grid: { name: "regular", configuration: { chunk_shape: [Math.max(1, length)] } },
      codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    }),
    async chunk([index]) {
      if (index !== 0 || length === 0) return undefined;
      known ??= read().catch((error: unknown) => {
        known = undefined;
        throw error;
      });
      return known;
    },
    async *chunks() {
      if (length > 0) yield [0];
    },
  };
}

/** The elements of an array of numbers, little-endian. */
async function elementsOf(store: VirtualStore, path: string): Promise<Uint8Array> {
  const array = await open(root(store).resolve(path), { kind: "array" });
  const { data }: { readonly data: unknown } = await get(array, null);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw refusal(
    store,
    path,
    `its chunks do not end where the file does, and elements of ${array.dtype} are not gathered`,
  );
}

/** Whether an array is one step of a dimension that comes first in the array with these dimensions. */
export function isStep(document: JsonObject, names: readonly Json[], dimension: string): boolean {
  return names[0] === dimension && stringifyJson(namedDimensions(document)) === stringifyJson(names.slice(1));
}

export function stepOf(
  { store, node }: Part<VirtualArray>,
  document: JsonObject,
  dimension: string,
): Part<VirtualArray> {
  const step: VirtualArray = {
    kind: "array",
    document: async () => ({
      ...document,
      shape: [1, ...numbersOf(document.shape)],
      chunk_grid: { name: "regular", configuration: { chunk_shape: [1, ...chunkShapeOf(document)] } },
      dimension_names: [dimension, ...namedDimensions(document)],
    }),
    chunk: async ([first, ...coordinates]) => (first === 0 ? node.chunk(coordinates) : undefined),
    async *chunks() {
      for await (const each of node.chunks()) yield [0, ...each];
    },
  };
  return { store, node: step };
}

/** A name or null for each dimension. */
function namedDimensions(document: JsonObject): Json[] {
  return numbersOf(document.shape).map((_, d) => namesOf(document)[d] ?? null);
}

/** The chunk of one of the files, which knows its file. */
async function inFile(
  { store, node }: Part<VirtualArray>,
  coordinates: readonly number[],
): Promise<VirtualChunk | undefined> {
  const chunk = await node.chunk(coordinates);
  return chunk && { file: store.file, ...chunk };
}
