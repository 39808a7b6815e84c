/**
 * Merges requests: byte ranges of one value that are near each other and wanted at the same time become one
 * range. No other code merges requests.
 */
import { at } from "../../../base/at.js";
import { InvalidArgumentError } from "../../../base/errors.js";
import type { Extent } from "../keys-and-ranges.js";

/** How byte ranges of one value are merged into requests. */
export interface CoalesceOptions {
  /**
   * Ranges at most this many bytes apart are merged into one request, which also reads the bytes between
   * them.
   */
  readonly maximumGap: number;
  /** Largest length of a merged request in bytes; a single range may be longer. */
  readonly maximumSize: number;
}

/**
 * Gap of 32 KiB: reading it takes less time than a round trip on any network, and it is small compared with
 * inner chunks. Size of 5 MiB: large enough to hide the latency of a request, small enough for several
 * concurrent requests in little memory. A band of 4 MiB fits, even if encoding makes it longer.
 */
export const DEFAULT_COALESCING: CoalesceOptions = { maximumGap: 32 << 10, maximumSize: 5 << 20 };

/** Adds the defaults to the given options. @throws InvalidArgumentError for a negative size or NaN */
export function coalescing(options: Partial<CoalesceOptions> | undefined): CoalesceOptions {
  const { maximumGap, maximumSize } = { ...DEFAULT_COALESCING, ...options };
  if (maximumGap >= 0 && maximumSize >= 0) return { maximumGap, maximumSize };
  throw new InvalidArgumentError(
    `coalesce: expected sizes of 0 or more, got ${maximumGap} and ${maximumSize}`,
  );
}

interface MergedExtents {
  /** Merged requests in ascending order of offset. */
  readonly merged: readonly Extent[];
  /** For each given extent: the index of its request in `merged`, and its byte offset within that request. */
  readonly place: readonly { readonly request: number; readonly start: number }[];
}

export function mergeExtents(
  extents: readonly Extent[],
  { maximumGap, maximumSize }: CoalesceOptions,
): MergedExtents {
  const order = extents.map((_, i) => i).sort((a, b) => at(extents, a).offset - at(extents, b).offset);
  const merged: { offset: number; length: number }[] = [];
  const place = new Array<{ request: number; start: number }>(extents.length);
  for (const i of order) {
    const { offset, length } = at(extents, i);
    let last = merged.at(-1);
    const end = offset + length;
    const fits =
      last !== undefined &&
      offset - (last.offset + last.length) <= maximumGap &&
      Math.max(end, last.offset + last.length) - last.offset <= Math.max(maximumSize, last.length);
    if (last === undefined || !fits) {
      last = { offset, length };
      merged.push(last);
    } else {
      last.length = Math.max(last.length, end - last.offset);
    }
    place[i] = { request: merged.length - 1, start: offset - last.offset };
  }
  return { merged, place };
}

/** Collects what is asked for in one turn of the microtask queue, and hands it over together. */
export class Gathering<Item> {
  readonly #handOver: (items: readonly Item[]) => void;
  #items: Item[] = [];

  constructor(handOver: (items: readonly Item[]) => void) {
    this.#handOver = handOver;
  }

  add(item: Item): void {
    if (this.#items.length === 0) queueMicrotask(() => this.#flush());
    this.#items.push(item);
  }

  #flush(): void {
    const items = this.#items;
    this.#items = [];
    this.#handOver(items);
  }
}
