/** The bytes of an archive, read in few requests. */
import {
  BoundedCache,
  type Extent,
  mergeExtents,
  type Priority,
  type StoreOptions,
  untilAborted,
} from "../../core/for-stores.js";
import { MAXIMUM_GAP, MergedReads } from "../file-ranges/file-ranges.js";

const DOCUMENTS = { maximumGap: MAXIMUM_GAP, maximumSize: 256 << 10 };
/** How many merged pieces with documents are cached. */
const MOST_PIECES = 8;

/**
 * Reads the bytes of an archive in few requests. It keeps the bytes at the archive's end, merges concurrent
 * ranges, and reads documents together with neighbouring documents.
 */
export class ArchiveBytes extends MergedReads {
  #end: { readonly offset: number; readonly bytes: Uint8Array } | undefined;
  /** Merged byte ranges of documents, in ascending order. */
  #documents: readonly Extent[] = [];
  readonly #pieces = new BoundedCache<Extent, Promise<Uint8Array>>({ entries: MOST_PIECES });

  /** Caches bytes of the archive at `offset`; reads within them need no request. */
  keep(offset: number, bytes: Uint8Array): void {
    this.#end = { offset, bytes };
  }

  /** @param extents byte ranges of documents; reading one reads its neighbours too */
  setDocuments(extents: readonly Extent[]): void {
    this.#documents = mergeExtents(extents, DOCUMENTS).merged;
  }

  /** @throws StoreError when the archive ends before the range does; the signal's reason */
  override read(extent: Extent, options?: StoreOptions): Promise<Uint8Array> {
    const tail = this.#end && sliceOf(this.#end.bytes, extent.offset - this.#end.offset, extent.length);
    if (tail) return Promise.resolve(tail);
    const { signal, priority } = options ?? {};
    return untilAborted(
      signal,
      () => this.#fromPiece(extent, priority) ?? super.read(extent, { signal, priority }),
    );
  }

  #fromPiece({ offset, length }: Extent, priority: Priority | undefined): Promise<Uint8Array> | undefined {
    const piece = this.#documents[firstIndex(this.#documents, (each) => offset < each.offset + each.length)];
    if (!piece || piece.offset > offset || offset + length > piece.offset + piece.length) return undefined;
    let bytes = this.#pieces.get(piece);
    if (bytes === undefined) {
      // No signal: all callers share this read, so the first caller's abort must not fail the others.
      bytes = super.read(piece, { priority });
      bytes.catch(() => this.#pieces.delete(piece));
      this.#pieces.set(piece, bytes);
    }
    return bytes.then((all) => all.subarray(offset - piece.offset, offset - piece.offset + length));
  }
}

function sliceOf(bytes: Uint8Array, start: number, length: number): Uint8Array | undefined {
  return start >= 0 && start + length <= bytes.length ? bytes.subarray(start, start + length) : undefined;
}

/** Index of the first item of which `is` holds; it holds of all after it. */
function firstIndex<Item>(items: readonly Item[], is: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && is(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
