/** Several files as one hierarchy: arrays that have a dimension are joined along it. */
import {
  at,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  StoreError,
  stringifyJson,
} from "../../core/for-stores.js";
import { get, open, root } from "../../index.js";
import { joined } from "./file-bytes.js";
import type { VirtualArray, VirtualChunk, VirtualGroup, VirtualNode } from "./port.js";
import { withFillInBase64 } from "./references.js";
import type { VirtualStore } from "./virtual-store.js";

/** A node of one of the files. */
interface Part<Node extends VirtualNode> {
  readonly store: VirtualStore;
  readonly node: Node;
}

/** Attributes that say what elements mean: files that differ in them cannot be one array. */
const MEANING = [
  "units",
  "calendar",
  "scale_factor",
  "add_offset",
  "_FillValue",
  "missing_value",
  "_Unsigned",
];
/** Longer arrays without the dimension are not compared element by element. */
const LONGEST_COMPARED = 4 << 20;
/** Most bytes of a coordinate that is read and joined. */
const LONGEST_GATHERED = 16 << 20;

/**
 * The root of the files together. Arrays that have the dimension are joined along it, in the order of the
 * files; an array that lacks it in a later file is one step of it. If no array of a group has it, each file
 * is one step of a new dimension, the first: arrays that are no coordinates get it, and the scalar array of
 * its name becomes its coordinate. Other arrays, such as grids, have to be the same in all files, and are
 * those of the first.
 */
export function concatenated(stores: readonly VirtualStore[], dimension: string): VirtualGroup {
  return joinGroups(
    stores.map((store) => ({ store, node: store.rootGroup })),
    dimension,
    "/",
  );
}

function joinGroups(parts: readonly Part<VirtualGroup>[], dimension: string, path: string): VirtualGroup {
  const first = at(parts, 0);
  let isNew: Promise<boolean> | undefined;

  /** Whether no array of the first file has the dimension. */
  async function hasNew(): Promise<boolean> {
    for (const name of await first.node.names()) {
      const child = await first.node.child(name);
      if (child?.kind === "array" && namesOf(await child.document()).includes(dimension)) return false;
    }
    return true;
  }

  return {
    kind: "group",
    document: () => first.node.document(),
    names: () => first.node.names(),
    async child(name) {
      const children = await Promise.all(
        parts.map(async ({ store, node }) => ({ store, node: await node.child(name) })),
      );
      const [head] = children;
      if (head?.node === undefined) return undefined;
      const own = `${path}${name}`;
      if (head.node.kind === "group")
        return joinGroups(
          children.map((part) => groupOf(part, own)),
          dimension,
          `${own}/`,
        );
      isNew ??= hasNew();
      return joinArrays(
        children.map((part) => arrayOf(part, own)),
        name,
        dimension,
        await isNew,
        own,
      );
    },
  };
}

type MaybePart = { readonly store: VirtualStore; readonly node: VirtualNode | undefined };

function groupOf({ store, node }: MaybePart, path: string): Part<VirtualGroup> {
  if (node?.kind === "group") return { store, node };
  throw refusal(store, path, `expected a group, found ${node === undefined ? "nothing" : "an array"}`);
}

function arrayOf({ store, node }: MaybePart, path: string): Part<VirtualArray> {
  if (node?.kind === "array") return { store, node };
  throw refusal(store, path, `expected an array, found ${node === undefined ? "nothing" : "a group"}`);
}

async function joinArrays(
  found: readonly Part<VirtualArray>[],
  name: string,
  dimension: string,
  isNew: boolean,
  path: string,
): Promise<VirtualArray> {
  const document = await at(found, 0).node.document();
  const names = namesOf(document);
  const parts = await Promise.all(
    found.map(async (part) => ((await isStep(part, names, dimension)) ? stepOf(part, dimension) : part)),
  );
  const documents = await Promise.all(parts.map(({ node }) => node.document()));
  const axis = names.indexOf(dimension);
  const isCoordinate = names.length === 1 && names[0] === name;
  // An index may have gathered its elements: how they are stored is then nothing that the files differ in.
  const isLine = axis >= 0 && names.length === 1;
  const members = isLine ? ELEMENTS : [...STORAGE, ...ELEMENTS];
  for (const [i, other] of documents.entries())
    checkAlike(at(parts, i).store, path, members, document, other);
  if (isLine && !(areAlike(documents, STORAGE) && endWhole(documents)))
    return gathered(parts, documents, path);
  if (axis >= 0) return alongAxis(parts, documents, axis, path);
  if (isNew && !isCoordinate) {
    for (const [i, each] of documents.entries())
      expectSame(at(parts, i).store, path, "shape", document.shape, each.shape);
    const steps = parts.map((part) => stepOf(part, dimension));
    return alongAxis(steps, await Promise.all(steps.map(({ node }) => node.document())), 0, path);
  }
  await checkSame(parts, documents, path);
  return at(parts, 0).node;
}

