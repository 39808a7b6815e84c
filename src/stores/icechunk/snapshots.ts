/**
 * Icechunk's references (branches and tags), snapshots (all nodes of the hierarchy at one commit) and
 * manifests (places of chunks).
 */
import { at } from "../../at.js";
import { describe, NotFoundError, StoreError, UnsupportedError } from "../../errors.js";
import { isJsonObject } from "../../metadata/json.js";
import { checkBytes } from "../check-store.js";
import type { AddressedValue } from "../file-ranges.js";
import type { AbsolutePath, Readable, StoreOptions } from "../store.js";
import { checked, nameOfId, readTable } from "./files.js";
import { type List, OutOfBounds, type Table } from "./flatbuffer.js";

const ID_LENGTH = 12;
const NODE_ID_LENGTH = 8;
/** Largest ref.json in bytes. It has only one id. */
const LONGEST_REFERENCE = 1 << 20;
/** Type tag of an array in the union of a node's data. */
const ARRAY = 1;
/**
 * Largest number of nodes of a snapshot, and of manifests of one array: zstd could make a file of some
 * kilobytes that lists more.
 */
const MOST_NODES = 1_000_000;
const MOST_MANIFESTS = 1_000_000;

/**
 * A node of a snapshot. All but its path is read from the snapshot's flatbuffer when it is needed: there may
 * be many nodes.
 */
export class Node {
  readonly path: AbsolutePath;
  readonly kind: "array" | "group";
  readonly #key: AbsolutePath;
  readonly #table: Table;
  #array: NodeArray | undefined;

  /** @param key key of the snapshot's file, for errors @throws OutOfBounds for a damaged node */
  constructor(key: AbsolutePath, table: Table) {
    const path = required(table.text(1));
    if (!isPath(path)) throw new OutOfBounds(`a path ${describe(path)}`);
    this.path = path;
    this.kind = table.uint8(3) === ARRAY ? "array" : "group";
    this.#key = key;
    this.#table = table;
    for (const member of [table.table(4), table.struct(0, NODE_ID_LENGTH), table.bytes(2)]) required(member);
  }

