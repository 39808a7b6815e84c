/**
 * Reads ranges of files that contain values: archives, and files that a document names by their addresses.
 * Concurrent reads of ranges that are near each other in one file are merged into one request.
 */

import {
  type AbsolutePath,
  askParts,
  at,
  type Extent,
  Gathering,
  mergeExtents,
  type Readable,
  readRange,
  StoreError,
  type StoreOptions,
  untilNobodyWaits,
} from "../../core/for-stores.js";
import { checkUnchanged, type FileState } from "./file-state.js";

/**
 * Bytes between two ranges that are merged. Reading 64 KiB takes less time than a round trip on most
 * networks.
 */
export const MAXIMUM_GAP = 64 << 10;
/** Merging requests of more than 1 MiB saves no time: concurrent requests are faster. */
const MERGING = { maximumGap: MAXIMUM_GAP, maximumSize: 1 << 20 };

/**
 * Most bytes to accept from a server that ignores `Range` and sends the whole file in place of a range. The
 * length of the file is unknown, and the response may be endless.
 */
const MOST_IN_PLACE = 256 << 20;

/** The option `maximumBytes` for a range of `byteLength` bytes. */
export const boundOfPart = (byteLength: number): number => Math.max(MOST_IN_PLACE, byteLength);

type ReadOptions = Pick<StoreOptions, "signal" | "priority" | "current">;

interface RangeRequest extends Extent, ReadOptions {
  readonly resolve: (bytes: Uint8Array | Promise<Uint8Array>) => void;
}

export class MergedReads {
  readonly #source: Readable;
  readonly #key: AbsolutePath;
  readonly #state: FileState | undefined;
  readonly #gathering = new Gathering<RangeRequest>((requests) => this.#request(requests));

  /** @param state that the file has to have when it is read */
  constructor(source: Readable, key: AbsolutePath, state?: FileState) {
    this.#source = source;
    this.#key = key;
    this.#state = state;
  }

  /** Reads exactly these bytes in a request of their own. @throws StoreError when the value is shorter */
  async readAlone(extent: Extent, options: ReadOptions = {}): Promise<Uint8Array> {
    return partOf(await this.#one(extent, options), extent, extent);
  }

  async #one(
    { offset, length }: Extent,
    { signal, priority, current }: ReadOptions,
  ): Promise<Uint8Array | undefined> {
    const options = { signal, priority, current, maximumBytes: boundOfPart(length) };
    const range = { offset, length };
    if (this.#state === undefined) return readRange(this.#source, this.#key, range, options);
    const found = await askParts(this.#source, this.#key, [range], options);
    if (found !== undefined) checkUnchanged(this.#state, found);
    return found?.parts[0];
  }

  /**
   * Reads exactly these bytes, merged with other reads of the same microtask turn unless `current` is set.
   * @throws as `readAlone`
   */
  read({ offset, length }: Extent, { signal, priority, current }: ReadOptions): Promise<Uint8Array> {
    if (current === true) return this.readAlone({ offset, length }, { signal, priority, current });
    return new Promise((resolve) => {
      this.#gathering.add({ offset, length, signal, priority, resolve });
    });
  }

  #request(requests: readonly RangeRequest[]): void {
    const { merged, place } = mergeExtents(requests, MERGING);
    const answers = merged.map((extent, request) => {
      const all = requests.filter((_, i) => at(place, i).request === request);
      return untilNobodyWaits(all, (options) => this.#one(extent, options));
    });
    for (const [i, each] of requests.entries()) {
      const { request } = at(place, i);
      const [answer, extent] = [answers[request], merged[request]];
      if (answer && extent) each.resolve(answer.then((bytes) => partOf(bytes, extent, each)));
    }
  }
}

/**
 * The bytes of a range in the answer to a request: a copy, unless the range is the whole request, since a
 * view would keep its neighbours in memory. If the file ends early, only the ranges beyond its end fail.
 * @throws StoreError
 */
function partOf(bytes: Uint8Array | undefined, request: Extent, { offset, length }: Extent): Uint8Array {
  const got = bytes?.byteLength ?? 0;
  const start = offset - request.offset;
  if (bytes && got <= request.length && start + length <= got)
    return got === length ? bytes : bytes.slice(start, start + length);
  const found = bytes && (got > request.length ? got : Math.max(0, got - start));
  throw new StoreError(
    `expected ${length} bytes at byte ${offset}, got ${found ?? "none"}: the file is truncated or was replaced`,
  );
}