/** Members of documents: how elements are stored, and what they are. */
const STORAGE = ["chunk_grid", "codecs"];
const ELEMENTS = ["data_type", "fill_value", "dimension_names"];

/** @throws StoreError for what makes two arrays different arrays */
function checkAlike(
  store: VirtualStore,
  path: string,
  members: readonly string[],
  expected: JsonObject,
  found: JsonObject,
): void {
  for (const member of members) expectSame(store, path, member, expected[member], found[member]);
  // As an index has them.
  const [own, other] = [withFillInBase64(expected).attributes, withFillInBase64(found).attributes];
  if (!isJsonObject(own) || !isJsonObject(other)) return;
  for (const member of MEANING) expectSame(store, path, `attribute ${member}`, own[member], other[member]);
}

function areAlike(documents: readonly JsonObject[], members: readonly string[]): boolean {
  const texts = documents.map((document) => stringifyJson(members.map((member) => document[member] ?? null)));
  return texts.every((text) => text === texts[0]);
}

function expectSame(store: VirtualStore, path: string, what: string, expected?: Json, found?: Json): void {
  const text = (value: Json | undefined) =>
    value === undefined ? "none" : stringifyJson(value).slice(0, 200);
  if (text(expected) === text(found)) return;
  throw refusal(store, path, `${what}: expected ${text(expected)} as in the first file, got ${text(found)}`);
}

function alongAxis(
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
      const own = coordinates.map((each, d) => (d === axis ? chunk - at(starts, file) : each));
      return inFile(at(parts, file), own);
    },
    async *chunks() {
      for (const [i, { node }] of parts.entries())
        for await (const each of node.chunks())
          yield each.map((coordinate, d) => (d === axis ? coordinate + at(starts, i) : coordinate));
    },
  };
}

/** Whether the files but the last end with a whole chunk, along the first dimension. */
function endWhole(documents: readonly JsonObject[]): boolean {
  const size = at(chunkShapeOf(at(documents, 0)), 0);
  return documents.slice(0, -1).every(({ shape }) => at(numbersOf(shape), 0) % size === 0);
}

/**
 * A coordinate whose chunks do not end where the files do, as those of an unlimited dimension seldom do: its
 * elements are read, and are one chunk.
 */
function gathered(
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
async function isStep(
  { node }: Part<VirtualArray>,
  names: readonly Json[],
  dimension: string,
): Promise<boolean> {
  if (names[0] !== dimension) return false;
  const document = await node.document();
  return stringifyJson(namedDimensions(document)) === stringifyJson(names.slice(1));
}

function stepOf({ store, node }: Part<VirtualArray>, dimension: string): Part<VirtualArray> {
  const step: VirtualArray = {
    kind: "array",
    async document() {
      const document = await node.document();
      return {
        ...document,
        shape: [1, ...numbersOf(document.shape)],
        chunk_grid: { name: "regular", configuration: { chunk_shape: [1, ...chunkShapeOf(document)] } },
        dimension_names: [dimension, ...namedDimensions(document)],
      };
    },
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

/** @throws StoreError for another shape, or other elements */
async function checkSame(
  parts: readonly Part<VirtualArray>[],
  documents: readonly JsonObject[],
  path: string,
): Promise<void> {
  const first = at(parts, 0);
  const { shape } = at(documents, 0);
  for (const [i, { shape: other }] of documents.entries())
    expectSame(at(parts, i).store, path, "shape", shape, other);
  if (8 * numbersOf(shape).reduce((product, extent) => product * extent, 1) > LONGEST_COMPARED) return;
  const expected = await encoded(first);
  for (const part of parts.slice(1)) {
    const found = await encoded(part);
    if (found.length !== expected.length || found.some((byte, k) => byte !== expected[k]))
      throw refusal(part.store, path, "its elements are not those of the first file");
  }
}

async function encoded({ store, node }: Part<VirtualArray>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const coordinates of node.chunks()) {
    const chunk = await node.chunk(coordinates);
    if (chunk !== undefined) chunks.push(await store.bytesOf(chunk));
  }
  return joined(chunks);
}

function namesOf({ dimension_names: names }: JsonObject): readonly Json[] {
  return isJsonArray(names) ? names : [];
}

function numbersOf(json: Json | undefined): readonly number[] {
  return isJsonArray(json) ? json.filter((each) => typeof each === "number") : [];
}

function chunkShapeOf({ chunk_grid: grid }: JsonObject): readonly number[] {
  const configuration = isJsonObject(grid) ? grid.configuration : undefined;
  return isJsonObject(configuration) ? numbersOf(configuration.chunk_shape) : [];
}

function refusal(store: VirtualStore, path: string, message: string): StoreError {
  return new StoreError(`${store.file.name}, ${path}: ${message}`);
}
