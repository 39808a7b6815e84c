/**
 * Icechunk's manifests, which map chunks to places. They are searched in their flatbuffers, without decoding
 * all of their possibly millions of entries.
 */
import {
  type AbsolutePath,
  at,
  isZarrError,
  type Kernels,
  loadKernels,
  loadZstdKernels,
  type Readable,
  retryWithMissing,
  StoreError,
  type StoreOptions,
  UnsupportedError,
} from "../../core/for-stores.js";
import type { AddressedValue } from "../file-ranges/addressed-files.js";
import type { FileState } from "../file-ranges/file-state.js";
import { decompressWith } from "./dictionary.js";
import { checked, ID_LENGTH, nameOfId, readTable } from "./files.js";
import { compareBytes, type List, OutOfBounds, required, search, type Table, UTF8 } from "./flatbuffer.js";

/** Longest compressed address of a virtual chunk in bytes, as in Icechunk itself. */
const LONGEST_ADDRESS = 1024;
/** What `compression_algorithm` says of addresses. */
const AS_THEY_ARE = 0;
const WITH_DICTIONARY = 1;

export class Manifest {
  readonly byteLength: number;
  readonly #key: AbsolutePath;
  readonly #table: Table;
  readonly #kernels: Kernels;

  /** @param key key of the manifest's file, for errors @param kernels with those of zstd */
  constructor(key: AbsolutePath, table: Table, kernels: Kernels) {
    this.byteLength = table.byteLength;
    this.#key = key;
    this.#table = table;
    this.#kernels = kernels;
  }

  /**
   * Finds a chunk. @param node id of the array's node @param chunk indices
   * @throws StoreError for a damaged manifest; UnsupportedError for a compression of addresses of later
   * versions
   */
  find(node: Uint8Array, chunk: readonly number[]): Promise<AddressedValue | undefined> {
    return retryWithMissing(this.#kernels, () =>
      checked(this.#key, "manifest", () => {
        this.#table.begin();
        const refs = this.#refsOf(node);
        const ref = refs && search(refs, (each) => compareLists(each.uint32s(0), chunk));
        return ref && this.#placeOf(ref);
      }),
    );
  }

  /** Lists the indices of an array's chunks in this manifest. @throws StoreError */
  chunks(node: Uint8Array): readonly (readonly number[])[] {
    return checked(this.#key, "manifest", () => {
      this.#table.begin();
      const refs = this.#refsOf(node);
      return refs?.map((ref) => ref.uint32s(0).map((index) => index)) ?? [];
    });
  }

  #placeOf(ref: Table): AddressedValue {
    const inline = ref.bytes(1);
    if (inline !== undefined) return inline;
    const extent = { offset: ref.uint64(2), length: ref.uint64(3) };
    const id = ref.struct(4, ID_LENGTH);
    if (id !== undefined) return { address: `/chunks/${nameOfId(id)}`, extent };
    const compressed = ref.bytes(8);
    const address = compressed ? this.#decompress(compressed) : required(ref.text(5));
    return { address, extent, state: stateOf(ref) };
  }

  #decompress(compressed: Uint8Array): string {
    const algorithm = this.#table.uint8(3, WITH_DICTIONARY);
    if (algorithm > WITH_DICTIONARY)
      throw new UnsupportedError(
        `expected addresses of virtual chunks that are plain or compressed with a dictionary, got compression ${algorithm}`,
        { key: this.#key },
      );
    const dictionary = this.#table.bytes(2);
    if (algorithm === AS_THEY_ARE || dictionary === undefined)
      throw new OutOfBounds("a compressed address without a dictionary");
    try {
      return UTF8.decode(decompressWith(dictionary, compressed, LONGEST_ADDRESS, this.#kernels));
    } catch (cause) {
      if (!isZarrError(cause, "CodecError")) throw cause;
      throw new StoreError(`a damaged manifest file of Icechunk: an address: ${cause.reason}`, {
        key: this.#key,
        cause,
      });
    }
  }

  #refsOf(node: Uint8Array): List<Table> | undefined {
    const idOf = (array: Table): Uint8Array => required(array.struct(0, node.length));
    return search(this.#table.tables(1), (array) => compareBytes(idOf(array), node))?.tables(1);
  }
}

/** @throws StoreError for a missing or damaged manifest */
export async function readManifest(store: Readable, id: string, options?: StoreOptions): Promise<Manifest> {
  const key: AbsolutePath = `/manifests/${id}`;
  const kernels = await loadKernels();
  await loadZstdKernels(kernels);
  const manifest = await readTable(
    store,
    key,
    "manifest",
    options,
    (table) => new Manifest(key, table, kernels),
  );
  if (manifest !== undefined) return manifest;
  throw new StoreError(`no manifest "${id}": the repository is damaged`, { key });
}

/** How the file of a virtual chunk was when the manifest was written, if that was noted. */
function stateOf(ref: Table): FileState | undefined {
  const etag = ref.text(6);
  if (etag !== undefined) return { etag };
  const seconds = ref.uint32(7);
  return seconds > 0 ? { modified: seconds * 1000 } : undefined;
}

function compareLists(one: List<number>, other: readonly number[]): number {
  for (let d = 0; d < Math.min(one.length, other.length); d++) {
    const difference = one.at(d) - at(other, d);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
