/** Ranges of one value that are wanted at the same time, and stand near each other, in one request. */
import { onAbort } from "../abort.js";
import { StoreError } from "../errors.js";
import { readRange } from "./capabilities.js";
import { type Extent, mergeExtents } from "./keys-and-ranges.js";
import { Waiters } from "./request-queue.js";
import type { AbsolutePath, Readable, StoreOptions } from "./store.js";

/** 64 KiB: less than a round trip costs on most networks. */
export const MAXIMUM_GAP = 64 << 10;
/** Longer ranges gain nothing, and are better read side by side. */
const MERGING = { maximumGap: MAXIMUM_GAP, maximumSize: 1 << 20 };

/**
 * What may come in place of a part, from a server that ignores `Range` and sends all of the file: nobody knows how long a file is, nor that
 * it ends.
 */
const MOST_IN_PLACE = 256 << 20;

/** Of a read of so many bytes, for `maximumBytes`. */
export const boundOfPart = (byteLength: number): number => Math.max(MOST_IN_PLACE, byteLength);

type ReadOptions = Pick<StoreOptions, "signal" | "priority">;

interface Wanted extends Extent, ReadOptions {
  readonly resolve: (bytes: Uint8Array | Promise<Uint8Array>) => void;
}

export class MergedReads {
  readonly #source: Readable;
  readonly #key: AbsolutePath;
  #wanted: Wanted[] = [];

  constructor(source: Readable, key: AbsolutePath) {
    this.#source = source;
    this.#key = key;
  }

  /** Exactly these bytes, in a request of their own. @throws StoreError when the value is shorter */
  async readAlone({ offset, length }: Extent, { signal, priority }: ReadOptions = {}): Promise<Uint8Array> {
    const options = { signal, priority, maximumBytes: boundOfPart(length) };
    const bytes = await readRange(this.#source, this.#key, { offset, length }, options);
    if (bytes?.byteLength === length) return bytes;
    throw new StoreError(
      `expected ${length} bytes at byte ${offset}, got ${bytes?.byteLength ?? "none"}: the file is truncated, or another`,
    );
  }

  /** Exactly these bytes, together with what else is asked for in this turn of the event loop. @throws as `readAlone` */
  read({ offset, length }: Extent, { signal, priority }: ReadOptions): Promise<Uint8Array> {
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
