/**
 * The bytes of an archive in few requests: those at its end are kept, ranges that are wanted at the same time are merged, and documents
 * come with the documents around them.
 */
import { untilAborted } from "../../abort.js";
import { type Extent, mergeExtents } from "../keys-and-ranges.js";
import { MAXIMUM_GAP, MergedReads } from "../merged-reads.js";
import type { Priority } from "../priority.js";
import type { AbsolutePath, Readable, StoreOptions } from "../store.js";

const DOCUMENTS = { maximumGap: MAXIMUM_GAP, maximumSize: 256 << 10 };
/** Pieces with documents that are kept. */
const MOST_PIECES = 8;

export class ArchiveBytes {
  readonly #reads: MergedReads;
  #end: { readonly offset: number; readonly bytes: Uint8Array } | undefined;
  /** Where documents are, in ascending order. */
  #documents: readonly Extent[] = [];
  readonly #pieces = new Map<Extent, Promise<Uint8Array>>();

  constructor(source: Readable, archive: AbsolutePath) {
    this.#reads = new MergedReads(source, archive);
  }

  /** Keeps bytes of the archive, which are not read again. */
  keep(offset: number, bytes: Uint8Array): void {
    this.#end = { offset, bytes };
  }

  /** @param extents of entries that are documents: one that is read brings its neighbours */
  setDocuments(extents: readonly Extent[]): void {
    this.#documents = mergeExtents(extents, DOCUMENTS).merged;
  }

  /** @throws StoreError when the archive is shorter; the signal's reason */
  read(extent: Extent, options?: StoreOptions): Promise<Uint8Array> {
    const kept = this.#end && partOf(this.#end.bytes, extent.offset - this.#end.offset, extent.length);
    if (kept) return Promise.resolve(kept);
    const { signal, priority } = options ?? {};
    return untilAborted(
      signal,
      () => this.#fromPiece(extent, priority) ?? this.#reads.read(extent, { signal, priority }),
    );
  }

  /** Exactly these bytes, in a request of their own. */
  readAlone(extent: Extent, options?: StoreOptions): Promise<Uint8Array> {
    return this.#reads.readAlone(extent, options);
  }

  #fromPiece({ offset, length }: Extent, priority: Priority | undefined): Promise<Uint8Array> | undefined {
    const piece = this.#documents.find((each) => offset < each.offset + each.length);
    if (!piece || piece.offset > offset || offset + length > piece.offset + piece.length) return undefined;
    let bytes = this.#pieces.get(piece);
    if (bytes === undefined) {
      // Whoever comes first must not take it away from the others by an abort.
      bytes = this.#reads.read(piece, { priority });
      bytes.catch(() => this.#pieces.delete(piece));
      this.#pieces.set(piece, bytes);
      for (const oldest of this.#pieces.keys()) {
        if (this.#pieces.size > MOST_PIECES) this.#pieces.delete(oldest);
      }
    }
    return bytes.then((all) => all.subarray(offset - piece.offset, offset - piece.offset + length));
  }
}

function partOf(bytes: Uint8Array, start: number, length: number): Uint8Array | undefined {
  return start >= 0 && start + length <= bytes.length ? bytes.subarray(start, start + length) : undefined;
}
