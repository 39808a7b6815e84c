/**
 * The bytes of an archive in few requests: those at its end are kept, ranges that are wanted at the same time are merged, and documents
 * come with the documents around them.
 */
import { onAbort, untilAborted } from "../../abort.js";
import { readRange } from "../capabilities.js";
import { type Extent, mergeExtents } from "../keys-and-ranges.js";
import { type Priority, Waiters } from "../priority.js";
import type { AbsolutePath, Readable, StoreOptions } from "../store.js";
import { zipError } from "./records.js";

/** 64 KiB: less than a round trip costs on most networks. */
const MAXIMUM_GAP = 64 << 10;
/** Longer values gain nothing, and are better read side by side. */
const MERGING = { maximumGap: MAXIMUM_GAP, maximumSize: 1 << 20 };
const DOCUMENTS = { maximumGap: MAXIMUM_GAP, maximumSize: 256 << 10 };
/** Pieces with documents that are kept. */
const MOST_PIECES = 8;

interface Wanted extends Extent, Pick<StoreOptions, "signal" | "priority"> {
  readonly resolve: (bytes: Uint8Array | Promise<Uint8Array>) => void;
}

export class ArchiveBytes {
  readonly #source: Readable;
  readonly #archive: AbsolutePath;
  #end: { readonly offset: number; readonly bytes: Uint8Array } | undefined;
  /** Where documents are, in ascending order. */
  #documents: readonly Extent[] = [];
  readonly #pieces = new Map<Extent, Promise<Uint8Array>>();
  #wanted: Wanted[] = [];

  constructor(source: Readable, archive: AbsolutePath) {
    this.#source = source;
    this.#archive = archive;
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
      () => this.#fromPiece(extent, priority) ?? this.#merge(extent, { signal, priority }),
    );
  }

  /** Exactly these bytes. */
  async readAlone({ offset, length }: Extent, options?: StoreOptions): Promise<Uint8Array> {
    const bytes = await readRange(this.#source, this.#archive, { offset, length }, options);
    if (bytes?.byteLength === length) return bytes;
    throw zipError(`expected ${length} bytes at byte ${offset}, got ${bytes?.byteLength ?? "none"}`);
  }

  #fromPiece({ offset, length }: Extent, priority: Priority | undefined): Promise<Uint8Array> | undefined {
    const piece = this.#documents.find((each) => offset < each.offset + each.length);
    if (!piece || piece.offset > offset || offset + length > piece.offset + piece.length) return undefined;
    let bytes = this.#pieces.get(piece);
    if (bytes === undefined) {
      // Whoever comes first must not take it away from the others by an abort.
      bytes = this.#merge(piece, { priority });
      bytes.catch(() => this.#pieces.delete(piece));
      this.#pieces.set(piece, bytes);
      for (const oldest of this.#pieces.keys()) {
        if (this.#pieces.size > MOST_PIECES) this.#pieces.delete(oldest);
      }
    }
    return bytes.then((all) => all.subarray(offset - piece.offset, offset - piece.offset + length));
  }

  /** Together with what else is asked for in this turn of the event loop. */
  #merge(
    { offset, length }: Extent,
    { signal, priority }: Pick<StoreOptions, "signal" | "priority">,
  ): Promise<Uint8Array> {
    return new Promise((resolve) => {
      if (this.#wanted.length === 0) queueMicrotask(() => this.#flush());
      this.#wanted.push({ offset, length, signal, priority, resolve });
    });
  }

  #flush(): void {
    const wanted = this.#wanted;
    this.#wanted = [];
    const { merged, place } = mergeExtents(wanted, MERGING);
    const answers = merged.map((extent, request) => {
      const all = wanted.filter((_, i) => place[i]?.request === request);
      return untilNobodyWaits(all, (options) => this.readAlone(extent, options));
    });
    for (const [i, { length, resolve }] of wanted.entries()) {
      const { request, start } = place[i] ?? { request: 0, start: 0 };
      const answer = answers[request];
      // Memory of its own, unless it is all: whoever keeps a value should not keep its neighbours.
      const isAll = merged[request]?.length === length;
      if (answer) resolve(isAll ? answer : answer.then((bytes) => bytes.slice(start, start + length)));
    }
  }
}

/**
 * Reads with a signal that aborts when all the others have: who leaves alone leaves the others what they wait for; and as urgently as the most
 * urgent of them.
 */
async function untilNobodyWaits<Result>(
  wanted: readonly Wanted[],
  read: (options: StoreOptions) => Promise<Result>,
): Promise<Result> {
  const waiters = new Waiters(undefined);
  const forget = wanted.map(({ signal, priority }) => {
    const leave = waiters.join(priority);
    const left = (): void => {
      if (leave()) waiters.abort(signal?.reason);
    };
    if (signal?.aborted) left();
    return signal && onAbort(signal, left);
  });
  return read(waiters).finally(() => {
    for (const each of forget) each?.();
  });
}

function partOf(bytes: Uint8Array, start: number, length: number): Uint8Array | undefined {
  return start >= 0 && start + length <= bytes.length ? bytes.subarray(start, start + length) : undefined;
}
