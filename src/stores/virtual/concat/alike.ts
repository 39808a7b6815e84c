/** Decides which differences between files are allowed when they are joined. */
import {
  at,
  isJsonObject,
  type Json,
  type JsonObject,
  StoreError,
  stringifyJson,
} from "../../../core/for-stores.js";
import { joined } from "../file-bytes.js";
import type { VirtualArray, VirtualNode } from "../port.js";
import { withFillInBase64 } from "../references.js";
import type { VirtualStore } from "../virtual-store.js";
import { numbersOf } from "./documents.js";

/** A node of one of the files. */
export interface Part<Node extends VirtualNode> {
  readonly store: VirtualStore;
  readonly node: Node;
}

export interface Joining {
  readonly dimension: string;
  /** Tells of a difference that does not matter to the elements. */
  readonly tell: (store: VirtualStore, path: string, message: string) => void;
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
/** Members of documents: how elements are stored, and what they are. */
export const STORAGE = ["chunk_grid", "codecs"];
export const ELEMENTS = ["data_type", "fill_value", "dimension_names"];

/** @throws StoreError for what makes two arrays different arrays */
export function checkAlike(
  store: VirtualStore,
  path: string,
  members: readonly string[],
  expected: JsonObject,
  found: JsonObject,
): void {
  for (const member of members) expectSame(store, path, member, expected[member], found[member]);
  // As an index has them.
  const [first, other] = [withFillInBase64(expected).attributes, withFillInBase64(found).attributes];
  if (!isJsonObject(first) || !isJsonObject(other)) return;
  for (const member of MEANING) expectSame(store, path, `attribute ${member}`, first[member], other[member]);
}

/** Tells which attributes differ from those of the first file, which are kept. */
export function tellAttributes(
  parts: readonly { readonly store: VirtualStore }[],
  documents: readonly JsonObject[],
  { tell }: Joining,
  path: string,
): void {
  const attributesOf = (document: JsonObject): JsonObject => {
    const { attributes } = withFillInBase64(document);
    return isJsonObject(attributes) ? attributes : {};
  };
  const first = attributesOf(at(documents, 0));
  for (const [i, document] of documents.entries()) {
    const found = attributesOf(document);
    const names = new Set([...Object.keys(first), ...Object.keys(found)]);
    const others = [...names].filter((name) => textOf(first[name]) !== textOf(found[name]));
    for (const name of others)
      tell(
        at(parts, i).store,
        path,
        `attribute ${name} is ${textOf(found[name])}, and ${textOf(first[name])} in the first file, which is kept`,
      );
  }
}

const textOf = (value: Json | undefined): string =>
  value === undefined ? "none" : stringifyJson(value).slice(0, 200);

export function areAlike(documents: readonly JsonObject[], members: readonly string[]): boolean {
  const texts = documents.map((document) => stringifyJson(members.map((member) => document[member] ?? null)));
  return texts.every((text) => text === texts[0]);
}

export function expectSame(
  store: VirtualStore,
  path: string,
  what: string,
  expected?: Json,
  found?: Json,
): void {
  const [first, other] = [textOf(expected), textOf(found)];
  if (first !== other)
    throw refusal(store, path, `${what}: expected ${first} as in the first file, got ${other}`);
}

/** @throws StoreError for another shape, or other elements */
export async function checkSame(
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

export function refusal(store: VirtualStore, path: string, message: string): StoreError {
  return new StoreError(`${store.file.name}, ${path}: ${message}`);
}