  get id(): Uint8Array {
    return required(this.#table.struct(0, NODE_ID_LENGTH));
  }

  /** Bytes of the node's zarr.json. */
  get document(): Uint8Array {
    return required(this.#table.bytes(2));
  }

  /** Undefined for a group. @throws StoreError for damaged lists of manifests */
  get array(): NodeArray | undefined {
    if (this.kind === "group") return undefined;
    this.#array ??= checked(this.#key, "snapshot", () => {
      this.#table.begin();
      return arrayOf(required(this.#table.table(4)));
    });
    return this.#array;
  }
}

interface NodeArray {
  readonly rank: number;
  readonly manifests: readonly ManifestRef[];
}

/**
 * A manifest and the range of the array's chunk indices that it covers, per dimension: `from` inclusive, `to`
 * exclusive.
 */
interface ManifestRef {
  readonly id: string;
  readonly extents: readonly (readonly [from: number, to: number])[];
}

/** The revision to read: a branch, a tag or a snapshot. Default: the branch "main". */
export interface Revision {
  readonly branch?: string | undefined;
  readonly tag?: string | undefined;
  /** The id of the snapshot, which is its file name: 20 letters and digits. */
  readonly snapshot?: string | undefined;
}

/**
 * @returns the id of a revision's snapshot
 * @throws NotFoundError when the repository, branch or tag does not exist
 */
export async function findSnapshot(
  store: Readable,
  { branch, tag, snapshot }: Revision,
  options?: StoreOptions,
): Promise<string> {
  if (snapshot !== undefined) return snapshot;
  const name = tag ?? branch ?? "main";
  const kind = tag === undefined ? "branch" : "tag";
  // Version 2 stores all references in one file, version 1 stores a file for each. The version is unknown
  // here, so request both.
  const read = async (key: AbsolutePath) =>
    checkBytes(await store.get(key, { ...options, maximumBytes: LONGEST_REFERENCE }), key);
  const [known, reference, deleted] = await Promise.all([
    readTable(store, "/repo", "repository", options, (table) => refOf(table, kind, name)),
    read(`/refs/${kind}.${storedName(name)}/ref.json`),
    kind === "tag" ? read(`/refs/tag.${storedName(name)}/ref.json.deleted`) : undefined,
  ]);
  const id = known?.id ?? (known || deleted || !reference ? undefined : idInReference(reference));
  if (id !== undefined) return id;
  const hint = known && `; there are ${known.names.slice(0, 20).join(", ") || "none"}`;
  throw new NotFoundError(`no ${kind} "${name}" of an Icechunk repository here${hint ?? ""}`);
}

/** The name in keys of version 1: percent-encoded as by the Rust crate object_store, which keeps spaces. */
function storedName(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => {
    const character = String.fromCharCode(byte);
    const isKept = byte >= 0x20 && byte < 0x7f && !'/\\{^}%`]">[~<#|*?'.includes(character);
    return isKept ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

function refOf(repository: Table, kind: "branch" | "tag", wanted: string): { id?: string; names: string[] } {
  const refs = repository.tables(kind === "tag" ? 1 : 2);
  const names: string[] = [];
  for (let i = 0; i < refs.length; i++) {
    const ref = refs.at(i);
    const name = ref.text(0) ?? "";
    names.push(name);
    if (name !== wanted) continue;
    return { id: nameOfId(required(repository.tables(4).at(ref.uint32(1)).struct(0, ID_LENGTH))), names };
  }
  return { names };
}

function idInReference(bytes: Uint8Array): string {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new StoreError("a damaged reference of an Icechunk repository: expected JSON", { cause });
  }
  if (isJsonObject(json) && typeof json.snapshot === "string") return json.snapshot;
  throw new StoreError('a damaged reference of an Icechunk repository: expected {"snapshot": ...}');
}

/** Reads all nodes of a snapshot. @throws NotFoundError for a missing snapshot, StoreError for a damaged one */
export async function readSnapshot(
  store: Readable,
  id: string,
  options?: StoreOptions,
): Promise<readonly Node[]> {
  const key: AbsolutePath = `/snapshots/${id}`;
  const nodes = await readTable(store, key, "snapshot", options, (table) =>
    atMost(MOST_NODES, table.tables(2), "nodes").map((node) => new Node(key, node)),
  );
  if (nodes !== undefined) return nodes;
  throw new NotFoundError(`no snapshot "${id}" of an Icechunk repository here`);
}

function arrayOf(data: Table): NodeArray {
  return {
    // Version 1 lists dimensions in field 0. Version 2 lists them in field 3 and leaves field 0 empty.
    rank: Math.max(data.structs(0, 16).length, data.tables(3).length),
    manifests: atMost(MOST_MANIFESTS, data.tables(2), "manifests of an array").map((manifest) => ({
      id: nameOfId(required(manifest.struct(0, ID_LENGTH))),
      extents: manifest.structs(1, 8).map((extent) => {
        const view = new DataView(extent.slice().buffer);
        return [view.getUint32(0, true), view.getUint32(4, true)] as const;
      }),
    })),
  };
}

function atMost(most: number, list: List<Table>, what: string): List<Table> {
  if (list.length > most) throw new OutOfBounds(`expected at most ${most} ${what}, got ${list.length}`);
  return list;
}

const isPath = (path: string): path is AbsolutePath => path.startsWith("/");

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new OutOfBounds("a member is missing");
  return value;
}

// Manifests map chunks to places. They are searched in their flatbuffers, without decoding all of their possibly millions of entries.

export class Manifest {
  readonly byteLength: number;
  readonly #key: AbsolutePath;
  readonly #table: Table;

  /** @param key key of the manifest's file, for errors */
  constructor(key: AbsolutePath, table: Table) {
    this.byteLength = table.byteLength;
    this.#key = key;
    this.#table = table;
  }

  /** Finds a chunk. @param node id of the array's node @param chunk indices @param key key of the chunk, for errors @throws StoreError */
  find(node: Uint8Array, chunk: readonly number[], key: AbsolutePath): AddressedValue | undefined {
    return checked(this.#key, "manifest", () => {
      this.#table.begin();
      const refs = this.#refsOf(node);
      const ref = refs && search(refs, (each) => compareLists(each.uint32s(0), chunk));
      return ref && chunkPlaceOf(ref, key);
    });
  }

  /** Lists the indices of an array's chunks in this manifest. @throws StoreError */
  chunks(node: Uint8Array): readonly (readonly number[])[] {
    return checked(this.#key, "manifest", () => {
      this.#table.begin();
      const refs = this.#refsOf(node);
      return refs?.map((ref) => ref.uint32s(0).map((index) => index)) ?? [];
    });
  }

  #refsOf(node: Uint8Array): List<Table> | undefined {
    const idOf = (array: Table): Uint8Array => required(array.struct(0, node.length));
    return search(this.#table.tables(1), (array) => compareBytes(idOf(array), node))?.tables(1);
  }
}

/** @throws StoreError for a missing or damaged manifest */
export async function readManifest(store: Readable, id: string, options?: StoreOptions): Promise<Manifest> {
  const key: AbsolutePath = `/manifests/${id}`;
  const manifest = await readTable(store, key, "manifest", options, (table) => new Manifest(key, table));
  if (manifest !== undefined) return manifest;
  throw new StoreError(`no manifest "${id}": the repository is damaged`, { key });
}

function chunkPlaceOf(ref: Table, key: AbsolutePath): AddressedValue {
  const inline = ref.bytes(1);
  if (inline !== undefined) return inline;
  const extent = { offset: ref.uint64(2), length: ref.uint64(3) };
  const id = ref.struct(4, ID_LENGTH);
  if (id !== undefined) return { address: `/chunks/${nameOfId(id)}`, extent };
  if (ref.bytes(8) !== undefined) {
    throw new UnsupportedError(
      "expected the address of a virtual chunk as it is, got one compressed with a zstd dictionary",
      { key },
    );
  }
  return { address: required(ref.text(5)), extent };
}

/** Binary search in an ascending list: returns the element for which `compare` returns 0. */
function search(list: List<Table>, compare: (element: Table) => number): Table | undefined {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const element = list.at(middle);
    const order = compare(element);
    if (order === 0) return element;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, i) => byte !== other[i]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function compareLists(one: List<number>, other: readonly number[]): number {
  for (let d = 0; d < Math.min(one.length, other.length); d++) {
    const difference = one.at(d) - at(other, d);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
