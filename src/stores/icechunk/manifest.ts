/** Manifests: where each chunk of an array is. Looked up where they stand, since a manifest may have millions of entries. */
import { StoreError, UnsupportedError } from "../../errors.js";
import type { AbsolutePath, Readable, StoreOptions } from "../store.js";
import { checked, nameOfId, readTable } from "./files.js";
import type { List, Table } from "./flatbuffers.js";
import { required } from "./snapshot.js";

const ID_LENGTH = 12;

/** The bytes of a chunk, or where they are. */
export type ChunkPlace =
  | { readonly inline: Uint8Array }
  | {
      /** In the repository, by the name of a chunk file; or at an address somewhere else. */
      readonly file: { readonly id: string } | { readonly address: string };
      readonly offset: number;
      readonly length: number;
    };

export class Manifest {
  readonly byteLength: number;
  readonly #key: AbsolutePath;
  readonly #table: Table;

  /** @param key of the manifest's file */
  constructor(key: AbsolutePath, table: Table) {
    this.byteLength = table.byteLength;
    this.#key = key;
    this.#table = table;
  }

  /** @param node id of the array's node @param key of the chunk, for errors @throws StoreError */
  find(node: Uint8Array, chunk: readonly number[], key: AbsolutePath): ChunkPlace | undefined {
    return checked(this.#key, "manifest", () => {
      const refs = this.#refsOf(node);
      const index = refs && search(refs.length, (i) => compareLists(refs.at(i).uint32s(0), chunk));
      return index === undefined ? undefined : placeOf(required(refs?.at(index)), key);
    });
  }

  /** The chunks of an array that it has. @throws StoreError */
  chunks(node: Uint8Array): readonly (readonly number[])[] {
    return checked(this.#key, "manifest", () => {
      const refs = this.#refsOf(node);
      return Array.from({ length: refs?.length ?? 0 }, (_, i) => {
        const index = required(refs?.at(i)).uint32s(0);
        return Array.from({ length: index.length }, (__, d) => index.at(d));
      });
    });
  }

  #refsOf(node: Uint8Array): List<Table> | undefined {
    const arrays = this.#table.tables(1);
    const idOf = (i: number): Uint8Array => required(arrays.at(i).struct(0, node.length));
    const array = search(arrays.length, (i) => compareBytes(idOf(i), node));
    return array === undefined ? undefined : arrays.at(array).tables(1);
  }
}

/** @throws StoreError, also where there is none */
export async function readManifest(store: Readable, id: string, options?: StoreOptions): Promise<Manifest> {
  const key: AbsolutePath = `/manifests/${id}`;
  const manifest = await readTable(store, key, "manifest", options, (table) => new Manifest(key, table));
  if (manifest !== undefined) return manifest;
  throw new StoreError(`no manifest "${id}": the repository is damaged`, { key });
}

function placeOf(ref: Table, key: AbsolutePath): ChunkPlace {
  const inline = ref.bytes(1);
  if (inline !== undefined) return { inline };
  const [offset, length] = [ref.uint64(2), ref.uint64(3)];
  const id = ref.struct(4, ID_LENGTH);
  if (id !== undefined) return { file: { id: nameOfId(id) }, offset, length };
  if (ref.bytes(8) !== undefined) {
    throw new UnsupportedError(
      "expected the address of a virtual chunk as it is, got one compressed with a zstd dictionary",
      { key },
    );
  }
  return { file: { address: required(ref.text(5)) }, offset, length };
}

/** The place of what compares as 0, in ascending order. */
function search(length: number, compare: (index: number) => number): number | undefined {
  let [low, high] = [0, length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compare(middle);
    if (order === 0) return middle;
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
    const difference = one.at(d) - (other[d] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
